/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <string.h>

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
wrap(const struct gather *g, int group)
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

/* Empty runs are not sent: all members know which ones are. */
static void
pass(const struct gather *g, enum coll_dir dir, int group)
{
	int i;

	group = wrap(g, group);
	for (i = 0; i < runs_of(g, group); i++) {
		struct run run = run_of(g, group, i);
		char *place = g->dest + run.at;
		const char *data = g->source != NULL && group == g->op->rank ? g->source : place;

		if (run.len == 0)
			continue;
		if (g->direct)
			coll_direct_send(g->op, dir, place, data, run.len);
		else
			coll_send(g->op, dir, data, run.len);
	}
}

static void
take(const struct gather *g, enum coll_dir dir, int group)
{
	int i;

	group = wrap(g, group);
	for (i = 0; i < runs_of(g, group); i++) {
		struct run run = run_of(g, group, i);

		if (run.len == 0)
			continue;
		if (g->direct) {
			coll_direct_receive(g->op, dir);
			continue;
		}
		memcpy(g->dest + run.at, coll_receive(g->op, dir), run.len);
		coll_release(g->op, dir);
	}
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
		pass(&g, COLL_UP, rank - (s - 1));
		if (s <= from_above)
			pass(&g, COLL_DOWN, rank + (s - 1));
		take(&g, COLL_UP, rank - s);
		if (s <= from_above)
			take(&g, COLL_DOWN, rank + s);
	}
}
