/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLX_DMA_PATH_H
#define PLX_DMA_PATH_H

#include "plx_dma.h"

/* The calls of dmadev's fast path. */
void plx_dma_path_set(struct rte_dma_fp_object *fp);

#endif /* PLX_DMA_PATH_H */
