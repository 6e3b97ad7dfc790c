/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_DMA_H
#define RB_DMA_H

/**
 * @file
 * Copies by a dmadev (RINGBELL_DMA). Any thread may ask; a virtual channel has a lock.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Set up the devices that RINGBELL_DMA names, once the EAL runs. 0, or -errno with words. */
int rb_dma_open(void);
void rb_dma_close(void);

/** Is there a device that works? */
bool rb_dma_ready(void);

/** How many copies went well. */
uint64_t rb_dma_copies(void);

/** Copy, and return when it is complete. 0, or -errno: nothing may be taken to be copied, and the
 *  caller copies by the CPU. */
int rb_dma_copy(void *dst, const void *src, size_t len);

#endif /* RB_DMA_H */
