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

#include "rb.h"

/** Set up the devices that RINGBELL_DMA names, once the EAL runs. 0, or -errno with words. */
int rb_dma_open(void);
void rb_dma_close(void);

/** Is there a device that works? */
bool rb_dma_ready(void);

/** How many copies went well. */
uint64_t rb_dma_copies(void);

/** Begin a copy. Until it is done @p pending is raised. 0, or -errno: nothing was begun, and the
 *  caller copies by the CPU. */
int rb_dma_begin(void *dst, const void *src, size_t len, _Atomic uint32_t *pending);

/** Wait until @p pending is 0. Acquire: what the devices did comes before what follows. */
void rb_dma_wait(_Atomic uint32_t *pending);

/** Copy, and return when it is complete; by a device that has nothing else to do. 0 or -errno. */
int rb_dma_copy(void *dst, const void *src, size_t len);
int rb_dma_copy_blocks(const struct rb_blocks *b);

#endif /* RB_COPY_DMA_H */
