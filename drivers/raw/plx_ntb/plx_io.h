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
#include <stdint.h>

#include <rte_log.h>

#include "ntb_counter.h"
#include "rte_pmd_ntb_port.h"

struct plx_io;
struct rte_pci_device;

enum {
	PLX_IO_COUNTERS = 16, /* a backend has at most so many */
};

/* Filled completely by each backend; never tested for NULL. */
struct plx_io_ops {
	uint32_t (*rd32)(struct plx_io *io, uint32_t off);
	void (*wr32)(struct plx_io *io, uint32_t off, uint32_t val);
	/* the peer chip's registers, through the register window (BAR4) and the cable */
	uint32_t (*win_rd32)(struct plx_io *io, uint32_t off);
	void (*win_wr32)(struct plx_io *io, uint32_t off, uint32_t val);
	/* memory of a window BAR; NULL and 0 where the adapter has it switched off */
	void *(*win_map)(struct plx_io *io, unsigned int bar, uint64_t *ret_len);
	/* bring cached maps of the window up to date after register or link changes */
	void (*sync)(struct plx_io *io);
	/* memory decode and bus mastering of the Virtual function */
	int (*master)(struct plx_io *io, bool on);
	/* let requests of the peer reach this region; replaces the region before it */
	int (*mem_set)(struct plx_io *io, const struct ntb_port_config *region);
	void (*mem_clear)(struct plx_io *io);
	uint32_t *(*wake_word)(struct plx_io *io);
	/* as ntb_port_ops.window_file */
	int (*win_file)(struct plx_io *io, uint64_t off, uint64_t len, int *ret_fd,
			uint64_t *ret_off);
	/* 0, -ENOENT for a name that is no fault hook, -ENOTSUP without fault hooks */
	int (*fault)(struct plx_io *io, const char *name, uint64_t arg);
	unsigned int (*counters)(struct plx_io *io, struct ntb_counter c[PLX_IO_COUNTERS]);
	void (*close)(struct plx_io *io);
};

struct plx_io {
	const struct plx_io_ops *ops;
	uint32_t caps;	     /* NTB_CAP_* */
	const char *setting; /* as ntb_port.setting */
	uint16_t nt_index;   /* which NT port this is; the register blocks follow from it */
	uint16_t dma_rid;    /* bus << 8 of the chip's DMA functions, 0 where unknown or none */
	uint16_t root_rid;   /* bus << 8 | device << 3 of the root port, 0 where unknown */
	/* where in BAR2 the data window begins; 0: at its start, and BAR4 is the register window,
	 * else the half below it is */
	uint64_t data_off;
	uint64_t window_bus; /* address of the data window for DMA engines, 0 where unknown */
};

/* Devargs of an emulated adapter. */
struct plx_emu_args {
	const char *cable;   /* path of the cable file */
	unsigned int end;    /* 0 or 1 */
	unsigned int chip;   /* 0x87xx */
	unsigned int nt;     /* 0 or 1 */
	unsigned int gen;    /* 1..3 */
	unsigned int width;  /* lanes */
	unsigned int stores; /* requester id of the CPU's stores, bus << 8 | device << 3 */
	unsigned int bridge; /* 1: the port offers no more than an adapter's does */
	unsigned int bar4;   /* 0: BAR2 is for both, registers and data */
	uint64_t bar2;	     /* bytes */
};

/* Both log the reason of a failure. @p name is for log lines and must outlive the backend. */
struct plxm_port;

/* The chip behind an emulated port, for its DMA functions; it stays while anybody holds it.
 * NULL where no port has this name. */
struct plxm_port *plx_model_hold(const char *name);
void plx_model_release(struct plxm_port *port);

int plx_io_pci_open(struct rte_pci_device *pci, struct plx_io **ret_io);
int plx_io_model_open(const struct plx_emu_args *args, const char *name, struct plx_io **ret_io);

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

extern int plx_ntb_logtype;

/* Level first, then the device, so that one line says what and where. */
#define PLX_LOG(level, name, fmt, ...) \
	rte_log(RTE_LOG_##level, plx_ntb_logtype, "PLX_NTB: %s: " fmt "\n", name, ##__VA_ARGS__)

#endif /* PLX_IO_H */
