/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
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
 * Large blocks: the leader puts them straight from their sources to their places, those for the
 * nearest hosts first and both ways round, and then tells the leader there, at whose words all
 * members look. Places are lent before any member calls (section 9.9).
 */
struct exchange {
	const struct coll_op *op;
	const struct coll_map *map;
	char *dest;
	const char *source;
	struct coll_strides shape;
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

/* Other groups in turn, the nearest first and both ways round. */
static int
next_group(const struct coll_map *map, int turn)
{
	int distance = turn / 2 + 1;

	return (map->mine + (turn % 2 == 0 ? distance : map->groups - distance)) % map->groups;
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
	int turn;

	coll_step_all(&p->group);
	for (turn = 0; turn < ring.n - 1; turn++)
		send_bundle(p, &ring, next_group(p->x->map, turn));
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

/** Blocks of one member on their way to other hosts. */
struct parcel {
	const struct exchange *x;
	struct coll_op ring;
	const char *source;
	int from;     /* rank */
	char *packed; /* room for a block, or NULL: they are in one piece */
};

static void
put_blocks(const struct parcel *p, int group)
{
	const struct coll_map *map = p->x->map;
	const struct coll_strides *shape = &p->x->shape;
	const int *member = coll_members(map, group);
	size_t len = shape->nelems * shape->size;
	int m;

	for (m = 0; m < coll_group_size(map, group); m++) {
		const char *block = p->source + (source_at(p->x, member[m], 0) - p->x->source);

		if (p->packed != NULL)
			coll_copy_strided(p->packed, 1, block, shape->sst, shape);
		put(p->x->op, member[m], dest_at(p->x, p->from, 0),
		    p->packed != NULL ? p->packed : block, len);
	}
}

/* The leader's part. What a member has in private memory it has put itself. */
static void
put_all(struct parcel *p, const struct coll_op *group)
{
	const struct exchange *x = p->x;
	size_t len = (size_t)(source_at(x, x->op->n, 0) - x->source);
	int turn, i;

	coll_step_all(group);
	/* a stride may reach beyond the last element, which the source does not */
	len -= ((size_t)x->shape.sst - 1) * x->shape.size;
	for (turn = 0; turn < x->map->groups - 1; turn++) {
		int to = next_group(x->map, turn);

		for (i = 0; i < group->n; i++) {
			if (coll_step_wait(group, i)->at == 0)
				continue;
			p->from = group->ranks[i];
			p->source = coll_step_data(group, i, len);
			if (p->source == NULL)
				shmemi_fail(x->op->call, -EFAULT, coll_step_pe(group, i), x->source,
					    len);
			put_blocks(p, to);
		}
		coll_post(&p->ring, to, &group->state->mem->words.bundle[p->ring.rank],
			  group->state->bundles);
	}
}

static uint64_t
name_source(const struct exchange *x)
{
	size_t len = (size_t)(source_at(x, x->op->n, 0) - x->source) -
		     ((size_t)x->shape.sst - 1) * x->shape.size;

	return rb_sym_name(x->source, len);
}

static void
exchange_large(const struct exchange *x)
{
	struct coll_op group = coll_group(x->op, x->map);
	struct parcel p = {.x = x,
			   .ring = coll_leaders(x->op, x->map),
			   .source = x->source,
			   .from = x->op->rank};
	struct coll_slot *lead = x->map->peer[x->map->lead];
	uint64_t name = name_source(x);
	int i;

	if (x->shape.sst != 1) {
		p.packed = malloc(x->shape.size * x->shape.nelems);
		if (p.packed == NULL)
			shmemi_fatal(x->op->call, "no memory for a block of %zu bytes",
				     x->shape.size * x->shape.nelems);
	}
	group.state->bundles++;
	coll_local_push(&group, x->dest, x->source, &x->shape);
	if (name == 0) {
		for (i = 0; i < x->map->groups - 1; i++)
			put_blocks(&p, next_group(x->map, i));
		coll_quiet();
	}
	coll_step_room(&group, 0);
	coll_step_enter(&group, 0, name);
	if (x->map->local == x->map->lead)
		put_all(&p, &group);
	coll_local_sync(&group);
	for (i = 0; i < x->map->groups; i++)
		if (i != x->map->mine)
			shmemi_wait_ge64(&lead->words.bundle[i], group.state->bundles);
	free(p.packed);
}

enum {
	PIECES = 1 /* of an alltoall, up to which it goes in bundles */
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

void
coll_alltoalls(const struct coll_op *op, void *dest, const void *source,
	       const struct coll_strides *shape)
{
	coll_enter_alltoalls(op, dest, source, shape);
	if (shape->nelems != 0)
		all_to_all(op, dest, source, shape);
	coll_leave(op);
}
