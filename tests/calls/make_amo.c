/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Making atomics, of one PE on a word or of many on the same one, and locks.
 */
#include "make.h"

static unsigned int
needs(int what)
{
	switch (what) {
	case A_FETCH:
	case A_SWAP:
	case A_SET:
		return HAS_AMO_EXT;
	case A_FAND:
	case A_FOR:
	case A_FXOR:
	case A_AND:
	case A_OR:
	case A_XOR:
		return HAS_BIT;
	default:
		return HAS_AMO;
	}
}

bool
make_amo(struct op *op)
{
	bool returns;
	int thread;

	pick_ctx(op);
	op->to = pick_target(op);
	op->what = (int)rnd(AMOS);
	returns = op->what < A_SET;
	op->type = type_with(needs(op->what));
	op->n = 1;
	op->nbi = returns && rnd_percent(40);
	op->old = (types[op->type].flags & HAS_OLD) && (needs(op->what) & HAS_BIT) == 0 &&
		  op->ctx == NO_CTX && !op->nbi && rnd_percent(30);
	op->value = rnd64() >> rnd(64);
	op->cond = rnd64(); /* for half of the swaps the reference knows a better one */
	if (!pick_words(&op->dst, 1, types[op->type].size) ||
	    !pick_place(&op->src, types[op->type].size, types[op->type].size, false))
		return false;
	thread = thread_of(op->pe, op->lane);
	want(&(struct claim){.pe = op->to,
			     .at = span_of(op->dst, types[op->type].size),
			     .write = true,
			     .put = !returns,
			     .by = thread,
			     .thread = thread,
			     .ctx = op->ctx,
			     .to = op->to,
			     .end = returns && !op->nbi ? DONE : QUIET});
	if (op->nbi)
		want(&(struct claim){.pe = op->pe,
				     .at = span_of(op->src, types[op->type].size),
				     .write = true,
				     .by = thread,
				     .thread = thread,
				     .ctx = op->ctx,
				     .to = op->to,
				     .end = QUIET});
	return want_end();
}

/* What nobody else may touch in this epoch. */
static bool
want_alone(const struct op *op, size_t len)
{
	want(&(struct claim){.pe = op->to,
			     .at = span_of(op->dst, len),
			     .write = true,
			     .by = -1,
			     .thread = -1,
			     .end = STICKY});
	return want_end();
}

/*
 * All threads of some PEs on one word: increments, or bits of which each call has its own (what is
 * A_INC, A_OR). from[pe] calls of each thread.
 */
bool
make_shared_amo(struct op *op)
{
	bool bits = rnd_percent(50);
	int pe, calls = 0, most;

	op->what = bits ? A_OR : A_INC;
	op->type = type_with(bits ? HAS_BIT : HAS_AMO);
	op->to = (int)rnd((size_t)world.npes);
	op->team = world.made.team[0];
	op->start = maker.epoch->lanes;
	most = bits ? 8 * (int)types[op->type].size : 1000;
	for (pe = 0; pe < world.npes; pe++) {
		op->from[pe] = (int)rnd(4);
		if (calls + op->from[pe] * LANES > most)
			op->from[pe] = 0;
		calls += op->from[pe] * LANES;
	}
	return pick_words(&op->dst, 1, types[op->type].size) &&
	       want_alone(op, types[op->type].size);
}

/* A record of n words that PEs count up under a lock, from[pe] times each. */
bool
make_lock(struct op *op)
{
	int pe;

	op->slot = (int)rnd(LOCKS / LANES) * LANES + op->lane;
	op->to = (int)rnd((size_t)world.npes);
	op->team = world.made.team[0];
	op->n = 1 + rnd(30);
	op->test = rnd_percent(30);
	for (pe = 0; pe < world.npes; pe++)
		op->from[pe] = rnd_percent(40) ? (int)rnd(3) : 0;
	return pick_place(&op->dst, op->n * 8, 8, true) && want_alone(op, op->n * 8);
}
