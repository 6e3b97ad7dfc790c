/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_COPY_DMA_H
#define RB_COPY_DMA_H

/**
 * @file
 * Copies by a dmadev (RINGBELL_DMA). Any thread may ask. What was begun is done in the end: where a
 * device fails, by the CPU, so the source has to stay until then.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Set up the devices that RINGBELL_DMA names, once the EAL runs. 0, or -errno with words. */
int rb_dma_open(void);
void rb_dma_close(void);

/** Is there a device that works? */
bool rb_dma_ready(void);

#endif /* RB_COPY_DMA_H */
