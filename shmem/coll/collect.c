/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <string.h>

#include "core/state.h"
#include "ring.h"

/*
 * Neighbour exchange: in step s every member passes what came from s - 1 groups below up and what
 * came from s - 1 groups above down, starting with the blocks of its own. Every link carries every
 * block once, half of them in either direction, and all links are busy all the time.
 */
struct gather {
	const struct coll_op *op;
	const struct coll_map *map;
	const struct coll_blocks *blocks;
	char *dest;
	const char *source; /* own block where it is not in dest yet; else NULL */
	bool direct;	    /* blocks go straight into the destination */
};

/** Blocks that lie together in the destination. */
struct run {
	size_t at, len;
};

static int
wrap_group(const struct gather *g, int group)
{
	return group < 0 ? group + g->op->n : group >= g->op->n ? group - g->op->n : group;
}

/* Runs of a group: all its blocks, or each. */
static int
runs_of(const struct gather *g, int group)
{
	return g->map->runs ? 1 : coll_group_size(g->map, group);
}

static struct run
run_of(const struct gather *g, int group, int i)
{
	const int *member = coll_members(g->map, group);
	int last = g->map->runs ? member[coll_group_size(g->map, group) - 1] : member[i];
	size_t at = coll_block_offset(g->blocks, member[i]);

	return (struct run){at, coll_block_offset(g->blocks, last) +
					coll_block_size(g->blocks, last) - at};
}

/** Runs of a group on their way to a neighbour, or from it. Empty ones do not travel: all members
 *  know which ones are. */
struct flow {
	int group, i, runs;
};

static void
skip_empty(const struct gather *g, struct flow *f)
{
	while (f->i < f->runs && run_of(g, f->group, f->i).len == 0)
		f->i++;
}

static struct flow
flow_of(const struct gather *g, int group)
{
	struct flow f = {.group = wrap_group(g, group)};

	f.runs = runs_of(g, f.group);
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
	run = run_of(g, f->group, f->i++);
	place = g->dest + run.at;
	data = g->source != NULL && f->group == g->op->rank ? g->source : place;
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
	run = run_of(g, f->group, f->i++);
	if (g->direct) {
		coll_direct_receive(g->op, dir);
	} else {
		memcpy(g->dest + run.at, coll_receive(g->op, dir), run.len);
		coll_release(g->op, dir);
	}
	skip_empty(g, f);
	return true;
}

/* Pass the groups of @p out on and take those of @p in, in the first @p dirs directions. What can
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
	int group, i;

	for (group = 0; group < g->op->n; group++)
		for (i = 0; i < runs_of(g, group); i++)
			if (run_of(g, group, i).len > COLL_CHUNK)
				return true;
	return false;
}

void
coll_ring_collect(const struct coll_op *op, const struct coll_map *map, void *dest,
		  const void *source, const struct coll_blocks *blocks)
{
	struct gather g = {op, map, blocks, dest, source, false};
	int n = op->n, rank = op->rank, s;
	int from_below = n / 2, from_above = n - 1 - from_below;

	g.direct = exceeds_buffers(&g);
	if (source != NULL)
		memcpy(g.dest + run_of(&g, rank, 0).at, source, run_of(&g, rank, 0).len);
	if (g.direct) {
		coll_ready(op, COLL_UP);
		if (from_above > 0)
			coll_ready(op, COLL_DOWN);
		coll_await_ready(op, COLL_UP);
		if (from_above > 0)
			coll_await_ready(op, COLL_DOWN);
	}
	for (s = 1; s <= from_below; s++) {
		struct flow out[COLL_DIRS] = {flow_of(&g, rank - s + 1), flow_of(&g, rank + s - 1)};
		struct flow in[COLL_DIRS] = {flow_of(&g, rank - s), flow_of(&g, rank + s)};

		exchange_runs(&g, out, in, s <= from_above ? COLL_DIRS : 1);
	}
}
