/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <stdbool.h>
#include <string.h>

#include "hosts.h"

/*
 * Partial results move in chunks from both ends of the team to the rank in the middle, and results
 * from there back to the ends: as many hops as are between the farthest members, and each link
 * carries the data once in each direction. One member computes each result element, in rank order
 * within either half, so all members get the same bits.
 *
 * A member runs ahead of the results by a window of chunks. All have the same window, hence no
 * deadlock: where a member waits for a chunk from outside that the outer one holds back until it
 * has a result, its own window is full too and it passes the result on first. Results go straight
 * into the destination of the next member: having sent its part of the chunk, it has entered the
 * collective and, in place or not, is done with that part of its source. Where it is private, they
 * go through buffers, and the window is what these hold (coll_send()).
 */
enum {
	/* buffers of a way that one can count on; stream.c */
	AHEAD = COLL_DEPTH - (COLL_DEPTH / 2 - 1)
};

struct reduction {
	const struct coll_op *op;
	const struct coll_reduction *what;
	char *dest;
	const char *source;
	size_t len;   /* bytes */
	size_t chunk; /* bytes of a chunk */
	int middle;
};

static size_t
chunk_len(const struct reduction *r, size_t k)
{
	size_t left = r->len - k * r->chunk;

	return left < r->chunk ? left : r->chunk;
}

static void
send_result(const struct reduction *r, enum coll_dir dir, size_t k)
{
	char *chunk = r->dest + k * r->chunk;

	if (r->what->local)
		coll_send(r->op, dir, chunk, chunk_len(r, k));
	else
		coll_direct_send(r->op, dir, chunk, chunk, chunk_len(r, k));
}

/* Take a member's part in chunk @p k; lower ranks stand on the left of the operator. */
static void
step_in(const struct reduction *r, size_t k)
{
	const char *own = r->source + k * r->chunk;
	size_t len = chunk_len(r, k), n = len / r->what->size;
	int rank = r->op->rank;
	enum coll_dir dir = rank < r->middle ? COLL_UP : COLL_DOWN;
	char *partial;

	if (rank == 0 || rank == r->op->n - 1) {
		coll_send(r->op, dir, own, len);
		return;
	}
	partial = coll_receive(r->op, dir);
	if (dir == COLL_UP)
		r->what->combine(partial, partial, own, n);
	else
		r->what->combine(partial, own, partial, n);
	coll_send(r->op, dir, partial, len);
	coll_release(r->op, dir);
}

static void
step_out(const struct reduction *r, size_t k)
{
	int rank = r->op->rank;
	enum coll_dir dir = rank < r->middle ? COLL_DOWN : COLL_UP;

	if (r->what->local) {
		memcpy(r->dest + k * r->chunk, coll_receive(r->op, dir), chunk_len(r, k));
		coll_release(r->op, dir);
	} else {
		coll_direct_receive(r->op, dir);
	}
	if (rank != 0 && rank != r->op->n - 1)
		send_result(r, dir, k);
}

/* The middle of three or more. */
static void
step_middle(const struct reduction *r, size_t k)
{
	const char *own = r->source + k * r->chunk;
	char *dest = r->dest + k * r->chunk;
	size_t len = chunk_len(r, k), n = len / r->what->size;
	char *low = coll_receive(r->op, COLL_UP), *high;

	r->what->combine(low, low, own, n);
	high = coll_receive(r->op, COLL_DOWN);
	r->what->combine(dest, low, high, n);
	coll_release(r->op, COLL_DOWN);
	send_result(r, COLL_UP, k);
	coll_release(r->op, COLL_UP);
	send_result(r, COLL_DOWN, k);
}

/*
 * Little data: all members get what all have, by neighbour exchange as in a collect, and each folds
 * it. That takes half as many hops as to the middle and back.
 */
static void
fold_all(const struct reduction *r)
{
	uint8_t table[COLL_FEW] __attribute__((aligned(64)));
	const struct coll_op *op = r->op;
	int from_below = op->n / 2, from_above = op->n - 1 - from_below, s, i;
	size_t n = r->len / r->what->size;

	memcpy(table + (size_t)op->rank * r->len, r->source, r->len);
	for (s = 1; s <= from_below; s++) {
		int low = coll_wrap(op, op->rank - s), high = coll_wrap(op, op->rank + s);

		coll_send(op, COLL_UP, table + (size_t)coll_wrap(op, low + 1) * r->len, r->len);
		if (s <= from_above)
			coll_send(op, COLL_DOWN, table + (size_t)coll_wrap(op, high - 1) * r->len,
				  r->len);
		memcpy(table + (size_t)low * r->len, coll_receive(op, COLL_UP), r->len);
		coll_release(op, COLL_UP);
		if (s > from_above)
			continue;
		memcpy(table + (size_t)high * r->len, coll_receive(op, COLL_DOWN), r->len);
		coll_release(op, COLL_DOWN);
	}
	r->what->combine(r->dest, table, table + r->len, n);
	for (i = 2; i < op->n; i++)
		r->what->combine(r->dest, r->dest, table + (size_t)i * r->len, n);
}

/* Both ways lead to the other of two members, so both ways' buffers serve, a run of AHEAD each. */
static enum coll_dir
way_of(size_t k)
{
	return k / AHEAD % COLL_DIRS == 0 ? COLL_UP : COLL_DOWN;
}

static void
fold_chunk(const struct reduction *r, size_t k)
{
	bool low = r->op->rank == 0;
	const char *own = r->source + k * r->chunk, *other = coll_receive(r->op, way_of(k));

	r->what->combine(r->dest + k * r->chunk, low ? own : other, low ? other : own,
			 chunk_len(r, k) / r->what->size);
	coll_release(r->op, way_of(k));
}

/* Two members send each other all they have, and each folds both: on each link the same bytes as to
 * the middle and back, in half the time.
 */
static void
fold_two(const struct reduction *r)
{
	size_t chunks = (r->len + r->chunk - 1) / r->chunk, in = 0, out = 0;

	while (out < chunks) {
		if (in < chunks && in - out < COLL_DIRS * AHEAD) {
			coll_send(r->op, way_of(in), r->source + in * r->chunk, chunk_len(r, in));
			in++;
		} else {
			fold_chunk(r, out++);
		}
	}
}

static void
to_middle(struct reduction *r)
{
	size_t chunks = (r->len + r->chunk - 1) / r->chunk, in = 0, out = 0;
	size_t window = COLL_DEPTH + (r->what->local ? 0 : (size_t)r->op->n);

	r->middle = r->op->n / 2;
	while (out < chunks) {
		if (r->op->rank == r->middle)
			step_middle(r, out++);
		else if (in < chunks && in - out < window)
			step_in(r, in++);
		else
			step_out(r, out++);
	}
}

static void
reduce_axis(const struct coll_op *op, void *dest, const void *source, size_t n,
	    const struct coll_reduction *what, enum coll_way way)
{
	size_t most = coll_buffer_len(op);
	struct reduction r = {.op = op,
			      .what = what,
			      .dest = dest,
			      .source = source,
			      .len = n * what->size,
			      .chunk = most - most % what->size};

	if (way == COLL_WAY_CHAIN)
		coll_chain(op, dest, source, n, what, COLL_REDUCE);
	else if (op->n == 2)
		fold_two(&r);
	else if (way == COLL_WAY_FOLD)
		fold_all(&r);
	else
		to_middle(&r);
}

/* The sums of the rows are those of its members in each column. */
void
coll_hosts_reduce(const struct coll_op *op, const struct coll_map *map, void *dest,
		  const void *source, size_t n, const struct coll_reduction *what)
{
	enum coll_way way = coll_choose(COLL_WORK_REDUCE, map, n * what->size);
	struct coll_op row = coll_row(op, map), column = coll_column(op, map);

	if (way == COLL_WAY_CHAIN && column.n > 1)
		row = coll_leaders(op, map);
	reduce_axis(&row, dest, source, n, what, way);
	if (way != COLL_WAY_CHAIN && column.n > 1)
		reduce_axis(&column, dest, dest, n, what, way);
}
