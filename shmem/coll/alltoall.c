/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/state.h"
#include "coll.h"
#include "ctx.h"
#include "local.h"
#include "hosts.h"

/*
 * Between hosts. Small blocks: the members of a host contribute what they send to a step. The
 * leader puts it as one bundle to the leader of each other host, and the members there copy their
 * blocks out of that leader's memory. There are two bundle areas, used in turn. A leader sends
 * bundle k + 2 only after it has received bundle k + 1 from here, which is sent when all members
 * here are done with bundle k; so the older area is free by then. Where one element of each block
 * exceeds a bundle, a bundle goes from some members to some members.
 *
 * Large blocks that are contiguous in dest: the leader puts them directly from their source to
 * dest, those for the nearest hosts first and in both directions. Then it posts a word to the
 * leader there, which all members of that host watch. dest may be written before its owner calls,
 * since it must be ready when any member calls (section 9.9).
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

/** Members of each group that take part in a piece on one side: places [first, first + most). */
struct places {
	int first, most;
};

/* Elements [k, k + part.nelems) of the blocks from some members of each group to some of each. */
struct piece {
	const struct exchange *x;
	struct coll_op group;
	struct places from, to;
	size_t k, len; /* bytes of a block */
	struct coll_strides part;
};

/* Members of @p group among @p places. */
static int
count_members(const struct coll_map *map, const struct places *places, int group)
{
	int n = coll_group_size(map, group) - places->first;

	return n < 0 ? 0 : n < places->most ? n : places->most;
}

/* The same in groups [0, upto) but for @p without (-1: none). */
static size_t
count_before(const struct coll_map *map, const struct places *places, int upto, int without)
{
	size_t n = 0;
	int g;

	for (g = 0; g < upto; g++)
		if (g != without)
			n += (size_t)count_members(map, places, g);
	return n;
}

static bool
is_among(const struct coll_map *map, const struct places *places)
{
	return map->local >= places->first && map->local < places->first + places->most;
}

/* Bytes that a member contributes: blocks by groups. */
static size_t
room_len(const struct piece *p)
{
	return count_before(p->x->map, &p->to, p->x->map->groups, -1) * p->len;
}

/* Where in them those for @p group lie. */
static size_t
room_at(const struct piece *p, int group)
{
	return count_before(p->x->map, &p->to, group, -1) * p->len;
}

/* Where in a leader's memory the bundle lies that @p from sends to @p to. */
static size_t
bundle_at(const struct piece *p, int from, int to)
{
	const struct coll_map *map = p->x->map;

	return count_before(map, &p->from, from, to) * (size_t)count_members(map, &p->to, to) *
	       p->len;
}

static void
put_block(const struct coll_op *op, int rank, void *dest, const void *data, size_t len)
{
	int pe = coll_pe(op, rank);
	int err = rb_put(coll_ctx(), pe, dest, data, len);

	if (err != 0)
		shmemi_fail(op->call, err, pe, dest, len);
}

static void
send_bundle(const struct piece *p, const struct coll_op *leaders, int to)
{
	const struct coll_map *map = p->x->map;
	struct coll_team *t = leaders->state;
	size_t all = room_len(p), at = room_at(p, to), len;
	uint8_t bundle[COLL_BUNDLE], *end = bundle;
	int senders = count_members(map, &p->from, map->mine), i;

	len = (size_t)count_members(map, &p->to, to) * p->len;
	for (i = 0; i < senders; i++, end += len) {
		const char *blocks = coll_step_data(&p->group, p->from.first + i, all);

		memcpy(end, blocks + at, len);
	}
	if (end != bundle)
		put_block(leaders, to,
			  t->mem->bundle[t->bundles % 2] + bundle_at(p, leaders->rank, to), bundle,
			  (size_t)(end - bundle));
	coll_post(leaders, to, &t->mem->words.bundle[leaders->rank], t->bundles);
}

static void
send_bundles(const struct piece *p)
{
	struct coll_op leaders = coll_leaders(p->x->op, p->x->map);
	int turn;

	coll_step_all(&p->group);
	for (turn = 0; turn < leaders.n - 1; turn++)
		send_bundle(p, &leaders, next_group(p->x->map, turn));
}

static void
take_local(const struct piece *p)
{
	const struct exchange *x = p->x;
	int senders = count_members(x->map, &p->from, x->map->mine), i;
	size_t all = room_len(p), at = room_at(p, x->map->mine);

	at += (size_t)(x->map->local - p->to.first) * p->len;
	for (i = p->from.first; i < p->from.first + senders; i++) {
		const char *blocks;

		coll_step_wait(&p->group, i);
		blocks = coll_step_data(&p->group, i, all);
		coll_copy_strided(dest_at(x, p->group.ranks[i], p->k), p->part.dst, blocks + at, 1,
				  &p->part);
	}
}

/* A member waits even where no bundle holds a block for it. So when it goes on to the next piece,
 * its leader has received this one, and two areas are enough. */
static void
take_bundle(const struct piece *p, int from)
{
	const struct coll_map *map = p->x->map;
	struct coll_slot *lead = map->peer[map->lead];
	uint64_t number = p->group.state->bundles;
	const uint8_t *bundle = lead->bundle[number % 2] + bundle_at(p, from, map->mine);
	const int *member = coll_members(map, from) + p->from.first;
	size_t len = (size_t)count_members(map, &p->to, map->mine) * p->len;
	int senders = count_members(map, &p->from, from), i;

	rb_wait_until(&lead->words.bundle[from], number, (struct rb_wait){.leaves = true});
	if (!is_among(map, &p->to))
		return;
	bundle += (size_t)(map->local - p->to.first) * p->len;
	for (i = 0; i < senders; i++, bundle += len)
		coll_copy_strided(dest_at(p->x, member[i], p->k), p->part.dst, bundle, 1, &p->part);
}

static void
contribute_piece(const struct piece *p)
{
	const struct exchange *x = p->x;
	char *room = coll_step_room(&p->group, room_len(p));
	int g, i;

	for (g = 0; g < x->map->groups; g++) {
		const int *member = coll_members(x->map, g) + p->to.first;

		for (i = 0; i < count_members(x->map, &p->to, g); i++, room += p->len)
			coll_copy_strided(room, 1, source_at(x, member[i], p->k), p->part.sst,
					  &p->part);
	}
	coll_step_enter(&p->group, 0, 0);
}

static void
exchange_piece(struct piece *p, size_t k, size_t n)
{
	const struct coll_map *map = p->x->map;
	int i;

	p->k = k;
	p->part.nelems = n;
	p->len = n * p->part.size;
	if (is_among(map, &p->from))
		contribute_piece(p);
	else
		coll_step_contribute(&p->group, NULL, 0);
	p->group.state->bundles++;
	if (map->local == map->lead)
		send_bundles(p);
	if (is_among(map, &p->to))
		take_local(p);
	for (i = 0; i < map->groups; i++)
		if (i != map->mine)
			take_bundle(p, i);
}

/* Elements of each block that fit a step. */
static size_t
step_fits(const struct piece *p)
{
	const struct coll_map *map = p->x->map;

	return COLL_STAGE / (count_before(map, &p->to, map->groups, -1) * p->part.size);
}

/* The same for bundles too. */
static size_t
piece_fits(const struct piece *p)
{
	const struct coll_map *map = p->x->map;
	size_t fit = step_fits(p), blocks;
	int g;

	for (g = 0; g < map->groups; g++) {
		blocks = count_before(map, &p->from, map->groups, g) *
			 (size_t)count_members(map, &p->to, g);
		if (COLL_BUNDLE / (blocks * p->part.size) < fit)
			fit = COLL_BUNDLE / (blocks * p->part.size);
	}
	return fit;
}

static void
halve_places(struct places *places)
{
	places->most = (places->most + 1) / 2;
}

/*
 * Where one element of each block is too much, pieces are of the blocks from some members of each
 * group to some of each. From one to one always fits. @return elements of a piece
 */
static size_t
choose_places(struct piece *p, int largest)
{
	size_t fit;

	_Static_assert(COLL_GROUPS * COLL_ELEMENT <= COLL_STAGE, "one block for each host");
	_Static_assert(COLL_GROUPS * COLL_ELEMENT <= COLL_BUNDLE, "one block from each host");
	p->from.most = largest;
	p->to.most = largest;
	while (step_fits(p) == 0)
		halve_places(&p->to);
	while ((fit = piece_fits(p)) == 0)
		halve_places(p->from.most > 1 ? &p->from : &p->to);
	return fit;
}

static void
exchange_pieces(struct piece *p, int largest, size_t fit)
{
	size_t nelems = p->x->shape.nelems, k, n;

	for (p->to.first = 0; p->to.first < largest; p->to.first += p->to.most)
		for (p->from.first = 0; p->from.first < largest; p->from.first += p->from.most)
			for (k = 0; k < nelems; k += n) {
				n = nelems - k < fit ? nelems - k : fit;
				exchange_piece(p, k, n);
			}
}

/* ---- large blocks ---- */

/** Blocks of one member on their way to other hosts. */
struct parcel {
	const struct exchange *x;
	struct coll_op leaders;
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
		put_block(p->x->op, member[m], dest_at(p->x, p->from, 0),
			  p->packed != NULL ? p->packed : block, len);
	}
}

/* The leader's part. A member has itself put the blocks that it has in private memory. */
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
		coll_post(&p->leaders, to, &group->state->mem->words.bundle[p->leaders.rank],
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
			   .leaders = coll_leaders(x->op, x->map),
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
			rb_wait_until(&lead->words.bundle[i], group.state->bundles,
				      (struct rb_wait){.leaves = true});
	free(p.packed);
}

enum {
	PIECES = 1 /* of an alltoall, up to which it goes in bundles */
};

void
coll_alltoalls(const struct coll_op *op, void *dest, const void *source,
	       const struct coll_strides *shape)
{
	struct exchange x = {.op = op, .dest = dest, .source = source, .shape = *shape};
	struct piece p = {.x = &x, .part = *shape};
	int largest = 0, g;
	size_t fit;
	bool few;

	if (shape->nelems == 0)
		return;
	if (op->n == 1) {
		coll_copy_strided(dest, shape->dst, source, shape->sst, shape);
		return;
	}
	x.map = coll_map(op);
	p.group = coll_group(op, x.map);
	if (coll_choose(COLL_WORK_ALLTOALLS, x.map, shape->nelems * shape->size) == COLL_WAY_HOST) {
		coll_local_alltoalls(&p.group, dest, source, shape);
		return;
	}
	for (g = 0; g < x.map->groups; g++)
		if (coll_group_size(x.map, g) > largest)
			largest = coll_group_size(x.map, g);
	fit = choose_places(&p, largest);
	few = p.from.most == largest && p.to.most == largest && shape->nelems <= PIECES * fit;
	if (few || shape->dst != 1)
		exchange_pieces(&p, largest, fit);
	else
		exchange_large(&x);
}
