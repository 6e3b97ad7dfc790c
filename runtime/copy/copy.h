/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_COPY_COPY_H
#define RB_COPY_COPY_H

/**
 * @file
 * Copies of more than a few bytes. A table selects the method by operation, distance, kind of
 * memory, state of the cache and size. rb_open(), rb_tune_line() and rb_tune_change() write it, one
 * at a time; all threads read it, also meanwhile.
 */

#include <stddef.h>
#include <stdint.h>

#include "base/link.h"
#include "base/wire.h"
#include "copy/tune.h"

static inline enum rb_dist
rb_dist_of(const struct rb_link *link)
{
	return link->memory ? RB_DIST_WINDOW : RB_DIST_BRIDGE;
}

/** Of the slots of a link, to which frames are copied. */
static inline enum rb_dist
rb_dist_slot(const struct rb_link *link)
{
	if (link->kept != NULL)
		return RB_DIST_HOST;
	return link->memory ? RB_DIST_FAR : RB_DIST_BRIDGE;
}

static inline enum rb_memkind
rb_memkind_of(enum rb_seg seg)
{
	return seg == RB_SEG_HEAP ? RB_MEM_HEAP : RB_MEM_STATIC;
}

/** The method of the table for a transfer of @p len bytes. */
enum rb_method rb_method(enum rb_tune_op op, enum rb_dist dist, enum rb_memkind buf, size_t len);

/** Choose the kernel of non-temporal copies for this CPU. */
void rb_copy_open(void);

/** Copy @p len bytes to memory that stores reach, by the method of the table. On return the source
 *  may be reused, and the copy is ordered before later stores, unless a DMA device took the copy:
 *  then @p pending was incremented, and both hold when it is back at its old value. Without @p
 *  pending the call waits for the device. */
void rb_copy_put(void *dst, const void *src, size_t len, enum rb_dist dist, enum rb_memkind buf,
		 _Atomic uint32_t *pending);

/** The same copy, by the CPU only: for callers that hold the polling lock. */
void rb_copy_relay(void *dst, const void *src, size_t len, enum rb_dist dist);

#endif /* RB_COPY_COPY_H */
