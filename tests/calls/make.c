/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Making an epoch: which kinds of calls, and how many.
 */
#include <string.h>

#include "make.h"

struct maker maker;

static int
pick_kind(const unsigned int *taste, size_t sum)
{
	size_t dice = rnd(sum);
	int kind = 0;

	while (dice >= taste[kind])
		dice -= taste[kind++];
	return kind;
}

/* A kind that is left to chance: transfers and atomics, collectives, or a bit of all. */
static size_t
pick_taste(unsigned int *taste, bool threads)
{
	size_t sum = 0;
	int kind;

	for (kind = 0; kind < KINDS; kind++) {
		taste[kind] = kinds[kind].weight * (unsigned int)(rnd_percent(30) ? 5 : 1 + rnd(2));
		/* What one thread makes, another may use only after they have met. */
		if (threads && kind >= K_SPLIT)
			taste[kind] = 0;
		sum += taste[kind];
	}
	return sum;
}

static bool
make_op(struct epoch *e, int kind)
{
	struct op *op = &e->op[e->n];

	memset(op, 0, sizeof(*op));
	op->id = e->n;
	op->kind = kind;
	op->key = rnd64();
	op->lane = (int)rnd((size_t)e->lanes);
	op->ctx = NO_CTX;
	want_begin(op->id, op->lane);
	if (!kinds[kind].make(op))
		return false;
	e->n++;
	return true;
}

void
make_epoch(struct epoch *e, int number)
{
	unsigned int taste[KINDS];
	size_t sum;
	int tries, want;

	rnd_seed(hash64(world.seed, (uint64_t)number));
	plan_begin();
	e->number = number;
	e->n = 0;
	e->lanes = world.threads && rnd_percent(40) ? LANES : 1;
	e->end = (int)rnd(3);
	maker.epoch = e;
	maker.bytes = (size_t)24 << 20;
	for (tries = (int)rnd(3); tries > 0; tries--)
		(void)make_op(e, K_ALLOC);
	memcpy(e->block, world.made.block, sizeof(e->block));
	sum = pick_taste(taste, e->lanes > 1);
	want = 8 + (int)rnd(OPS - 8);
	for (tries = 2 * want; tries > 0 && e->n < want; tries--)
		(void)make_op(e, pick_kind(taste, sum));
}

void
pick_ctx(struct op *op)
{
	const struct ctx_state *state;
	int lanes = maker.epoch->lanes, slot;

	op->pe = (int)rnd((size_t)world.npes);
	op->ctx = NO_CTX;
	op->team = world.made.team[0];
	op->plain = rnd_percent(70);
	slot = (int)rnd(CTXS);
	state = &world.made.ctx[op->pe][slot];
	if (state->serial == 0 || rnd_percent(40) || (lanes > 1 && slot % LANES != op->lane))
		return;
	op->ctx = slot;
	op->ctx_serial = state->serial;
	op->team = world.made.team[state->team];
	op->plain = false;
}

int
pick_target(const struct op *op)
{
	return op->team.pe[rnd((size_t)op->team.n)];
}

bool
pick_place(struct place *at, size_t bytes, size_t align, bool symmetric)
{
	static const int regions[] = {R_HEAP, R_HEAP, R_STATIC, R_PRIVATE, R_BLOCK};
	int tries, region;
	size_t room;

	if (align < 1)
		align = 1;
	for (tries = 0; tries < 8; tries++) {
		region = regions[rnd(5)];
		if (symmetric && region == R_PRIVATE)
			continue;
		if (region == R_BLOCK)
			region += (int)rnd(BLOCKS);
		room = region >= R_BLOCK ? world.made.block[region - R_BLOCK] : world.room[region];
		if (room < bytes || room == 0)
			continue;
		at->region = region;
		at->off = rnd(room - bytes + 1);
		/* ends of regions are where neighbours begin */
		if (rnd_percent(5))
			at->off = rnd_percent(50) ? 0 : room - bytes;
		at->off -= at->off % align;
		return true;
	}
	return false;
}

bool
pick_words(struct place *at, size_t words, size_t size)
{
	return pick_place(at, words * size, size, true);
}

size_t
pick_bytes(void)
{
	size_t max = world.room[R_HEAP] / 2, n;

	if (max > maker.bytes)
		max = maker.bytes;
	n = rnd_length(max);
	maker.bytes -= n;
	return n;
}
