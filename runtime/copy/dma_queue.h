/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_COPY_DMA_QUEUE_H
#define RB_COPY_DMA_QUEUE_H

/**
 * @file
 * Copies by the devices of copy/dma.h. Any thread may ask. A copy that was begun is done in the
 * end: if a device fails, by the CPU, so the source has to stay until then.
 */

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "base/types.h"

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
/** Wait until nothing is under way any more. */
void rb_dma_drain(void);

#endif /* RB_COPY_DMA_QUEUE_H */
