/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_MEM_LAYOUT_H
#define RB_MEM_LAYOUT_H

/**
 * @file
 * Offsets in the region of a host. They are the same on all hosts.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/state.h"
#include "base/wire.h"

/** Overflow-safe: is [off, off + len) inside [0, size)? */
static inline bool
rb_inside(uint64_t off, uint64_t len, uint64_t size)
{
	return len <= size && off <= size - len;
}

static inline uint64_t
rb_seg_size(enum rb_seg seg)
{
	return seg == RB_SEG_HEAP ? rb.lay.heap_size : rb.data_size;
}

/** Offset of a PE's segment in its host's region; 0: the region does not hold it. */
static inline uint64_t
rb_seg_base(enum rb_seg seg, unsigned int local)
{
	if (seg == RB_SEG_HEAP)
		return rb.lay.heap + local * rb.lay.heap_span;
	return rb.lay.data == 0 ? 0 : rb.lay.data + local * rb.data_size;
}

/** Does this part of a region belong to its PEs, and not to the runtime? */
static inline bool
rb_region_public(uint64_t off, uint64_t len)
{
	return off >= rb.lay.heap && off <= rb.lay.size && len <= rb.lay.size - off;
}

#endif /* RB_MEM_LAYOUT_H */
