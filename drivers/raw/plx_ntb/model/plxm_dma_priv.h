/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLXM_DMA_PRIV_H
#define PLXM_DMA_PRIV_H

#include "plxm_dma.h"
#include "plxm_priv.h"

struct plxm_dma {
	struct plxm_port *p;
	unsigned int ch;
	struct plxm_dma_host host;
	pthread_mutex_t engine; /* one thread executes; taken before mu */
	pthread_mutex_t mu;	/* guards reg[] and what follows it */
	uint32_t reg[PLXM_DMA_BAR0_SIZE / 4];
	uint32_t starts; /* tells a START that came after a descriptor was fetched */
	bool running, want_pause, want_abort;
	_Atomic uint32_t busy;	/* any of the three */
	_Atomic uint32_t abort; /* want_abort, for the copy loop */
	_Atomic uint32_t fault[PLXM_DMA_FAULT_MAX];
};

static inline uint32_t *
plxm_dma_reg(struct plxm_dma *d, uint32_t off)
{
	return &d->reg[off / 4];
}

/* ---- plxm_dma_move.c ---- */

/* Bytes moved; HW_DESC_* failure bits in @p ret_failed */
struct plxm_dma_job {
	uint64_t src, dst;
	uint32_t len;
};

uint32_t plxm_dma_move(struct plxm_dma *d, const struct plxm_dma_job *job, uint32_t *ret_failed);

/* Copy words of a descriptor out of host memory, or the first one back into it. */
bool plxm_dma_fetch(struct plxm_dma *d, uint64_t bus, uint32_t desc[4]);
bool plxm_dma_write_back(struct plxm_dma *d, uint64_t bus, uint32_t word);

/* ---- plxm_dma_regs.c ---- */

/* With d->mu held. */
void plxm_dma_idle(struct plxm_dma *d, uint32_t ctl_bits);
void plxm_dma_note_busy(struct plxm_dma *d);

#endif /* PLXM_DMA_PRIV_H */
