/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLXM_DMA_PRIV_H
#define PLXM_DMA_PRIV_H

#include "plxm_dma.h"
#include "plxm_priv.h"

enum {
	PREFETCH_MAX = 256,
};

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
	/* the engine's own: descriptors fetched ahead */
	uint32_t ahead[PREFETCH_MAX][4];
	uint32_t ahead_n, ahead_at, ahead_starts;
};

static inline uint32_t *
plxm_dma_reg(struct plxm_dma *d, uint32_t off)
{
	return &d->reg[off / 4];
}

#endif /* PLXM_DMA_PRIV_H */
