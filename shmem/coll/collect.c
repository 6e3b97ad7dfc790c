/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <stdlib.h>
#include <string.h>

#include "coll.h"

/*
 * Neighbour exchange: in step s every member passes the block that came from s - 1 ranks below up
 * and the one from s - 1 ranks above down, starting with its own. Every link carries every block
 * once, half of them in either direction, and all links are busy all the time.
 */
struct gather {
	const struct coll_op *op;
	char *dest;
	const char *source; /* own block */
	const size_t *size; /* of each block, NULL: all are of even */
	size_t even;
	size_t *offset; /* of each block, NULL where all are of even */
	bool direct;	/* blocks go straight into the destination */
};

static int
wrap(const struct gather *g, int rank)
{
	return rank < 0 ? rank + g->op->n : rank >= g->op->n ? rank - g->op->n : rank;
}

static size_t
size_of(const struct gather *g, int block)
{
	return g->size != NULL ? g->size[block] : g->even;
}

static char *
place_of(const struct gather *g, int block)
{
	return g->dest + (g->size != NULL ? g->offset[block] : (size_t)block * g->even);
}

/* Empty blocks are not sent: all members know which ones are. */
static void
pass(const struct gather *g, enum coll_dir dir, int rank)
{
	int block = wrap(g, rank);
	const char *data = block == g->op->rank ? g->source : place_of(g, block);

	if (size_of(g, block) == 0)
		return;
	if (g->direct)
		coll_direct_send(g->op, dir, place_of(g, block), data, size_of(g, block));
	else
		coll_send(g->op, dir, data, size_of(g, block));
}

static void
take(const struct gather *g, enum coll_dir dir, int rank)
{
	int block = wrap(g, rank);

	if (size_of(g, block) == 0)
		return;
	if (g->direct) {
		coll_direct_receive(g->op, dir);
		return;
	}
	memcpy(place_of(g, block), coll_receive(g->op, dir), size_of(g, block));
	coll_release(g->op, dir);
}

static void
exchange(const struct gather *g)
{
	int n = g->op->n, rank = g->op->rank, s;
	int from_below = n / 2, from_above = n - 1 - from_below;

	if (size_of(g, rank) != 0)
		memcpy(place_of(g, rank), g->source, size_of(g, rank));
	if (g->direct && from_below > 0) {
		coll_ready(g->op, COLL_UP);
		if (from_above > 0)
			coll_ready(g->op, COLL_DOWN);
		coll_await_ready(g->op, COLL_UP);
		if (from_above > 0)
			coll_await_ready(g->op, COLL_DOWN);
	}
	for (s = 1; s <= from_below; s++) {
		pass(g, COLL_UP, rank - (s - 1));
		if (s <= from_above)
			pass(g, COLL_DOWN, rank + (s - 1));
		take(g, COLL_UP, rank - s);
		if (s <= from_above)
			take(g, COLL_DOWN, rank + s);
	}
}

static void
collect_uneven(struct gather *g, size_t len)
{
	int n = g->op->n, i;
	size_t *table = malloc(2 * (size_t)n * sizeof(*table)), total = 0;
	struct gather sizes = {.op = g->op,
			       .dest = (char *)table,
			       .source = (const char *)&len,
			       .even = sizeof(len)};

	if (table == NULL)
		shmemi_fatal(g->op->call, "no memory for the sizes of %d blocks", n);
	exchange(&sizes);
	g->size = table;
	g->offset = table + n;
	for (i = 0; i < n; i++) {
		g->offset[i] = total;
		if (__builtin_add_overflow(total, table[i], &total))
			shmemi_fatal(g->op->call, "the blocks exceed memory at member %d", i);
		g->direct |= table[i] > COLL_CHUNK;
	}
	coll_check_dest(g->op, g->dest, total);
	exchange(g);
	free(table);
}

void
coll_collect(const struct coll_op *op, void *dest, const void *source, size_t len, bool exact)
{
	struct gather g = {.op = op, .dest = dest, .source = source};

	coll_enter(op, dest, exact ? len : 0, 0);
	if (exact) {
		g.even = len;
		g.direct = len > COLL_CHUNK;
		coll_check_dest(op, dest, len * (size_t)op->n);
		exchange(&g);
	} else {
		collect_uneven(&g, len);
	}
	coll_leave(op);
}
