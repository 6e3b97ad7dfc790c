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

#include "base/state.h"

enum rb_tune_op {
	RB_TUNE_PUT,
	RB_TUNE_GET,
	RB_TUNE_OPS
};

enum rb_dist {
	RB_DIST_HOST,	/**< memory of this host */
	RB_DIST_WINDOW, /**< a neighbour's, through a window that is memory */
	RB_DIST_BRIDGE, /**< a neighbour's, through a window of PCI Express */
	RB_DIST_FAR,	/**< the bypass slot of a neighbour, on the way to another host */
	RB_DISTS
};

/** What the remote side is. */
enum rb_buf {
	RB_BUF_HEAP,
	RB_BUF_STATIC,
	RB_BUF_PRIVATE, /**< static data that was not remapped */
	RB_BUFS
};

/** Is the source in a cache? Taken to be so up to the size that the table calls `cache`. */
enum rb_warmth {
	RB_WARM,
	RB_COLD,
	RB_WARMTHS
};

enum rb_method {
	RB_METHOD_MEMCPY,
	RB_METHOD_NT,	   /**< stores of 64 bytes past the caches */
	RB_METHOD_CMA,	   /**< Cross Memory Attach */
	RB_METHOD_DMA,	   /**< a dmadev */
	RB_METHOD_REQUEST, /**< get: asked for, and pushed by the other side */
	RB_METHODS
};

#define RB_NEVER UINT64_MAX

struct rb_tune {
	uint64_t cache;
	/** bytes from which on a method is used, up to where the next one's begin */
	uint64_t from[RB_TUNE_OPS][RB_DISTS][RB_BUFS][RB_WARMTHS][RB_METHODS];
	char path[512]; /**< file that was read; empty: built-in values */
};
extern struct rb_tune rb_tune;

/** Built-in values, then the file. 0, or -errno with words. */
int rb_tune_open(void);

static inline enum rb_dist
rb_dist_of(const struct rb_link *link)
{
	return link->memory ? RB_DIST_WINDOW : RB_DIST_BRIDGE;
}

static inline enum rb_buf
rb_buf_of(enum rb_seg seg)
{
	return seg == RB_SEG_HEAP ? RB_BUF_HEAP : RB_BUF_STATIC;
}

enum rb_method rb_method(enum rb_tune_op op, enum rb_dist dist, enum rb_buf buf, size_t len);

/** Choose the kernel of non-temporal copies for this CPU. */
void rb_copy_open(void);

/** Put @p len bytes within reach of stores, by the table. On return the source may be reused, and
 *  all is ordered before later stores; but where @p pending is given and raised, only once it is
 *  down again. */
void rb_copy_put(void *dst, const void *src, size_t len, enum rb_dist dist, enum rb_buf buf,
		 _Atomic uint32_t *pending);

/** The same by the CPU only, for who holds the polling lock. */
void rb_copy_relay(void *dst, const void *src, size_t len, enum rb_dist dist);

#endif /* RB_COPY_COPY_H */
