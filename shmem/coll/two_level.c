/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <stdlib.h>
#include <string.h>

#include "coll.h"
#include "local.h"
#include "ring.h"

/*
 * Collectives of whole teams. Where all members share memory they meet in it; where no two do,
 * data goes along the ring; else those on a host meet first, their leader carries on along the
 * ring, and the others take the result from its memory.
 */

static bool
is_leader(const struct coll_map *map)
{
	return map->local == map->lead;
}

/* The result stands in the leader's dest. */
static void
hand_out(const struct coll_op *group, const struct coll_map *map, void *dest, size_t len)
{
	if (map->locals > 1)
		coll_local_broadcast(group, dest, dest, len, map->lead);
}

/* The root's own copy of dest is left to the caller: the active-set form must not write it. */
void
coll_broadcast(const struct coll_op *op, void *dest, const void *source, size_t len, int root)
{
	const struct coll_map *map;
	struct coll_op group, ring;
	int from, place;

	if (len == 0 || op->n == 1)
		return;
	map = coll_map(op);
	if (map->groups == op->n) {
		coll_ring_broadcast(op, dest, source, len, root);
		return;
	}
	group = coll_group(op, map);
	from = coll_group_of(map, root, &place);
	if (map->mine == from && map->locals > 1)
		coll_local_broadcast(&group, dest, source, len, place);
	if (map->groups == 1)
		return;
	if (is_leader(map)) {
		ring = coll_leaders(op, map);
		coll_ring_broadcast(&ring, dest, op->rank == root ? source : dest, len, from);
	}
	if (map->mine != from)
		hand_out(&group, map, dest, len);
}

void
coll_gather_blocks(const struct coll_op *op, void *dest, const void *source,
		   const struct coll_blocks *blocks)
{
	const struct coll_map *map = coll_map(op);
	struct coll_op group = coll_group(op, map), ring;
	int last = op->n - 1;

	if (map->groups == op->n) {
		coll_ring_collect(op, map, dest, source, blocks);
		return;
	}
	coll_local_collect(&group, dest, source, blocks, map->groups == 1 ? COLL_ALL : map->lead);
	if (map->groups == 1)
		return;
	if (is_leader(map)) {
		ring = coll_leaders(op, map);
		coll_ring_collect(&ring, map, dest, NULL, blocks);
	}
	hand_out(&group, map, dest,
		 coll_block_offset(blocks, last) + coll_block_size(blocks, last));
}

static void
collect_uneven(const struct coll_op *op, void *dest, const void *source, size_t len)
{
	int n = op->n, i;
	size_t *table = malloc(2 * (size_t)n * sizeof(*table)), total = 0;
	const struct coll_blocks sizes = {.even = sizeof(len)};
	const struct coll_blocks blocks = {.size = table, .offset = table + n};

	if (table == NULL)
		shmemi_fatal(op->call, "no memory for the sizes of %d blocks", n);
	coll_gather_blocks(op, table, &len, &sizes);
	for (i = 0; i < n; i++) {
		table[n + i] = total;
		if (__builtin_add_overflow(total, table[i], &total))
			shmemi_fatal(op->call, "the blocks exceed memory at member %d", i);
	}
	coll_check_dest(op, dest, total);
	if (total != 0)
		coll_gather_blocks(op, dest, source, &blocks);
	free(table);
}

void
coll_collect(const struct coll_op *op, void *dest, const void *source, size_t len, bool exact)
{
	const struct coll_blocks even = {.even = len};
	struct coll_op group;

	if (exact && len == 0)
		return;
	if (exact)
		coll_check_dest(op, dest, coll_bytes(op->call, len, (size_t)op->n));
	if (op->n == 1) {
		coll_check_dest(op, dest, len);
		if (len != 0)
			memcpy(dest, source, len);
	} else if (exact) {
		coll_gather_blocks(op, dest, source, &even);
	} else if (coll_map(op)->groups == 1) {
		group = coll_group(op, op->state->map);
		coll_local_collect_uneven(&group, dest, source, len);
	} else {
		collect_uneven(op, dest, source, len);
	}
}

/*
 * Which way a reduction goes. All ways fold in the same order on all members, so all get the same
 * bits. `len` is the length of the data of one member, n the number of members that take part.
 *
 * The members share memory (local_reduce.c):
 *   n * len <= FOLD         each folds what all have contributed: one step, and done
 *   else                    each folds its part for all: every byte is read once
 *
 * They are on a host each, and so are the leaders of the last case (reduce.c, chain.c):
 *   n * len <= FEW          each gets what all have, and folds it: half the hops of the next way
 *   len <= COLL_CHAIN       in chunks to the rank in the middle and back: through few buffers, so
 *                           a member can run ahead only as far as these go
 *   else                    a chain through all ranks: what is on its way lies in dest, so a member
 *                           that has the CPU goes on as long as there is data
 *
 * There are several on some of at most COLL_PARTS hosts (meet.c):
 *   len <= COLL_PART        the last member to arrive sends its host's part: nobody waits until the
 *                           leader has a CPU
 *   else, or more hosts     on each host first, then between the leaders, which hand out the result
 */
void
coll_reduce(const struct coll_op *op, void *dest, const void *source, size_t n,
	    const struct coll_reduction *what)
{
	const struct coll_map *map;
	struct coll_op group, ring;

	if (n == 0)
		return;
	if (op->n == 1) {
		if (dest != source)
			memcpy(dest, source, n * what->size);
		return;
	}
	map = coll_map(op);
	if (map->groups == op->n) {
		coll_ring_reduce(op, dest, source, n, what);
		return;
	}
	group = coll_group(op, map);
	if (map->groups == 1) {
		coll_local_reduce(&group, dest, source, n, what, COLL_ALL);
		return;
	}
	if (coll_meets(map, n * what->size)) {
		coll_meet_reduce(op, map, dest, source, n, what);
		return;
	}
	coll_local_reduce(&group, dest, source, n, what, map->lead);
	if (is_leader(map)) {
		ring = coll_leaders(op, map);
		coll_ring_reduce(&ring, dest, dest, n, what);
	}
	hand_out(&group, map, dest, n * what->size);
}
