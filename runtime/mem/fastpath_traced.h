/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_MEM_FASTPATH_TRACED_H
#define RB_MEM_FASTPATH_TRACED_H

/**
 * @file
 * Part of rb.h: the fast path (mem/fastpath.h) of a job that is counted or traced. It is a path of
 * its own, so that the normal one needs no "is tracing on?" test. One more call shows in the time
 * of a 4 KiB put, so the most frequent case of a trace is handled inline: the operation extends the
 * run of its thread.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mem/fastpath.h"
#include "observe/run.h"
#include "observe/trace_file.h"

/** Are operations counted or traced? Constant after rb_open(). */
bool rb_traced(void);

/** Put to PE @p pe or get from it within plain memory; counted and traced, as the job asks. */
void rb_traced_copy(enum rb_trace_kind kind, int pe, void *dst, const void *src, size_t len);

/** As rb_fast_at(), but with a branch that tries the heap first: the address is known sooner, which
 *  matters more here than the branch. */
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
