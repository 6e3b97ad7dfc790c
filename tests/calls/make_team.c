/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Making and ending teams, contexts, blocks of the heap.
 */

#include "make.h"

enum {
	LIVE = 14, /* teams at once, at most */
};

static int serial;

static int
free_slot(int after)
{
	int slot, live = 0;

	for (slot = 0; slot < TEAMS; slot++)
		live += world.made.team_live[slot];
	for (slot = after + 1; slot < TEAMS && live < LIVE; slot++)
		if (!world.made.team_live[slot])
			return slot;
	return -1;
}

static int
live_slot(void)
{
	int tries, slot;

	for (tries = 0; tries < 20; tries++) {
		slot = (int)rnd(TEAMS);
		if (world.made.team_live[slot])
			return slot;
	}
	return 0;
}

static void
add_team(int slot, const struct team *t)
{
	world.made.team_live[slot] = true;
	world.made.team[slot] = *t;
	world.made.team[slot].serial = ++serial;
}

struct team
split_child(const struct op *op)
{
	struct team child = {.serial = (int)op->key};

	while (child.n < (int)op->n) {
		child.pe[child.n] = op->team.pe[op->start + child.n * op->stride];
		child.n++;
	}
	return child;
}

int
split_columns(const struct op *op)
{
	return op->start < op->team.n ? op->start : op->team.n;
}

int
split_rows(const struct op *op)
{
	return (op->team.n + split_columns(op) - 1) / split_columns(op);
}

struct team
split_2d_child(const struct op *op, int i)
{
	int columns = split_columns(op), rows = split_rows(op), rank;
	struct team child = {.serial = (int)op->key + i};

	for (rank = 0; rank < op->team.n; rank++)
		if (i < rows ? rank / columns == i : rank % columns == i - rows)
			child.pe[child.n++] = op->team.pe[rank];
	return child;
}

/* start, stride, size (n) of the parent; cond: the split is not valid */
bool
make_split(struct op *op)
{
	struct team child;
	int most;

	op->parent = live_slot();
	op->team = world.made.team[op->parent];
	op->slot = free_slot(0);
	if (op->slot < 0)
		return false;
	op->start = (int)rnd((size_t)op->team.n);
	op->stride = 1 + (int)rnd(3);
	if (rnd_percent(30))
		op->stride = -op->stride;
	most = op->stride > 0 ? (op->team.n - 1 - op->start) / op->stride : op->start / -op->stride;
	op->n = rnd_percent(50) ? (size_t)most + 1 : 1 + rnd((size_t)most + 1);
	op->options = (long)rnd(3); /* contexts asked for, less one */
	op->cond = rnd_percent(5);
	op->key = (uint64_t)serial + 1;
	if (op->cond) {
		op->n = (size_t)op->team.n + 1;
		return true;
	}
	child = split_child(op);
	add_team(op->slot, &child);
	return true;
}

/* Row y becomes the team of slot from[y], column x that of slot from[rows + x]. */
bool
make_split_2d(struct op *op)
{
	int teams, i, slot = 0;

	op->parent = live_slot();
	op->team = world.made.team[op->parent];
	op->start = 1 + (int)rnd((size_t)op->team.n + 1);
	teams = split_rows(op) + split_columns(op);
	for (i = 0; i < teams; i++) {
		slot = free_slot(slot);
		if (slot < 0 || teams > LIVE / 2)
			return false;
		op->from[i] = slot;
	}
	op->key = (uint64_t)serial + 1; /* serial of the first one */
	for (i = 0; i < teams; i++) {
		struct team child = split_2d_child(op, i);

		add_team(op->from[i], &child);
	}
	return true;
}

bool
make_team_end(struct op *op)
{
	int pe, ctx;

	op->slot = live_slot();
	if (op->slot == 0)
		return false;
	for (pe = 0; pe < world.npes; pe++)
		for (ctx = 0; ctx < CTXS; ctx++)
			if (world.made.ctx[pe][ctx].serial != 0 &&
			    world.made.ctx[pe][ctx].team == op->slot)
				return false;
	op->team = world.made.team[op->slot];
	world.made.team_live[op->slot] = false;
	return true;
}

bool
make_ctx(struct op *op)
{
	static const long options[] = {0,
				       SHMEM_CTX_SERIALIZED,
				       SHMEM_CTX_NOSTORE,
				       SHMEM_CTX_SERIALIZED | SHMEM_CTX_NOSTORE,
				       SHMEM_CTX_PRIVATE,
				       SHMEM_CTX_PRIVATE | SHMEM_CTX_NOSTORE};
	struct ctx_state *state;

	op->pe = (int)rnd((size_t)world.npes);
	op->ctx = (int)rnd(CTXS);
	op->slot = rnd_percent(50) ? 0 : live_slot();
	op->team = world.made.team[op->slot];
	state = &world.made.ctx[op->pe][op->ctx];
	if (state->serial != 0 || team_rank(&op->team, op->pe) < 0)
		return false;
	/* a private one stays with the thread that makes it: the first */
	op->options = options[rnd(op->ctx % LANES == 0 ? 6 : 4)];
	op->plain = op->slot == 0 && rnd_percent(50);
	state->serial = op->ctx_serial = ++serial;
	state->team = op->slot;
	return true;
}

bool
make_ctx_end(struct op *op)
{
	struct ctx_state *state;

	op->pe = (int)rnd((size_t)world.npes);
	op->ctx = (int)rnd(CTXS);
	state = &world.made.ctx[op->pe][op->ctx];
	if (state->serial == 0)
		return false;
	op->ctx_serial = state->serial;
	state->serial = 0;
	plan_quiet(thread_of(op->pe, op->lane), op->ctx, NULL);
	return true;
}

/* Block `slot` comes, changes its size, goes. */
bool
make_heap(struct op *op)
{
	op->slot = (int)rnd(BLOCKS);
	op->lane = 0;
	op->team = world.made.team[0];
	op->n = 1 + rnd_length(MAX_BLOCK - 1);
	op->what = (int)rnd(4);		       /* malloc, calloc, align, with hints */
	op->bsize = sizeof(void *) << rnd(12); /* alignment */
	op->cond = world.made.block[op->slot]; /* former size */
	op->kind = K_ALLOC;
	if (op->cond != 0)
		op->kind = rnd_percent(50) ? K_REALLOC : K_FREE;
	world.made.block[op->slot] = op->kind == K_FREE ? 0 : op->n;
	return true;
}
