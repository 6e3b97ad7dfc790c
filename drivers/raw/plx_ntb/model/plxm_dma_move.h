/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLXM_DMA_MOVE_H
#define PLXM_DMA_MOVE_H

#include "plxm_dma_priv.h"

/* Bytes moved; HW_DESC_* failure bits in @p ret_failed */
struct plxm_dma_job {
	uint64_t src, dst;
	uint32_t len;
};

uint32_t plxm_dma_move(struct plxm_dma *d, const struct plxm_dma_job *job, uint32_t *ret_failed);

/* Copy words of a descriptor out of host memory, or the first one back into it. */
bool plxm_dma_fetch(struct plxm_dma *d, uint64_t bus, uint32_t (*desc)[4], uint32_t n);
bool plxm_dma_write_back(struct plxm_dma *d, uint64_t bus, uint32_t word);

#endif /* PLXM_DMA_MOVE_H */
