/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <stdlib.h>
#include <string.h>

#include "local.h"
#include "ring.h"

/*
 * Between hosts. Small blocks: the members of a host bring what they send to a step, the leader
 * puts a bundle of it to the leader of each other host, and members there take theirs from its
 * memory. Of two bundles in turn the older is free again: a leader sends the next but one after it
 * has got the next from here, which was sent when all members here had gone on.
 *
 * Large blocks: every member puts them straight to their places, nearest first and both ways round
 * at once, and sets its word at each target. The sync before keeps stores out of memory that is
 * not yet lent.
 */
struct exchange {
	const struct coll_op *op;
	const struct coll_map *map;
	char *dest;
	const char *source;
	struct coll_strides shape;
	char *packed; /* room for a block, or NULL */
};

static char *
dest_at(const struct exchange *x, int rank, size_t k)
{
	size_t at = (size_t)rank * x->shape.nelems + k;

	return x->dest + at * (size_t)x->shape.dst * x->shape.size;
}

static const char *
source_at(const struct exchange *x, int rank, size_t k)
{
	size_t at = (size_t)rank * x->shape.nelems + k;

	return x->source + at * (size_t)x->shape.sst * x->shape.size;
}

/* ---- small blocks ---- */

/* Elements [k, k + part.nelems) of all blocks. */
struct piece {
	const struct exchange *x;
	struct coll_op group;
	size_t k, len; /* bytes of a block */
	struct coll_strides part;
};

/* Where in a leader's memory the bundle lies that @p from sends to @p to. */
static size_t
bundle_at(const struct piece *p, int from, int to)
{
	const struct coll_map *map = p->x->map;
	int before = map->first[from] - (to < from ? coll_group_size(map, to) : 0);

	return (size_t)before * (size_t)coll_group_size(map, to) * p->len;
}

static void
put(const struct coll_op *op, int rank, void *dest, const void *data, size_t len)
{
	int pe = coll_pe(op, rank);
	int err = rb_put(coll_ctx(), pe, dest, data, len);

	if (err != 0)
		shmemi_fail(op->call, err, pe, dest, len);
}

static void
send_bundle(const struct piece *p, const struct coll_op *ring, int to)
{
	const struct coll_map *map = p->x->map;
	struct coll_team *t = ring->state;
	const int *member = coll_members(map, to);
	size_t all = p->len * (size_t)p->x->op->n;
	uint8_t bundle[COLL_BUNDLE], *at = bundle;
	int i, m;

	for (i = 0; i < p->group.n; i++) {
		const char *blocks = coll_step_data(&p->group, i, all);

		for (m = 0; m < coll_group_size(map, to); m++, at += p->len)
			memcpy(at, blocks + (size_t)member[m] * p->len, p->len);
	}
	put(ring, to, t->mem->bundle[t->bundles % 2] + bundle_at(p, ring->rank, to), bundle,
	    (size_t)(at - bundle));
	coll_post(ring, to, &t->mem->words.bundle[ring->rank], t->bundles);
}

static void
send_bundles(const struct piece *p)
{
	struct coll_op ring = coll_leaders(p->x->op, p->x->map);
	int distance;

	coll_step_all(&p->group);
	for (distance = 1; distance <= ring.n / 2; distance++) {
		send_bundle(p, &ring, (ring.rank + distance) % ring.n);
		if (2 * distance < ring.n)
			send_bundle(p, &ring, (ring.rank - distance + ring.n) % ring.n);
	}
}

static void
take_local(const struct piece *p)
{
	const struct exchange *x = p->x;
	size_t all = p->len * (size_t)x->op->n;
	int i;

	for (i = 0; i < p->group.n; i++) {
		const char *blocks;

		coll_step_wait(&p->group, i);
		blocks = coll_step_data(&p->group, i, all);
		coll_copy_strided(dest_at(x, p->group.ranks[i], p->k), p->part.dst,
				  blocks + (size_t)x->op->rank * p->len, 1, &p->part);
	}
}

static void
take_bundle(const struct piece *p, int from)
{
	const struct coll_map *map = p->x->map;
	struct coll_slot *lead = map->peer[map->lead];
	uint64_t number = p->group.state->bundles;
	const uint8_t *bundle = lead->bundle[number % 2] + bundle_at(p, from, map->mine);
	int i;

	shmemi_wait_ge64(&lead->words.bundle[from], number);
	for (i = 0; i < coll_group_size(map, from); i++)
		coll_copy_strided(dest_at(p->x, coll_members(map, from)[i], p->k), p->part.dst,
				  bundle + ((size_t)i * (size_t)map->locals + (size_t)map->local) *
						   p->len,
				  1, &p->part);
}

static void
exchange_piece(const struct exchange *x, size_t k, size_t n)
{
	struct piece p = {.x = x, .group = coll_group(x->op, x->map), .k = k, .part = x->shape};
	char *room;
	int i;

	p.part.nelems = n;
	p.len = n * x->shape.size;
	room = coll_step_room(&p.group, p.len * (size_t)x->op->n);
	for (i = 0; i < x->op->n; i++)
		coll_copy_strided(room + (size_t)i * p.len, 1, source_at(x, i, k), p.part.sst,
				  &p.part);
	coll_step_enter(&p.group, 0, 0);
	p.group.state->bundles++;
	if (x->map->local == x->map->lead)
		send_bundles(&p);
	take_local(&p);
	for (i = 0; i < x->map->groups; i++)
		if (i != x->map->mine)
			take_bundle(&p, i);
}

/* Elements of each block that fit into a piece. */
static size_t
piece_fits(const struct exchange *x)
{
	size_t all = (size_t)x->op->n, fit = COLL_STAGE / (all * x->shape.size);
	int g;

	for (g = 0; g < x->map->groups; g++) {
		size_t here = (size_t)coll_group_size(x->map, g);
		size_t bundles = COLL_BUNDLE / ((all - here) * here * x->shape.size);

		fit = bundles < fit ? bundles : fit;
	}
	return fit;
}

/* ---- large blocks ---- */

static void
put_block(const struct exchange *x, int rank)
{
	size_t k, n = x->shape.nelems, size = x->shape.size;

	if (rb_pe_shares(coll_pe(x->op, rank)))
		return;
	if (x->shape.dst != 1) {
		for (k = 0; k < n; k++)
			put(x->op, rank, dest_at(x, x->op->rank, k), source_at(x, rank, k), size);
	} else if (x->packed != NULL) {
		coll_copy_strided(x->packed, 1, source_at(x, rank, 0), x->shape.sst, &x->shape);
		put(x->op, rank, dest_at(x, x->op->rank, 0), x->packed, n * size);
	} else {
		put(x->op, rank, dest_at(x, x->op->rank, 0), source_at(x, rank, 0), n * size);
	}
	if (x->op->n <= COLL_BLOCKS)
		coll_post(x->op, rank, &x->op->state->mem->words.block[x->op->rank],
			  x->op->state->alltoalls);
}

static void
await_blocks(const struct coll_op *op)
{
	int rank;

	if (op->n > COLL_BLOCKS) {
		coll_quiet();
		coll_sync(op);
		return;
	}
	for (rank = 0; rank < op->n; rank++) {
		if (!rb_pe_shares(coll_pe(op, rank)))
			shmemi_wait_ge64(&op->state->mem->words.block[rank], op->state->alltoalls);
	}
}

static void
exchange_large(struct exchange *x)
{
	const struct coll_op *op = x->op;
	struct coll_op group = coll_group(op, x->map);
	int distance;

	if (x->shape.sst != 1 && x->shape.dst == 1) {
		x->packed = malloc(x->shape.size * x->shape.nelems);
		if (x->packed == NULL)
			shmemi_fatal(op->call, "no memory for a block of %zu bytes",
				     x->shape.size * x->shape.nelems);
	}
	op->state->alltoalls++;
	coll_sync(op);
	for (distance = 1; distance <= op->n / 2; distance++) {
		put_block(x, (op->rank + distance) % op->n);
		if (2 * distance < op->n)
			put_block(x, (op->rank - distance + op->n) % op->n);
	}
	coll_local_alltoalls(&group, x->dest, x->source, &x->shape);
	await_blocks(op);
	free(x->packed);
}

enum {
	PIECES = 2 /* of an alltoall, up to which it goes in bundles */
};

static void
all_to_all(const struct coll_op *op, void *dest, const void *source,
	   const struct coll_strides *shape)
{
	struct exchange x = {.op = op, .dest = dest, .source = source, .shape = *shape};
	struct coll_op group;
	size_t fit, k, n;

	if (op->n == 1) {
		coll_copy_strided(dest, shape->dst, source, shape->sst, shape);
		return;
	}
	x.map = coll_map(op);
	group = coll_group(op, x.map);
	if (x.map->groups == 1) {
		coll_local_alltoalls(&group, dest, source, shape);
		return;
	}
	fit = piece_fits(&x);
	if (fit == 0 || (shape->dst == 1 && shape->nelems > PIECES * fit)) {
		exchange_large(&x);
		return;
	}
	for (k = 0; k < shape->nelems; k += n) {
		n = shape->nelems - k < fit ? shape->nelems - k : fit;
		exchange_piece(&x, k, n);
	}
}

static void
check(const struct coll_op *op, const void *dest, const struct coll_strides *shape)
{
	size_t last;

	if (shape->dst < 1 || shape->sst < 1)
		shmemi_fatal(op->call, "stride dst %td or sst %td is below 1", shape->dst,
			     shape->sst);
	last = coll_bytes(op, shape->nelems, (size_t)op->n) - 1;
	last = coll_bytes(op, last, (size_t)shape->dst);
	coll_check_dest(op, dest, coll_bytes(op, last + 1, shape->size));
}

void
coll_alltoalls(const struct coll_op *op, void *dest, const void *source,
	       const struct coll_strides *shape)
{
	coll_enter(op, dest, shape->nelems * shape->size, (uint64_t)shape->dst);
	if (shape->nelems != 0) {
		check(op, dest, shape);
		all_to_all(op, dest, source, shape);
	}
	coll_leave(op);
}
