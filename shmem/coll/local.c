/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "local.h"

void
coll_local_sync(const struct coll_op *op)
{
	coll_step_pass(op);
	coll_step_all(op);
}

/* A step with a piece of member @p owner's data; @p dest NULL: this member wants none. */
static void
pass_piece(const struct coll_op *op, int owner, void *dest, const void *source, size_t len)
{
	const void *from;

	if (op->rank == owner) {
		coll_step_contribute(op, source, len);
		return;
	}
	coll_step_pass(op);
	if (dest == NULL)
		return;
	coll_step_wait(op, owner);
	from = coll_step_data(op, owner, len);
	memcpy(dest, from, len);
}

static void
pass_pieces(const struct coll_op *op, int owner, void *dest, const void *source, size_t len)
{
	size_t at, n;

	for (at = 0; at < len; at += n) {
		n = len - at < COLL_STAGE ? len - at : COLL_STAGE;
		pass_piece(op, owner, dest == NULL ? NULL : (char *)dest + at,
			   (const char *)source + at, n);
	}
}

void
coll_local_broadcast(const struct coll_op *op, void *dest, const void *source, size_t len, int root)
{
	const struct coll_line *line;
	const void *from;

	if (len <= COLL_STAGE) {
		pass_piece(op, root, dest, source, len);
		return;
	}
	coll_step_room(op, 0);
	coll_step_enter(op, 0, op->rank == root ? rb_sym_name(source, len) : 0);
	line = coll_step_wait(op, root);
	if (line->at == 0) {
		pass_pieces(op, root, dest, source, len);
		return;
	}
	if (op->rank != root) {
		from = coll_step_data(op, root, len);
		if (from == NULL)
			shmemi_fail(op->call, -EFAULT, coll_step_pe(op, root), source, len);
		memcpy(dest, from, len);
	}
	coll_step_pass(op);
	if (op->rank == root)
		coll_step_all(op);
}

/* ---- collect ---- */

struct gather {
	const struct coll_op *op;
	const struct coll_blocks *blocks;
	char *dest;
	const void *source;
	int root;
	bool wanted; /* by this member */
};

static size_t
size_of(const struct gather *g, int i)
{
	return coll_block_size(g->blocks, g->op->ranks[i]);
}

static void *
place_of(const struct gather *g, int i)
{
	return g->dest + coll_block_offset(g->blocks, g->op->ranks[i]);
}

/* Bring a block that fits, or say where it is. */
static void
contribute_block(const struct coll_op *op, const void *source, size_t len)
{
	void *room = coll_step_room(op, len);

	if (len <= COLL_STAGE && len != 0)
		memcpy(room, source, len);
	coll_step_enter(op, len, len > COLL_STAGE ? rb_sym_name(source, len) : 0);
}

/* @return whether member @p i's block has to come piece by piece; all members come to the same */
static bool
take_block(const struct gather *g, int i)
{
	size_t len = size_of(g, i);
	const struct coll_line *line;
	const void *from;

	if (len == 0 || (!g->wanted && len <= COLL_STAGE))
		return false;
	line = coll_step_wait(g->op, i);
	if (len > COLL_STAGE && line->at == 0)
		return true;
	if (!g->wanted)
		return false;
	from = i == g->op->rank ? g->source : coll_step_data(g->op, i, len);
	if (from == NULL)
		shmemi_fail(g->op->call, -EFAULT, coll_step_pe(g->op, i), g->dest, len);
	memcpy(place_of(g, i), from, len);
	return false;
}

static void
take_pieces(const struct gather *g, int i)
{
	if (g->wanted && i == g->op->rank)
		memcpy(place_of(g, i), g->source, size_of(g, i));
	pass_pieces(g->op, i, g->wanted ? place_of(g, i) : NULL, g->source, size_of(g, i));
}

/* All have contributed their blocks. A second step where blocks are read in their places: their
 * owners may change them once all that want them have read them. */
static void
take_blocks(const struct gather *g)
{
	const struct coll_op *op = g->op;
	bool large = false, *pieces;
	int i, n = 0;

	pieces = calloc((size_t)op->n, sizeof(*pieces));
	if (pieces == NULL)
		shmemi_fatal(op->call, "no memory for %d members", op->n);
	for (i = op->rank; n < op->n; n++, i = i + 1 == op->n ? 0 : i + 1) {
		large |= size_of(g, i) > COLL_STAGE;
		pieces[i] = take_block(g, i);
	}
	if (large) {
		coll_step_pass(op);
		if (g->root == COLL_ALL)
			coll_step_all(op);
		else
			coll_step_wait(op, g->root);
		for (i = 0; i < op->n; i++)
			if (pieces[i])
				take_pieces(g, i);
	}
	free(pieces);
}

void
coll_local_collect(const struct coll_op *op, void *dest, const void *source,
		   const struct coll_blocks *blocks, int root)
{
	const struct gather g = {.op = op,
				 .blocks = blocks,
				 .dest = dest,
				 .source = source,
				 .root = root,
				 .wanted = root == COLL_ALL || root == op->rank};

	if (op->n == 1) {
		memcpy(place_of(&g, 0), source, size_of(&g, 0));
		return;
	}
	contribute_block(op, source, size_of(&g, op->rank));
	take_blocks(&g);
}

void
coll_local_collect_uneven(const struct coll_op *op, void *dest, const void *source, size_t len)
{
	size_t *table = malloc(2 * (size_t)op->n * sizeof(*table)), total = 0;
	const struct coll_blocks blocks = {.size = table, .offset = table + op->n};
	const struct gather g = {.op = op,
				 .blocks = &blocks,
				 .dest = dest,
				 .source = source,
				 .root = COLL_ALL,
				 .wanted = true};
	int i;

	if (table == NULL)
		shmemi_fatal(op->call, "no memory for the sizes of %d blocks", op->n);
	contribute_block(op, source, len);
	for (i = 0; i < op->n; i++) {
		table[i] = coll_step_wait(op, i)->len;
		table[op->n + i] = total;
		if (__builtin_add_overflow(total, table[i], &total))
			shmemi_fatal(op->call, "the blocks exceed memory at member %d", i);
	}
	op->state->met = op->state->step;
	coll_check_dest(op, dest, total);
	take_blocks(&g);
	free(table);
}
