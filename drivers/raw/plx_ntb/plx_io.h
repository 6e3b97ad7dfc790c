/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLX_IO_H
#define PLX_IO_H

/*
 * The seam below the driver: how registers and windows are reached. Two backends fill it, BARs of
 * a PCI function and the model of the chip; everything above is one code path.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rte_pmd_ntb_port.h"

struct plx_io;

/* Filled completely by each backend; never tested for NULL. */
struct plx_io_ops {
	uint32_t (*rd32)(struct plx_io *io, uint32_t off);
	void (*wr32)(struct plx_io *io, uint32_t off, uint32_t val);
	/* the peer chip's registers, through the register window (BAR4) and the cable */
	uint32_t (*win_rd32)(struct plx_io *io, uint32_t off);
	void (*win_wr32)(struct plx_io *io, uint32_t off, uint32_t val);
	/* memory of a window BAR; NULL and 0 where the adapter has it switched off */
	void *(*win_map)(struct plx_io *io, unsigned int bar, uint64_t *ret_len);
	/* bus mastering of the Virtual function */
	int (*master)(struct plx_io *io, bool on);
	void (*close)(struct plx_io *io);
};

/* Operations of emulated ports alone, also filled completely. */
struct plx_io_emu_ops {
	/* bring maps of the window up to date after register or link changes */
	void (*sync)(struct plx_io *io);
	/* let requests of the peer reach this region alone; NULL: none */
	int (*mem_set)(struct plx_io *io, const struct ntb_port_config *region);
	uint32_t *(*wake_word)(struct plx_io *io);
	/* as ntb_port_ops.window_file */
	int (*win_file)(struct plx_io *io, uint64_t off, uint64_t len, int *ret_fd,
			uint64_t *ret_off);
	/* 0, or -ENOENT for a name that is not a fault hook */
	int (*fault)(struct plx_io *io, const char *name, uint64_t arg);
};

/* What a port does not offer although its chip has it: for tests of programs that need less. */
enum {
	PLX_LACKS_DOORBELLS = 1 << 0,
	PLX_LACKS_SPADS = 1 << 1,
	PLX_LACKS_FLUSH = 1 << 2,
	PLX_LACKS_FILES = 1 << 3, /* windows that other processes can map */
};

/* Steps of bring-up that no other driver takes, each of which a user may leave out. */
enum {
	PLX_SKIP_ALUT = 1 << 0,	 /* translate without the look-up table */
	PLX_SKIP_FIND = 1 << 1,	 /* the peer is the like port, at slot 0 */
	PLX_SKIP_PROOF = 1 << 2, /* of stores, of the payload */
	PLX_SKIP_ALL = 7,
};

struct plx_io {
	const struct plx_io_ops *ops;
	const struct plx_io_emu_ops *emu; /* NULL: a real adapter */
	uint32_t caps;			  /* NTB_CAP_* */
	uint32_t lacks;			  /* PLX_LACKS_* */
	uint32_t skips;			  /* PLX_SKIP_* */
	const char *setting;		  /* as ntb_port.setting */
	uint16_t nt_index; /* which NT port this is; the register blocks follow from it */
	uint16_t dma_rid;  /* bus << 8 of the chip's DMA functions, 0 where unknown or none */
	uint16_t root_rid; /* bus << 8 | device << 3 of the root port, 0 where unknown */
	/* where in BAR2 the data window begins; 0: at its start, and BAR4 is the register window,
	 * else the half below it is */
	uint64_t data_off;
	uint64_t window_bus; /* address of the data window for DMA engines, 0 where unknown */
};

static inline uint32_t
plx_reg_read32(struct plx_io *io, uint32_t off)
{
	return io->ops->rd32(io, off);
}

static inline void
plx_reg_write32(struct plx_io *io, uint32_t off, uint32_t val)
{
	io->ops->wr32(io, off, val);
}

/* The CPU reaches the window of an adapter through the chip itself, and the chip the host's memory.
 */
static inline void
plx_io_sync(struct plx_io *io)
{
	if (io->emu != NULL)
		io->emu->sync(io);
}

static inline int
plx_io_memory(struct plx_io *io, const struct ntb_port_config *region)
{
	return io->emu == NULL ? 0 : io->emu->mem_set(io, region);
}

static inline uint32_t
plx_peer_read32(struct plx_io *io, uint32_t off)
{
	return io->ops->win_rd32(io, off);
}

static inline void
plx_peer_write32(struct plx_io *io, uint32_t off, uint32_t val)
{
	io->ops->win_wr32(io, off, val);
}

#endif /* PLX_IO_H */
