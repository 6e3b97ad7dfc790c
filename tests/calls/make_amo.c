/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Making atomics, of one PE on a word or of many on the same one, and locks.
 */
#include <stdio.h>

#include "call.h"
#include "make.h"

bool
make_amo(struct op *op)
{
	const char *const *names;
	bool returns;
	struct claim c;
	size_t size;
	char name[32];

	pick_ctx(op);
	op->to = pick_target(op);
	op->what = (int)rnd(AMOS);
	names = amo_names[op->what];
	returns = op->what < A_SET;
	snprintf(name, sizeof(name), "atomic_%s", names[0]);
	op->type = call_type(name);
	size = types[op->type].size;
	op->n = 1;
	op->nbi = returns && rnd_percent(40);
	op->old = names[1] != NULL && call_has(op->type, "finc") && op->ctx == NO_CTX && !op->nbi &&
		  rnd_percent(30);
	op->value = rnd64() >> rnd(64);
	op->cond = rnd64(); /* for half of the swaps the reference knows a better one */
	if (!pick_words(&op->dst, 1, size) || !pick_place(&op->src, size, size, false))
		return false;
	c = claim_of(op, op->to, span_of(op->dst, size));
	c.write = true;
	c.put = !returns;
	c.end = returns && !op->nbi ? DONE : QUIET;
	want(&c);
	c = claim_of(op, op->pe, span_of(op->src, size));
	c.write = true;
	c.end = QUIET;
	if (op->nbi)
		want(&c);
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
	op->type = call_type(bits ? "atomic_fetch_or" : "atomic_fetch_inc");
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
