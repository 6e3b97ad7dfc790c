/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "coll/op.h"
#include "core/heap.h"
#include "core/shmemi.h"
#include "memory.h"
#include "shmemx.h"
#include "space_agree.h"
#include "space_place.h"

/* This PE's memory for it. 0; -1, after a line */
static int
extend_heap(const char *call, const struct space_place *p)
{
	const struct rb_range range = {.from = shmemi_place_offset(p), .size = p->size, .node = -1};

	if (rb_heap_range(&range) != 0)
		return shmemi_space_fault(call, "%s", rb_error());
	if (shmemi_heap_extend(p->base, p->size) == 0)
		return 0;
	rb_heap_clear(range.from, range.from + range.size);
	return shmemi_space_fault(call, "no memory");
}

SHMEMI_EXPORT int
shmemx_heap_grow(size_t size)
{
	struct space_place place;
	struct coll_op op;
	bool failed;

	if (!coll_begin(&op, "shmemx_heap_grow", SHMEM_TEAM_WORLD))
		return -1;
	if (size == 0)
		return shmemi_space_refuse(&op, "size is 0");
	if (shmemi_heap_parts_left() == 0)
		return shmemi_space_refuse(&op, "the heap has grown as often as it can");
	if (!shmemi_place_take(&op, size, &place))
		return -1;
	failed = extend_heap(op.call, &place) != 0;
	if (!shmemi_space_failed(&op, failed)) {
		return 0;
	}
	if (!failed) {
		shmemi_heap_shorten();
		rb_heap_clear(shmemi_place_offset(&place),
			      shmemi_place_offset(&place) + place.size);
	}
	shmemi_place_give(&place);
	return -1;
}
