/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <stdlib.h>
#include <string.h>

#include "coll.h"
#include "local.h"
#include "hosts.h"

/*
 * Collectives of whole teams. Where all members share memory they meet in it; where no two do,
 * data goes from host to host; else those on a host meet first, their leader carries on between the
 * hosts, and the others take the result from its memory.
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
	struct coll_op group;
	int from, place;

	if (len == 0 || op->n == 1)
		return;
	map = coll_map(op);
	if (map->groups == op->n) {
		coll_hosts_broadcast(op, map, dest, source, len, root);
		return;
	}
	group = coll_group(op, map);
	from = coll_group_of(map, root, &place);
	if (map->mine == from && map->locals > 1)
		coll_local_broadcast(&group, dest, source, len, place);
	if (map->groups == 1)
		return;
	if (is_leader(map))
		coll_hosts_broadcast(op, map, dest, op->rank == root ? source : dest, len, from);
	if (map->mine != from)
		hand_out(&group, map, dest, len);
}

void
coll_gather_blocks(const struct coll_op *op, void *dest, const void *source,
		   const struct coll_blocks *blocks)
{
	const struct coll_map *map = coll_map(op);
	struct coll_op group = coll_group(op, map);
	int last = op->n - 1;

	if (map->groups == op->n) {
		coll_hosts_collect(op, map, dest, source, blocks);
		return;
	}
	coll_local_collect(&group, dest, source, blocks, map->groups == 1 ? COLL_ALL : map->lead);
	if (map->groups == 1)
		return;
	if (is_leader(map))
		coll_hosts_collect(op, map, dest, NULL, blocks);
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

void
coll_reduce(const struct coll_op *op, void *dest, const void *source, size_t n,
	    const struct coll_reduction *what)
{
	const struct coll_map *map;
	struct coll_op group;
	enum coll_way way;

	if (n == 0)
		return;
	if (op->n == 1) {
		if (dest != source)
			memcpy(dest, source, n * what->size);
		return;
	}
	map = coll_map(op);
	way = coll_choose(COLL_WORK_REDUCE, map, n * what->size);
	group = coll_group(op, map);
	if (way == COLL_WAY_HOST) {
		coll_local_reduce(&group, dest, source, n, what, COLL_ALL);
		return;
	}
	if (way == COLL_WAY_MEET) {
		coll_meet_reduce(op, map, dest, source, n, what);
		return;
	}
	if (map->groups == op->n) {
		coll_hosts_reduce(op, map, dest, source, n, what);
		return;
	}
	coll_local_reduce(&group, dest, source, n, what, map->lead);
	if (is_leader(map))
		coll_hosts_reduce(op, map, dest, dest, n, what);
	hand_out(&group, map, dest, n * what->size);
}
