/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLX_DMA_H
#define PLX_DMA_H

/*
 * The chip's DMA function as a dmadev: one function is one channel is one vchan. To reach the
 * peer's memory the destination is the bus address of the window, struct ntb_port.window_iova.
 *
 * dmadev leaves a vchan to one thread. `ring` is in host memory: the driver sets the valid bit of a
 * descriptor's first word last; the chip clears it, in the word that has the result.
 */

#include <stdint.h>

#include <rte_dmadev.h>
#include <rte_dmadev_pmd.h>
#include <rte_memzone.h>

struct plx_dma_io;

struct plx_dma_io_ops {
	uint32_t (*rd32)(struct plx_dma_io *io, uint32_t off);
	void (*wr32)(struct plx_dma_io *io, uint32_t off, uint32_t val);
	void (*wr16)(struct plx_dma_io *io, uint32_t off, uint16_t val);
	void (*close)(struct plx_dma_io *io);
};

struct plx_dma_io {
	const struct plx_dma_io_ops *ops;
};

struct plx_dma_desc {
	uint32_t flags_len;
	uint32_t addr_hi; /* bits 47..32: destination below, source above */
	uint32_t dst_lo;
	uint32_t src_lo;
};

struct plx_dma {
	struct plx_dma_io *io;
	const struct rte_memzone *mz;
	struct plx_dma_desc *ring;
	uint32_t *len;	    /* of each descriptor's copy */
	uint32_t mask;	    /* descriptors of the ring - 1 */
	uint32_t nb_desc;   /* as many of them may be in use */
	uint32_t head;	    /* free running, an operation each: next to fill, */
	uint32_t submitted; /* next to hand to the chip, */
	uint32_t tail;	    /* next to be reported */
	uint32_t idle;	    /* polls without news */
	struct rte_dma_stats stats;
	char name[RTE_DEV_NAME_MAX_LEN];
};

/* Registers of the function; a channel's from 0x200. */
#define PLX_DMA_RING_LO 0x214u
#define PLX_DMA_RING_HI 0x218u
#define PLX_DMA_NEXT 0x21cu
#define PLX_DMA_COUNT 0x220u
#define PLX_DMA_PREFETCH 0x234u
#define PLX_DMA_CTL 0x238u
#define PLX_DMA_CTL_PAUSE (1u << 0)
#define PLX_DMA_CTL_ABORT (1u << 1)
#define PLX_DMA_CTL_WRITE_BACK (1u << 2)
#define PLX_DMA_CTL_START (1u << 3)
#define PLX_DMA_CTL_HOST_RING (2u << 5)
#define PLX_DMA_CTL_PAUSE_DONE (1u << 9)
#define PLX_DMA_CTL_ABORT_DONE (1u << 10)
#define PLX_DMA_CTL_STATUS 0x1700u /* write 1 to clear */
#define PLX_DMA_CTL_BUSY (1u << 30)
#define PLX_DMA_INT 0x23cu
#define PLX_DMA_INT_STATUS 0x003f0000u
#define PLX_DMA_ADDR_BITS 48

/* First word of a descriptor. */
#define PLX_DMA_DESC_VALID (1u << 31)
#define PLX_DMA_DESC_DONE (1u << 30)
#define PLX_DMA_DESC_READ_FAILED (1u << 29)
#define PLX_DMA_DESC_WRITE_FAILED (1u << 28)
#define PLX_DMA_DESC_LEN 0x07ffffffu

enum {
	PLX_DMA_FETCH = 8, /* descriptors that the chip reads ahead */
	PLX_DMA_MIN_DESC = 32,
	PLX_DMA_MAX_DESC = 2048,
};

static inline uint32_t
plx_dma_rd32(struct plx_dma *d, uint32_t off)
{
	return d->io->ops->rd32(d->io, off);
}

static inline void
plx_dma_wr32(struct plx_dma *d, uint32_t off, uint32_t val)
{
	d->io->ops->wr32(d->io, off, val);
}

/* ---- plx_dma_path.c ---- */

/* The calls of dmadev's fast path. */
void plx_dma_path_set(struct rte_dma_fp_object *fp);

/* ---- plx_dmadev.c ---- */

/* A dmadev over @p io, which it owns on success. */
int plx_dma_create(struct rte_device *device, const char *name, struct plx_dma_io *io);

/* ---- plx_dma_io_model.c ---- */

/* The DMA function of the chip behind the emulated NT port @p ntb. 0, -ENOENT for no such
 * port, or another negative errno. */
int plx_dma_io_model_open(const char *ntb, unsigned int channel, struct plx_dma_io **ret_io);
/* Faults by the numbers of plxm_dma.h; -ENOTSUP on a real adapter. */
int plx_dma_emu_fault(int16_t dev_id, unsigned int fault, uint32_t count);

#endif /* PLX_DMA_H */
