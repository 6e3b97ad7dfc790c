/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_LINK_COPY_H
#define RB_LINK_COPY_H

/**
 * @file
 * Copies of more than a few bytes, and how the method of a copy follows from distance and size.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/link.h"

/** Where the remote memory is. */
enum rb_dist {
	RB_DIST_HOST,	/**< memory of this host */
	RB_DIST_WINDOW, /**< a neighbour's, through a window that is memory */
	RB_DIST_BRIDGE, /**< a neighbour's, through a window of PCI Express */
	RB_DISTS
};

/** Sizes from which another method than memcpy is used (tests/thresholds.def).
 *
 *  Memory, also through a window: memcpy at all sizes. By stores past the caches, puts of 8 KiB, 64
 *  KiB and 512 KiB to a neighbour took 5.0, 3.0 and 2.5 times as long (put_bw). */
enum {
	/** Puts over a bridge: stores of whole lines past the caches. A write-combining buffer that
	 *  is not full leaves in pieces. Two lines, so that one of them is whole. */
	RB_COPY_NT = 128,
	/** Gets over a bridge: a request, which the other side answers by stores. Each line that
	 *  is loaded through a bridge costs a round trip of about 1 us; a request costs two. */
	RB_COPY_REQUEST = 65,
	/** Puts by a device, where the user named one. One operation costs microseconds
	 * (descriptor, doorbell, completion), in which a CPU copies 64 KiB at the speed of a
	 * bridge, and four times as much within memory. */
	RB_COPY_DMA_BRIDGE = 64 * 1024,
	RB_COPY_DMA_WINDOW = 256 * 1024
};

static inline enum rb_dist
rb_dist_of(const struct rb_link *link)
{
	return link->memory ? RB_DIST_WINDOW : RB_DIST_BRIDGE;
}

/** Does a get of @p len bytes send a request, rather than load them? */
static inline bool
rb_copy_requests(enum rb_dist dist, size_t len)
{
	return dist == RB_DIST_BRIDGE && len >= RB_COPY_REQUEST;
}

/** Is a put of @p len bytes copied by a device? */
bool rb_copy_by_dma(enum rb_dist dist, size_t len);

/** Copy @p len bytes to memory that stores reach. On return the source may be reused, and the copy
 *  is ordered before later stores, unless a DMA device took the copy: then @p pending was
 *  incremented, and both hold when it is back at its old value. Without @p pending the call waits
 *  for the device. */
void rb_copy_put(void *dst, const void *src, size_t len, enum rb_dist dist,
		 _Atomic uint32_t *pending);

/** The same copy, by the CPU only: for callers that hold the polling lock. */
void rb_copy_relay(void *dst, const void *src, size_t len, enum rb_dist dist);

#endif /* RB_LINK_COPY_H */
