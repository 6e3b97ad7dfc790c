/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "rb_xfer.h"

struct rb_near rb_near[RB_MAX_PES];

static uint8_t *
reach(int pe, enum rb_seg seg)
{
	const struct rb_loc loc = {.seg = seg, .off = 0};
	struct rb_target t;

	rb_target_at(&t, pe, &loc);
	if (t.host == rb.host)
		return rb_local(&t);
	if (rb.notify == RB_NOTIFY_CLASSIC)
		return NULL;
	return rb.link[t.side].memory && rb.link[t.side].peer != NULL ? rb_direct(&t) : NULL;
}

static struct rb_near_seg
seg_of(int pe, enum rb_seg seg)
{
	uintptr_t here = (uintptr_t)(seg == RB_SEG_HEAP ? rb.heap : rb.data);
	uintptr_t there = (uintptr_t)reach(pe, seg);
	uint64_t size = there == 0 ? 0 : rb_seg_size(seg);

	return (struct rb_near_seg){
		.here = here,
		.size = size,
		.words = size < RB_NEAR_WORD ? 0 : size - RB_NEAR_WORD + 1,
		.shift = (ptrdiff_t)(there - here),
	};
}

void
rb_near_fill(void)
{
	int pe;

	for (pe = 0; pe < rb.npes; pe++)
		rb_near[pe] = (struct rb_near){.heap = seg_of(pe, RB_SEG_HEAP),
					       .data = seg_of(pe, RB_SEG_DATA)};
}

static void
close_seg(struct rb_near_seg *seg)
{
	__atomic_store_n(&seg->size, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&seg->words, 0, __ATOMIC_RELAXED);
}

/* Relaxed: calls of different threads are ordered by the program, if at all. The long way then
 * asks each context what it fenced. */
void
rb_near_close(int host)
{
	int pe;

	if (__atomic_load_n(&rb_near[rb.lead[host]].heap.size, __ATOMIC_RELAXED) == 0)
		return;
	for (pe = 0; pe < rb.npes; pe++) {
		if (rb_pe_host(pe) != host)
			continue;
		close_seg(&rb_near[pe].heap);
		close_seg(&rb_near[pe].data);
	}
}
