/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <string.h>

#include "core/state.h"
#include "hosts.h"

/*
 * Neighbour exchange: in step s every member of an axis passes what came from s - 1 members below
 * up and what came from s - 1 above down, starting with the blocks of its own. Every link carries
 * every block once, half of them in either direction, and all links are busy all the time.
 */
struct gather {
	const struct coll_op *op; /* on an axis */
	const struct coll_map *map;
	int first, width; /* place of the first member's groups, and how many each has */
	const struct coll_blocks *blocks;
	char *dest;
	const char *source; /* own block where it is not in dest yet; else NULL */
	bool direct;	    /* blocks go straight into the destination */
};

/** Blocks that lie together in the destination. */
struct run {
	size_t at, len;
};

/* The group of index @p i among those of a member of the axis. */
static int
group_of(const struct gather *g, int rank, int i)
{
	return g->map->grid.order[g->first + rank * g->width + i];
}

/* Do the blocks of a member's groups lie in one piece? */
static bool
in_one(const struct gather *g)
{
	return g->map->runs && (g->width == 1 || g->map->grid.sorted);
}

/* Runs of a member: all its blocks, or each. */
static int
runs_of(const struct gather *g, int rank)
{
	int i, n = 0;

	if (in_one(g))
		return 1;
	for (i = 0; i < g->width; i++)
		n += coll_group_size(g->map, group_of(g, rank, i));
	return n;
}

static struct run
run_of(const struct gather *g, int rank, int i)
{
	int group = group_of(g, rank, 0), upto = group_of(g, rank, g->width - 1), k, first, last;
	size_t at;

	if (in_one(g)) {
		first = *coll_members(g->map, group);
		last = coll_members(g->map, upto)[coll_group_size(g->map, upto) - 1];
	} else {
		for (k = 1; i >= coll_group_size(g->map, group); k++) {
			i -= coll_group_size(g->map, group);
			group = group_of(g, rank, k);
		}
		first = last = coll_members(g->map, group)[i];
	}
	at = coll_block_offset(g->blocks, first);
	return (struct run){at, coll_block_offset(g->blocks, last) +
					coll_block_size(g->blocks, last) - at};
}

/** Runs of a member on their way to a neighbour, or from it. Empty ones do not travel: all members
 *  know which ones are. */
struct flow {
	int rank, i, runs;
};

static void
skip_empty(const struct gather *g, struct flow *f)
{
	while (f->i < f->runs && run_of(g, f->rank, f->i).len == 0)
		f->i++;
}

static struct flow
flow_of(const struct gather *g, int rank)
{
	struct flow f = {.rank = coll_wrap(g->op, rank)};

	f.runs = runs_of(g, f.rank);
	skip_empty(g, &f);
	return f;
}

/* @return whether a run was passed on */
static bool
pass_run(const struct gather *g, enum coll_dir dir, struct flow *f)
{
	struct run run;
	char *place;
	const char *data;

	if (f->i == f->runs || (!g->direct && !coll_may_send(g->op, dir)))
		return false;
	run = run_of(g, f->rank, f->i++);
	place = g->dest + run.at;
	data = g->source != NULL && f->rank == g->op->rank ? g->source : place;
	if (g->direct)
		coll_direct_send(g->op, dir, place, data, run.len);
	else
		coll_send(g->op, dir, data, run.len);
	skip_empty(g, f);
	return true;
}

/* @return whether a run was taken */
static bool
take_run(const struct gather *g, enum coll_dir dir, struct flow *f)
{
	struct run run;

	if (f->i == f->runs ||
	    !(g->direct ? coll_direct_arrived(g->op, dir) : coll_arrived(g->op, dir)))
		return false;
	run = run_of(g, f->rank, f->i++);
	if (g->direct) {
		coll_direct_receive(g->op, dir);
	} else {
		memcpy(g->dest + run.at, coll_receive(g->op, dir), run.len);
		coll_release(g->op, dir);
	}
	skip_empty(g, f);
	return true;
}

/* Pass the runs of @p out on and take those of @p in, in the first @p dirs directions. What can
 * go on does: this member takes even while its own sends wait for buffers (coll_send()). */
static void
exchange_runs(const struct gather *g, struct flow *out, struct flow *in, int dirs)
{
	struct rb_wait wait = {.leaves = true};
	bool left, gone;
	int dir;

	do {
		left = false;
		gone = false;
		for (dir = 0; dir < dirs; dir++)
			gone |= pass_run(g, (enum coll_dir)dir, &out[dir]);
		for (dir = 0; dir < dirs; dir++) {
			gone |= take_run(g, (enum coll_dir)dir, &in[dir]);
			left |= out[dir].i < out[dir].runs || in[dir].i < in[dir].runs;
		}
		if (gone) {
			rb_wait_end(&wait);
			wait = (struct rb_wait){.leaves = true};
		} else if (left) {
			rb_wait_turn(&wait);
		}
	} while (left);
}

static bool
exceeds_buffers(const struct gather *g)
{
	int rank, i;

	for (rank = 0; rank < g->op->n; rank++)
		for (i = 0; i < runs_of(g, rank); i++)
			if (run_of(g, rank, i).len > coll_buffer_len(g->op))
				return true;
	return false;
}

static void
collect_axis(struct gather *g)
{
	const struct coll_op *op = g->op;
	int n = op->n, rank = op->rank, s;
	int from_below = n / 2, from_above = n - 1 - from_below;

	g->direct = exceeds_buffers(g);
	if (g->direct) {
		coll_ready(op, COLL_UP);
		if (from_above > 0)
			coll_ready(op, COLL_DOWN);
		coll_await_ready(op, COLL_UP);
		if (from_above > 0)
			coll_await_ready(op, COLL_DOWN);
	}
	for (s = 1; s <= from_below; s++) {
		struct flow out[COLL_DIRS] = {flow_of(g, rank - s + 1), flow_of(g, rank + s - 1)};
		struct flow in[COLL_DIRS] = {flow_of(g, rank - s), flow_of(g, rank + s)};

		exchange_runs(g, out, in, s <= from_above ? COLL_DIRS : 1);
	}
}

/* Each gets the blocks of its row, and then those of all rows. */
void
coll_hosts_collect(const struct coll_op *op, const struct coll_map *map, void *dest,
		   const void *source, const struct coll_blocks *blocks)
{
	struct coll_op row = coll_row(op, map), column = coll_column(op, map);
	struct gather g = {&row, map, column.rank * row.n, 1, blocks, dest, source, false};

	if (source != NULL)
		memcpy(g.dest + run_of(&g, row.rank, 0).at, source, run_of(&g, row.rank, 0).len);
	collect_axis(&g);
	if (column.n == 1)
		return;
	g = (struct gather){&column, map, 0, row.n, blocks, dest, NULL, false};
	collect_axis(&g);
}
