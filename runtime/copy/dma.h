/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_COPY_DMA_H
#define RB_COPY_DMA_H

/**
 * @file
 * The dmadevs that copy (RINGBELL_DMA). copy/dma_queue.h has the copies.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Set up the devices that RINGBELL_DMA names; after rte_eal_init(). 0, or -errno with words in
 *  rb_error(). */
int rb_dma_open(void);
void rb_dma_close(void);

/** Is any device set up? */
bool rb_dma_ready(void);

#endif /* RB_COPY_DMA_H */
