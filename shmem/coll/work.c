/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <string.h>

#include "core/check.h"
#include "check.h"
#include "coll.h"
#include "enter.h"
#include "work.h"

static void
run_sync(const struct coll_op *op, const struct coll_work *w)
{
	(void)w;
	coll_sync(op);
}

static void
run_barrier(const struct coll_op *op, const struct coll_work *w)
{
	(void)w;
	shmemi_check_quiet(rb_ctx_default);
	rb_quiet(rb_ctx_default);
	coll_sync(op);
}

static void
run_broadcast_rest(const struct coll_op *op, const struct coll_work *w)
{
	coll_broadcast(op, w->dest, w->source, w->len, w->root);
}

static void
run_broadcast(const struct coll_op *op, const struct coll_work *w)
{
	run_broadcast_rest(op, w);
	if (op->rank == w->root && w->len != 0 && w->dest != w->source)
		memcpy(w->dest, w->source, w->len);
}

static void
run_collect(const struct coll_op *op, const struct coll_work *w)
{
	coll_collect(op, w->dest, w->source, w->len, w->kind == COLL_WORK_FCOLLECT);
}

static void
run_alltoalls(const struct coll_op *op, const struct coll_work *w)
{
	coll_alltoalls(op, w->dest, w->source, &w->shape);
}

static void
run_reduce(const struct coll_op *op, const struct coll_work *w)
{
	coll_reduce(op, w->dest, w->source, w->len, &w->what);
}

static void
run_scan(const struct coll_op *op, const struct coll_work *w)
{
	coll_scan(op, w->dest, w->source, w->len, &w->what, w->chain);
}

static const struct {
	void (*enter)(const struct coll_op *op, const struct coll_work *w);
	void (*run)(const struct coll_op *op, const struct coll_work *w);
} kinds[] = {
	[COLL_WORK_SYNC] = {coll_enter_sync, run_sync},
	[COLL_WORK_BARRIER] = {coll_enter_sync, run_barrier},
	[COLL_WORK_BROADCAST] = {coll_enter_broadcast, run_broadcast},
	[COLL_WORK_BROADCAST_REST] = {coll_enter_broadcast, run_broadcast_rest},
	[COLL_WORK_COLLECT] = {coll_enter_collect, run_collect},
	[COLL_WORK_FCOLLECT] = {coll_enter_collect, run_collect},
	[COLL_WORK_ALLTOALLS] = {coll_enter_alltoalls, run_alltoalls},
	[COLL_WORK_REDUCE] = {coll_enter_fold, run_reduce},
	[COLL_WORK_SCAN] = {coll_enter_fold, run_scan},
};

void
coll_work_run(const struct coll_op *op, const struct coll_work *w)
{
	kinds[w->kind].enter(op, w);
	kinds[w->kind].run(op, w);
	coll_leave(op);
}

int
coll_work_on(const char *call, shmem_team_t team, const struct coll_work *w)
{
	struct coll_op op;

	if (!coll_begin(&op, call, team))
		return -1;
	coll_work_run(&op, w);
	return 0;
}

size_t
coll_work_bytes(const struct coll_work *w, int n)
{
	size_t each = w->len, bytes;

	if (w->kind == COLL_WORK_REDUCE || w->kind == COLL_WORK_SCAN)
		return __builtin_mul_overflow(each, w->what.size, &bytes) ? SIZE_MAX : bytes;
	if (w->kind == COLL_WORK_BROADCAST || w->kind == COLL_WORK_BROADCAST_REST)
		return each;
	if (w->kind == COLL_WORK_ALLTOALLS &&
	    __builtin_mul_overflow(w->shape.nelems, w->shape.size, &each))
		return SIZE_MAX;
	return __builtin_mul_overflow(each, (size_t)n, &bytes) ? SIZE_MAX : bytes;
}
