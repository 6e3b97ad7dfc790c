/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <stdlib.h>
#include <string.h>

#include "core/state.h"
#include "hosts.h"

/*
 * Scans, and reductions of more than a few buffers: partial results move up the ranks, in pieces,
 * from destination to destination. Memory of the library does not bound how far a member runs
 * ahead, so one that has the CPU goes on as long as there is data. The results of a reduction
 * come back down the same way: a piece of them arrives where this member has taken its part of
 * that piece, and nothing else is written there any more.
 */
struct chain {
	const struct coll_op *op;
	const struct coll_reduction *what;
	enum coll_chain kind;
	char *dest;
	const char *source;
	char *kept; /* copy of a source that is the destination; else NULL */
	char *sum;  /* exscan: what is sent, as the destination keeps what came */
	size_t len;
};

static size_t
piece_len(const struct chain *c, size_t at)
{
	return c->len - at < COLL_DIRECT ? c->len - at : COLL_DIRECT;
}

static void
start_chunk(const struct chain *c, size_t at, size_t len)
{
	coll_direct_send(c->op, COLL_UP, c->dest + at, c->source + at, len);
	if (c->kind == COLL_EXSCAN)
		memset(c->dest + at, 0, len);
	else if (c->kind == COLL_INSCAN)
		memmove(c->dest + at, c->source + at, len); /* overlap is diagnosed, if asked for */
}

/* Take this member's part in the piece at @p at, which has come from the rank below. */
static void
step_up(const struct chain *c, size_t at)
{
	bool last = c->op->rank == c->op->n - 1;
	size_t len = piece_len(c, at), n = len / c->what->size;
	char *dest = c->dest + at, *sum = c->kind == COLL_EXSCAN ? c->sum : dest;

	if (c->op->rank == 0) {
		start_chunk(c, at, len);
		return;
	}
	coll_direct_receive(c->op, COLL_UP);
	if (last && c->kind == COLL_EXSCAN)
		return;
	c->what->combine(sum, dest, c->source + at, n);
	if (!last)
		coll_direct_send(c->op, COLL_UP, dest, sum, len);
	else if (c->kind == COLL_REDUCE)
		coll_direct_send(c->op, COLL_DOWN, dest, dest, len);
}

static void
step_down(const struct chain *c, size_t at)
{
	coll_direct_receive(c->op, COLL_DOWN);
	if (c->op->rank > 0)
		coll_direct_send(c->op, COLL_DOWN, c->dest + at, c->dest + at, piece_len(c, at));
}

static void
run_chain(const struct chain *c)
{
	const struct coll_op *op = c->op;
	bool results = c->kind == COLL_REDUCE && op->rank < op->n - 1;
	size_t up = 0, down = results ? 0 : c->len;
	struct rb_wait wait = {.leaves = true};

	if (op->rank > 0)
		coll_ready(op, COLL_UP);
	if (op->rank < op->n - 1)
		coll_await_ready(op, COLL_UP);
	while (up < c->len || down < c->len) {
		if (up < c->len && (op->rank == 0 || coll_direct_arrived(op, COLL_UP))) {
			step_up(c, up);
			up += piece_len(c, up);
		} else if (down < c->len && coll_direct_arrived(op, COLL_DOWN)) {
			step_down(c, down);
			down += piece_len(c, down);
		} else {
			rb_wait_turn(&wait);
			continue;
		}
		rb_wait_end(&wait);
		wait = (struct rb_wait){.leaves = true};
	}
}

static void *
alloc_room(const struct chain *c, size_t len)
{
	void *p = malloc(len);

	if (p == NULL)
		shmemi_fatal(c->op->call, "no memory for %zu bytes", len);
	return p;
}

void
coll_chain(const struct coll_op *op, void *dest, const void *source, size_t n,
	   const struct coll_reduction *what, enum coll_chain kind)
{
	struct chain c = {.op = op,
			  .what = what,
			  .kind = kind,
			  .dest = dest,
			  .source = source,
			  .len = n * what->size};

	if (dest == source) {
		c.kept = alloc_room(&c, c.len);
		memcpy(c.kept, source, c.len);
		c.source = c.kept;
	}
	if (kind == COLL_EXSCAN)
		c.sum = alloc_room(&c, piece_len(&c, 0));
	run_chain(&c);
	free(c.sum);
	free(c.kept);
}
