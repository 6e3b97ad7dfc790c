/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <string.h>

#include "plan.h"

enum {
	THREADS = MAX_PES * LANES,
	CLAIMS = 1 << 15,
};

static struct {
	uint32_t clock[THREADS][THREADS]; /* [t][u]: what t knows of u */
	struct claim claim[CLAIMS];
	int n, fresh; /* those from fresh on are of the call being made */
	int op, lane;
	bool full;
} plan;

void
plan_begin(void)
{
	memset(plan.clock, 0, sizeof(plan.clock));
	plan.n = 0;
}

void
want_begin(int op, int lane)
{
	plan.fresh = plan.n;
	plan.op = op;
	plan.lane = lane;
	plan.full = false;
}

void
want(const struct claim *c)
{
	struct claim *mine;

	if (plan.n == CLAIMS) {
		plan.full = true;
		return;
	}
	if (c->at.len == 0 || c->at.count == 0)
		return;
	mine = &plan.claim[plan.n++];
	*mine = *c;
	mine->op = plan.op;
	mine->done = 0;
	mine->fenced = false;
}

static bool
overlap(const struct span *a, const struct span *b)
{
	size_t a_end = a->at.off + span_reach(a), b_end = b->at.off + span_reach(b), shift;

	if (a->at.region != b->at.region || a_end <= b->at.off || b_end <= a->at.off)
		return false;
	if (a->count < 2 || b->count < 2 || a->stride != b->stride)
		return true; /* blocks of one in gaps of another: not made use of */
	shift = (b->at.off + a->stride - a->at.off % a->stride) % a->stride;
	return shift < a->len || shift + b->len > a->stride;
}

static bool
known(const struct claim *c, int thread)
{
	return c->done != 0 && c->thread >= 0 && plan.clock[thread][c->thread] >= c->done;
}

/* Is @p old ordered before what @p later is about to do? */
static bool
ordered(const struct claim *old, const struct claim *later)
{
	int i;

	if (later->before != NULL) {
		for (i = 0; i < later->before->n; i++)
			if (!known(old, thread_of(later->before->pe[i], plan.lane)))
				return false;
	}
	if (later->thread < 0)
		return false;
	if (known(old, later->by))
		return true;
	return later->before == NULL && old->fenced && old->put && later->put &&
	       old->thread == later->by && old->ctx == later->ctx;
}

static bool
clash(const struct claim *a, const struct claim *b)
{
	return a->pe == b->pe && (a->write || b->write) && overlap(&a->at, &b->at);
}

bool
want_end(void)
{
	int i, j;

	for (i = plan.fresh; i < plan.n && !plan.full; i++)
		for (j = 0; j < i; j++)
			if (clash(&plan.claim[j], &plan.claim[i]) &&
			    (j >= plan.fresh || !ordered(&plan.claim[j], &plan.claim[i])))
				plan.full = true;
	if (plan.full) {
		plan.n = plan.fresh;
		return false;
	}
	for (i = plan.fresh; i < plan.n; i++) {
		struct claim *c = &plan.claim[i];

		c->before = NULL;
		if (c->end == DONE)
			c->done = ++plan.clock[c->thread][c->thread];
	}
	return true;
}

void
plan_fence(int thread, int ctx)
{
	int i;

	for (i = 0; i < plan.n; i++)
		if (plan.claim[i].thread == thread && plan.claim[i].ctx == ctx)
			plan.claim[i].fenced = true;
}

void
plan_quiet(int thread, int ctx, const struct team *targets)
{
	int i;

	for (i = 0; i < plan.n; i++) {
		struct claim *c = &plan.claim[i];

		if (c->thread == thread && c->ctx == ctx && c->end == QUIET && c->done == 0 &&
		    (targets == NULL || team_rank(targets, c->to) >= 0))
			c->done = ++plan.clock[thread][thread];
	}
}

void
plan_tell(int from, int to)
{
	int i;

	for (i = 0; i < THREADS; i++)
		if (plan.clock[from][i] > plan.clock[to][i])
			plan.clock[to][i] = plan.clock[from][i];
}
