/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLXM_DMA_H
#define PLXM_DMA_H

/**
 * @file
 * The DMA function of a PEX87xx: four channels, each a PCI function of its own (1..4 of the
 * upstream port). It reaches all bus addresses of the host: its memory, and the window BARs of the
 * chip's NT port, where it is a requester with an id of its own.
 *
 * The engine has no thread: plxm_dma_run() executes descriptors. One thread at a time uses a
 * channel. Registers are not shared with the peer.
 *
 * Not known of the chip, hence not modelled: extended descriptors and held addresses, which fail.
 * Nor is that it reads descriptors ahead: each START makes it look again, so none can see that. No
 * driver uses block transfers, the ring in on-chip memory, or a ring that stops at its end: the
 * first two find no valid descriptor. Nor does any copy from a window to a window, which fails, use
 * interrupts (0x23C), or look what the last descriptor was (0x224, 0x228): these read 0.
 */

#include "plxm.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
	PLXM_DMA_CHANNELS = 4,
	PLXM_DMA_BAR0_SIZE = 4096,
};

/** The host's memory, as its root complex would find it. */
struct plxm_dma_host {
	/** Memory at bus address @p bus, NULL for none; *len: bytes wanted, in and those that
	 *  follow there, out. */
	void *(*mem)(void *ctx, uint64_t bus, uint64_t *len);
	void *ctx;
	uint8_t bus; /**< of the upstream port whose function the channel is; 0: bus 1 */
};

struct plxm_dma; /**< one channel */

/** @return 0; -ENODEV (the part has no DMA engine), -EINVAL (channel), -ENOMEM. @p p must outlive
 *  the channel. The chip's BAR0 does not show its registers, as no driver looks for them there. */
int plxm_dma_open(struct plxm_port *p, unsigned int channel, const struct plxm_dma_host *host,
		  struct plxm_dma **ret_dma);
void plxm_dma_close(struct plxm_dma *d);

/** Registers of the function: its configuration header below 0x100, the channel from 0x1F8. By
 *  1, 2 or 4 bytes; misaligned or absent ones read ones (or zero), writes to them are dropped. */
uint32_t plxm_dma_read(struct plxm_dma *d, uint32_t off, unsigned int size);
void plxm_dma_write(struct plxm_dma *d, uint32_t off, uint32_t val, unsigned int size);

/** Is there anything to execute, a pause or an abort to carry out? */
bool plxm_dma_busy(const struct plxm_dma *d);

/** Execute up to @p max descriptors. @return how many; less than @p max: the channel is idle. */
unsigned int plxm_dma_run(struct plxm_dma *d, unsigned int max);

enum plxm_dma_fault {
	PLXM_DMA_FAULT_STALL, /**< erratum: goes idle so many times though valid descriptors wait */
	PLXM_DMA_FAULT_STUCK, /**< erratum: 1 = busy for good, deaf to pause and abort; 0 = reset */
	PLXM_DMA_FAULT_MAX,
};
int plxm_dma_fault_set(struct plxm_dma *d, enum plxm_dma_fault f, uint32_t count);

#ifdef __cplusplus
}
#endif
#endif /* PLXM_DMA_H */
