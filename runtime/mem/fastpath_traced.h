/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_MEM_FASTPATH_TRACED_H
#define RB_MEM_FASTPATH_TRACED_H

/**
 * @file
 * Part of rb.h: the short way (mem/fastpath.h) of a job that is counted or traced. It is another
 * way, so that the one that nobody looks at has no test of it. In a put of 4 KiB a call more can be
 * felt, so what a trace needs most of the time is done here: one more operation of the thread's
 * run.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mem/fastpath.h"
#include "observe/run.h"
#include "observe/trace_file.h"

/** Are operations counted or traced? Constant after rb_open(). */
bool rb_traced(void);

/** Put to PE @p pe or get from it within reach, noted whatever is asked for. */
void rb_traced_copy(enum rb_trace_kind kind, int pe, void *dst, const void *src, size_t len);

/** As rb_fast_at(), but the heap is looked at first: the address is known sooner, which is what
 *  counts behind a call. */
static inline bool
rb_traced_at(int pe, const void *addr, size_t len, void **ret)
{
	const struct rb_fast_seg *seg = &rb_fast_traced[pe].heap;
	uintptr_t a = (uintptr_t)addr;
	uint64_t size;

	if (a - seg->here >= __atomic_load_n(&seg->size, __ATOMIC_RELAXED))
		seg = &rb_fast_traced[pe].data;
	size = __atomic_load_n(&seg->size, __ATOMIC_ACQUIRE); /* pairs with set_seg() */
	*ret = (void *)(a + (uintptr_t)seg->shift);
	return a - seg->here < size && len <= size - (a - seg->here);
}

static inline __attribute__((always_inline)) void
rb_traced_move(enum rb_trace_kind kind, int pe, void *dst, const void *src, size_t len)
{
	struct rb_trace_track *t = rb_traced_track;

	if (__builtin_expect(t != NULL && rb_traced_runs(t, kind, pe, len), 1))
		rb_copy(dst, src, len);
	else
		rb_traced_copy(kind, pe, dst, src, len);
	rb_got();
}

#endif /* RB_MEM_FASTPATH_TRACED_H */
