/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "call.h"
#include "work.h"

int
coll_work_run(const struct coll_op *op, const struct coll_work *w)
{
	switch (w->kind) {
	case COLL_WORK_BARRIER:
		rb_quiet(rb_ctx_default);
		return coll_call_sync_posted(op);
	case COLL_WORK_BROADCAST:
		return coll_call_broadcast_to_all(op, w->dest, w->source, w->len, w->root);
	case COLL_WORK_COLLECT:
	case COLL_WORK_FCOLLECT:
		return coll_call_collect(op, w->dest, w->source, w->len,
					 w->kind == COLL_WORK_FCOLLECT);
	case COLL_WORK_ALLTOALLS:
		return coll_call_alltoalls(op, w->dest, w->source, &w->shape);
	case COLL_WORK_REDUCE:
		return coll_call_reduce(op, w->dest, w->source, w->len, &w->what);
	case COLL_WORK_SCAN:
		return coll_call_scan(op, w->dest, w->source, w->len, &w->what, w->chain);
	default:
		return coll_call_sync_posted(op);
	}
}

size_t
coll_work_bytes(const struct coll_work *w, int n)
{
	size_t each = w->len, bytes;

	if (w->kind == COLL_WORK_REDUCE || w->kind == COLL_WORK_SCAN)
		return __builtin_mul_overflow(each, w->what.size, &bytes) ? SIZE_MAX : bytes;
	if (w->kind == COLL_WORK_BROADCAST)
		return each;
	if (w->kind == COLL_WORK_ALLTOALLS &&
	    __builtin_mul_overflow(w->shape.nelems, w->shape.size, &each))
		return SIZE_MAX;
	return __builtin_mul_overflow(each, (size_t)n, &bytes) ? SIZE_MAX : bytes;
}
