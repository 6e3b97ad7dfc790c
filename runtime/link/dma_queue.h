/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_LINK_DMA_QUEUE_H
#define RB_LINK_DMA_QUEUE_H

/**
 * @file
 * Copies by the devices of link/dma_dev.h. Any thread may call. A copy that was begun always
 * completes: if the device fails, the CPU does it. So the source must stay unchanged until then.
 */

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/** Number of copies that devices have completed. */
uint64_t rb_dma_copies(void);
/** Begin a copy. @p pending is incremented, and is back at its old value when the copy is done.
 *  @return bytes that a device copies, from the first one on; the CPU of the caller copies the
 *  others: all where no device has room, or reaches both. */
size_t rb_dma_begin(void *dst, const void *src, size_t len, _Atomic uint32_t *pending);
/** Wait until @p pending is 0. Acquire: the devices' copies come before later accesses of the
 *  caller. */
void rb_dma_wait(_Atomic uint32_t *pending);
/** Copy by an idle device, and return when the copy is complete. @return as above */
size_t rb_dma_copy(void *dst, const void *src, size_t len);
/** Wait until no operation is under way. */
void rb_dma_drain(void);

#endif /* RB_LINK_DMA_QUEUE_H */
