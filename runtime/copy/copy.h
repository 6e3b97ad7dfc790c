/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_COPY_COPY_H
#define RB_COPY_COPY_H

/**
 * @file
 * Copies of more than a few bytes, and the table that says by which method: by operation,
 * distance, kind of buffer, state of the cache and size. Written by rb_open() and rb_tune_line(),
 * when no operation is under way; read by all threads.
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

static inline enum rb_memkind
rb_memkind_of(enum rb_seg seg)
{
	return seg == RB_SEG_HEAP ? RB_MEM_HEAP : RB_MEM_STATIC;
}

enum rb_method rb_method(enum rb_tune_op op, enum rb_dist dist, enum rb_memkind buf, size_t len);

/** Choose the kernel of non-temporal copies for this CPU. */
void rb_copy_open(void);

/** Put @p len bytes within reach of stores, by the table. On return the source may be reused, and
 *  all is ordered before later stores; but where @p pending is given and raised, only once it is
 *  down again. */
void rb_copy_put(void *dst, const void *src, size_t len, enum rb_dist dist, enum rb_memkind buf,
		 _Atomic uint32_t *pending);

/** The same by the CPU only, for who holds the polling lock. */
void rb_copy_relay(void *dst, const void *src, size_t len, enum rb_dist dist);

#endif /* RB_COPY_COPY_H */
