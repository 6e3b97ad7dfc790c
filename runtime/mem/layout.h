/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_MEM_LAYOUT_H
#define RB_MEM_LAYOUT_H

/**
 * @file
 * Offsets in the region of a host. They are the same on all hosts, whose numbers of ports may
 * differ: blocks of the ports that a ring has none of stand behind all that neighbours reach by
 * these offsets.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/file.h"
#include "base/rules.h"
#include "base/wire.h"

enum {
	RB_HEAP_ALIGN = 2 * 1024 * 1024, /**< heaps start on a huge page */
};

/** Offsets in an inbound region. Those of ports are for as many as a host may have. */
struct rb_layout {
	uint64_t ctl[RB_MAX_PORTS];  /**< struct rb_ctl */
	uint64_t desc[RB_MAX_PORTS]; /**< struct rb_desc [rings][slots] */
	uint64_t slot[RB_MAX_PORTS]; /**< payload [rings][slots][chunk] */
	uint64_t heap;		     /**< heap of the host's first PE, then of the others */
	uint64_t heap_size;	     /**< bytes of one heap */
	uint64_t heap_span;	     /**< distance from one PE's heap to the next */
	uint64_t data; /**< static data of the first PE, then of the others; 0: not here */
	/* what is above is the same on all hosts of a job; this is by the ports of a host */
	uint64_t end;	/**< where what is the PEs' ends */
	uint64_t size;	/**< bytes of the region */
	uint64_t shown; /**< bytes of it that the windows show: all, or those of the runtime */
};

/** The region of this host, and the parts of this PE. Constant after open, except `committed`.
 */
struct rb_mem_state {
	struct rb_layout lay;
	uint8_t *region;
	struct rb_file file; /**< of the region; none: it is a memzone or many files */
	uint8_t *heap;	     /**< this PE's */
	uint8_t *data;	     /**< this PE's, at the program's own addresses */
	size_t data_size;
	uint8_t *
		data_shared; /**< static data of this host's PEs; NULL: of one PE, which keeps it */
	struct rb_file data_file; /**< of data_shared, and the offset in that file */
	uint64_t data_off;
	uint64_t window;  /**< bytes of the windows that the layout was fitted to; 0: not fitted */
	bool by_frames;	  /**< they show only what is the runtime's: mem/layout_fit.h */
	bool huge;	  /**< open; the region is laid out for huge pages */
	bool whole;	  /**< open; the region has all its memory from the start */
	size_t committed; /**< of the heap; under the caller's collective */
};
extern struct rb_mem_state rb_mem;

/** Bytes of a neighbour's region that are used through the window to its port @p far. */
uint64_t rb_layout_reach(unsigned int far);

/** Fill rb_mem.lay for a heap of @p heap_size bytes. 0, or -EINVAL / -ENOMEM with words. */
int rb_layout(size_t heap_size);

/** Overflow-safe: is [off, off + len) inside [0, size)? */
static inline bool
rb_inside(uint64_t off, uint64_t len, uint64_t size)
{
	return len <= size && off <= size - len;
}

static inline uint64_t
rb_seg_size(enum rb_seg seg)
{
	return seg == RB_SEG_HEAP ? rb_mem.lay.heap_size : rb_mem.data_size;
}

/** Offset of a PE's segment in its host's region; 0: the region does not hold it. */
static inline uint64_t
rb_seg_base(enum rb_seg seg, unsigned int local)
{
	if (seg == RB_SEG_HEAP)
		return rb_mem.lay.heap + local * rb_mem.lay.heap_span;
	return rb_mem.lay.data == 0 ? 0 : rb_mem.lay.data + local * rb_mem.data_size;
}

/** Offset of a PE's segment in the windows to its host; 0: they do not show it. */
static inline uint64_t
rb_seg_shown(enum rb_seg seg, unsigned int local)
{
	return rb_mem.by_frames ? 0 : rb_seg_base(seg, local);
}

/** Does this part of a region belong to its PEs, and not to the runtime, and do windows show it? */
static inline bool
rb_region_public(uint64_t off, uint64_t len)
{
	return !rb_mem.by_frames && off >= rb_mem.lay.heap && off <= rb_mem.lay.end &&
	       len <= rb_mem.lay.end - off;
}

#endif /* RB_MEM_LAYOUT_H */
