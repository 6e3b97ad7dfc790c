/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <string.h>

#include "hosts.h"

/*
 * Two chains that start at the root and meet on the other side of the axis. Up to COLL_CHUNK bytes
 * go through the buffers of a stream. Larger data goes into the destination itself, once its owner
 * has entered, in pieces that are passed on while the next one comes: a chain then costs latency,
 * not bandwidth.
 */
struct chain {
	enum coll_dir dir;
	bool last; /* this member is the last one */
};

/* The members at distances 1..n/2 above the root stand in the upper chain, the rest below. */
static struct chain
find_chain(const struct coll_op *op, int root)
{
	int above = (op->rank - root + op->n) % op->n, upper = op->n / 2;
	struct chain c;

	c.dir = above <= upper ? COLL_UP : COLL_DOWN;
	c.last = above == upper || above == upper + 1;
	return c;
}

static size_t
piece_len(size_t len, size_t at, size_t most)
{
	return len - at < most ? len - at : most;
}

static void
from_root(const struct coll_op *op, void *dest, const void *source, size_t len)
{
	bool lower = op->n > 2; /* has a chain of its own */
	size_t at, most = coll_buffer_len(op);

	if (len <= COLL_CHUNK) {
		for (at = 0; at < len; at += most) {
			coll_send(op, COLL_UP, (const char *)source + at, piece_len(len, at, most));
			if (lower)
				coll_send(op, COLL_DOWN, (const char *)source + at,
					  piece_len(len, at, most));
		}
		return;
	}
	coll_await_ready(op, COLL_UP);
	if (lower)
		coll_await_ready(op, COLL_DOWN);
	for (at = 0; at < len; at += COLL_DIRECT) {
		const char *piece = (const char *)source + at;

		coll_direct_send(op, COLL_UP, (char *)dest + at, piece,
				 piece_len(len, at, COLL_DIRECT));
		if (lower)
			coll_direct_send(op, COLL_DOWN, (char *)dest + at, piece,
					 piece_len(len, at, COLL_DIRECT));
	}
}

static void
take_piece(const struct coll_op *op, const struct chain *c, char *dest, size_t len)
{
	const void *data = coll_receive(op, c->dir);

	if (!c->last)
		coll_send(op, c->dir, data, len);
	memcpy(dest, data, len);
	coll_release(op, c->dir);
}

static void
along_chain(const struct coll_op *op, const struct chain *c, char *dest, size_t len)
{
	size_t at, most = coll_buffer_len(op);

	if (len <= COLL_CHUNK) {
		for (at = 0; at < len; at += most)
			take_piece(op, c, dest + at, piece_len(len, at, most));
		return;
	}
	coll_ready(op, c->dir);
	if (!c->last)
		coll_await_ready(op, c->dir);
	for (at = 0; at < len; at += COLL_DIRECT) {
		coll_direct_receive(op, c->dir);
		if (!c->last)
			coll_direct_send(op, c->dir, dest + at, dest + at,
					 piece_len(len, at, COLL_DIRECT));
	}
}

static void
broadcast_axis(const struct coll_op *op, void *dest, const void *source, size_t len, int root)
{
	struct chain c;

	if (op->rank == root) {
		from_root(op, dest, source, len);
		return;
	}
	c = find_chain(op, root);
	along_chain(op, &c, dest, len);
}

/* The root's own copy of dest is left to the caller: the active-set form must not write it. */
void
coll_hosts_broadcast(const struct coll_op *op, const struct coll_map *map, void *dest,
		     const void *source, size_t len, int from)
{
	bool chain = coll_choose(COLL_WORK_BROADCAST, map, len) == COLL_WAY_CHAIN;
	struct coll_op row = coll_row(op, map), column = coll_column(op, map);
	int at = map->grid.places[from];

	if (chain && column.n > 1) {
		row = coll_leaders(op, map);
		broadcast_axis(&row, dest, source, len, from);
		return;
	}
	if (column.rank == at / row.n) /* in the row of the root */
		broadcast_axis(&row, dest, source, len, at % row.n);
	if (column.n > 1)
		broadcast_axis(&column, dest, map->mine == from ? source : dest, len, at / row.n);
}
