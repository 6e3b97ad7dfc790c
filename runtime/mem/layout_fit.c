/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "mem/layout_fit.h"

#include <errno.h>

#include "base/env.h"
#include "base/error.h"
#include "base/state.h"
#include "mem/heap.h"
#include "mem/layout.h"

enum {
	CHUNK_MIN = 4096
};

/* The region, or what windows show of it, of a host with all ports that it may have. */
static uint64_t
largest_region(void)
{
	return rb_mem.lay.slot[RB_MAX_PORTS - 1] + (uint64_t)RB_SLOT_RINGS * rb.slots * rb.chunk;
}

/* Where the channels of such a host end, with no heap among them. */
static uint64_t
channels_end(void)
{
	const uint64_t *slot = rb_mem.lay.slot,
		       each = slot[RB_MAX_PORTS - 1] - slot[RB_MAX_PORTS - 2];

	return slot[RB_RING_PORTS - 1] + (uint64_t)RB_SLOT_RINGS * rb.slots * rb.chunk +
	       (RB_MAX_PORTS - RB_RING_PORTS) * each;
}

/* The largest SHMEM_SYMMETRIC_SIZE for which the region fits into @p window bytes; 0: none. */
static uint64_t
heap_within(uint64_t window)
{
	/* windows are whole pages, so what stands behind the heaps costs whole ones */
	uint64_t heaps = rb_mem.lay.heap_span * (unsigned int)rb.most_locals;
	uint64_t others = rb_mem.lay.size - heaps, each = window <= others ? 0 : window - others;

	each = each / (unsigned int)rb.most_locals & ~(uint64_t)(RB_HEAP_ALIGN - 1);
	return each <= rb_heap_own() ? 0 : each - rb_heap_own();
}

int
rb_layout_fit_refuse(uint64_t window, const char *setting)
{
	return rb_fail(-ENOMEM,
		       "the window of %llu bytes is smaller than the region of %llu: set %s that "
		       "holds it, here and at the neighbours, or SHMEM_SYMMETRIC_SIZE to %llu at "
		       "most",
		       (unsigned long long)window, (unsigned long long)rb_mem.lay.size, setting,
		       (unsigned long long)heap_within(window));
}

/* Slots are for what windows do not reach, so they leave a quarter of a window to the heap. All
 * hosts have the same chunk, and may differ in their number of ports, which so does not count. */
static int
shrink_chunk(uint64_t window)
{
	int ret = 0;

	while (ret == 0 && channels_end() > window / 4 * 3 && rb.chunk > CHUNK_MIN) {
		rb.chunk = rb.chunk / 2 < CHUNK_MIN ? CHUNK_MIN : rb.chunk / 2;
		ret = rb_layout(rb_mem.lay.heap_size);
	}
	return ret;
}

/* The windows show the channels alone. */
static int
hide_heap(uint64_t window, const char *setting)
{
	size_t heap = rb_mem.lay.heap_size;
	int ret;

	rb_mem.by_frames = true;
	ret = rb_layout(heap);
	if (ret < 0 || rb_mem.lay.shown <= window)
		return ret;
	rb_mem.by_frames = false;
	return rb_fail(-ENOMEM,
		       "the window of %llu bytes does not hold the channels of %llu: set %s that "
		       "does, here and at the neighbours, or lower RINGBELL_CHUNK, RINGBELL_SLOTS, "
		       "RINGBELL_CHANNELS or RINGBELL_LCORES",
		       (unsigned long long)window, (unsigned long long)rb_mem.lay.shown, setting);
}

int
rb_layout_fit(uint64_t window, const char *setting)
{
	int ret;

	rb_mem.window = window;
	if (largest_region() <= window)
		return 0;
	ret = rb.env.chunk_given ? 0 : shrink_chunk(window);
	if (ret < 0 || rb_mem.lay.shown <= window)
		return ret;
	if (heap_within(window) != 0)
		return rb_layout_fit_refuse(window, setting);
	return hide_heap(window, setting);
}
