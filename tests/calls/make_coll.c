/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Making collectives, on teams and on active sets.
 */
#include "call.h"
#include "coll.h"
#include "make.h"

/* A team of this lane: one that two threads use at once is against the rules. */
static bool
pick_team(struct op *op)
{
	int lanes = maker.epoch->lanes, tries;

	for (tries = 0; tries < 20; tries++) {
		op->slot = rnd_percent(30) ? 0 : (int)rnd(TEAMS);
		if (world.made.team_live[op->slot] &&
		    (lanes == 1 || op->slot % LANES == op->lane)) {
			op->team = world.made.team[op->slot];
			return true;
		}
	}
	return false;
}

/* start, stride (its logarithm), size */
static bool
pick_aset(struct op *op)
{
	int most, i;

	op->aset = true;
	op->start = (int)rnd((size_t)world.npes);
	op->stride = (int)rnd(3);
	most = 1 + (world.npes - 1 - op->start) / (1 << op->stride);
	op->team.n = rnd_percent(50) ? most : 1 + (int)rnd((size_t)most);
	for (i = 0; i < op->team.n; i++)
		op->team.pe[i] = op->start + (i << op->stride);
	op->psync = (int)rnd(PSYNCS);
	return true;
}

static void
want_psync(const struct op *op)
{
	struct place at = {R_PSYNC, (size_t)op->psync * SHMEM_SYNC_SIZE * sizeof(long)};
	int i;

	for (i = 0; op->aset && i < op->team.n; i++) {
		int thread = thread_of(op->team.pe[i], op->lane);

		want(&(struct claim){.pe = op->team.pe[i],
				     .at = span_of(at, SHMEM_SYNC_SIZE * sizeof(long)),
				     .write = true,
				     .by = thread,
				     .thread = thread,
				     .before = &op->team});
	}
}

bool
make_sync(struct op *op)
{
	int i, j;

	op->what = (int)rnd(SYNCS);
	op->vector = maker.epoch->lanes > 1;
	if (op->what == S_ASET || op->what == S_ASET_BARRIER) {
		(void)pick_aset(op);
	} else if (op->what != S_TEAM && op->lane == 0) {
		op->team = world.made.team[0];
	} else {
		op->what = S_TEAM;
		if (!pick_team(op))
			return false;
	}
	want_psync(op);
	if (!want_end())
		return false;
	for (i = 0; i < op->team.n; i++) {
		int ctx, thread = thread_of(op->team.pe[i], op->lane);

		plan_quiet(thread, NO_CTX, NULL);
		for (ctx = 0; ctx < CTXS; ctx++)
			if (maker.epoch->lanes == 1 || ctx % LANES == op->lane)
				plan_quiet(thread, ctx, NULL);
	}
	for (i = 0; i < op->team.n; i++)
		for (j = 0; j < op->team.n; j++)
			plan_tell(thread_of(op->team.pe[i], op->lane),
				  thread_of(op->team.pe[j], op->lane));
	return true;
}

static void
pick_coll_type(struct op *op)
{
	char name[COLL_NAME];

	if (op->what >= C_AND)
		op->type = call_type(coll_name(op, name));
	else if (op->aset)
		op->type = T_SIZED + 2 + (int)rnd(2);
	else
		op->type = rnd_percent(30) ? T_MEM : (int)rnd(T_RMA);
}

static void
want_member(const struct op *op, int rank)
{
	int thread = thread_of(op->team.pe[rank], op->lane);
	struct claim c = {.pe = op->team.pe[rank],
			  .at = coll_dst(op, rank),
			  .write = true,
			  .by = thread,
			  .thread = thread,
			  .before = &op->team};

	want(&c);
	if (op->in_place || (op->what == C_BROADCAST && rank != op->third))
		return;
	c.at = coll_src(op, rank);
	c.write = op->fresh;
	c.before = NULL;
	want(&c);
}

/* The largest block of any member decides what has to fit. */
static bool
pick_blocks(struct op *op)
{
	size_t dst = 0, src = 0, align = op->type == T_MEM ? 1 : types[op->type].size;
	int rank;

	for (rank = 0; rank < op->team.n; rank++) {
		struct span d = coll_dst(op, rank), s = coll_src(op, rank);

		dst = span_reach(&d) > dst ? span_reach(&d) : dst;
		src = span_reach(&s) > src ? span_reach(&s) : src;
	}
	if (!pick_place(&op->dst, dst, align, true))
		return false;
	op->src = op->dst;
	return op->in_place || pick_place(&op->src, src, align, true);
}

bool
make_coll(struct op *op)
{
	size_t bytes;
	int rank;

	op->what = (int)rnd(COLLS);
	if (op->what < C_INSCAN && rnd_percent(25))
		(void)pick_aset(op);
	else if (!pick_team(op))
		return false;
	pick_coll_type(op);
	bytes = rnd_length(world.room[R_HEAP] / (rnd_percent(80) ? 32 : 3));
	op->dst_stride = op->src_stride = 1;
	if (op->what == C_ALLTOALLS) {
		op->dst_stride = (ptrdiff_t)(1 + rnd_length(5));
		op->src_stride = (ptrdiff_t)(1 + rnd_length(5));
		bytes /= 3;
	}
	if (op->what == C_COLLECT || op->what == C_FCOLLECT || op->what == C_ALLTOALL ||
	    op->what == C_ALLTOALLS)
		bytes /= (size_t)op->team.n;
	op->n = bytes / types[op->type].size;
	if (bytes * (size_t)op->team.n * (size_t)op->team.n > maker.bytes)
		return false;
	op->fresh = op->what >= C_AND || rnd_percent(60);
	op->in_place = op->what >= C_AND && !op->aset && rnd_percent(20);
	if (op->what == C_BROADCAST)
		op->third = (int)rnd((size_t)op->team.n); /* the root, a rank */
	if (!pick_blocks(op))
		return false;
	for (rank = 0; rank < op->team.n; rank++)
		want_member(op, rank);
	want_psync(op);
	if (!want_end())
		return false;
	maker.bytes -= bytes * (size_t)op->team.n;
	return true;
}
