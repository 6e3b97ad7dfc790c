/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <stdlib.h>
#include <string.h>

#include "coll.h"
#include "map.h"
#include "ring.h"

/*
 * Reductions in one order for all layouts. Every member gets what all have, piece by piece, and
 * folds it as a binary tree over the ranks. Where the members sit decides how pieces travel and how
 * long they are, never what is folded with what.
 */

/* t[0] = the fold of n rows of @p count elements, @p len bytes each. */
static void
fold_tree(char *t, int n, size_t len, size_t count, const struct coll_reduction *what)
{
	int step, i;

	for (step = 1; step < n; step *= 2) {
		for (i = 0; i + step < n; i += 2 * step) {
			char *left = t + (size_t)i * len;

			what->combine(left, left, left + (size_t)step * len, count);
		}
	}
}

/* Elements of a piece: what a host sends to the next one goes through its buffers, since the table
 * is private memory. */
static size_t
piece_elements(const struct coll_op *op, size_t size)
{
	const struct coll_map *map = coll_map(op);
	int largest = 1, g;
	size_t n;

	for (g = 0; map->groups > 1 && g < map->groups; g++)
		if (coll_group_size(map, g) > largest)
			largest = coll_group_size(map, g);
	n = COLL_CHUNK / ((size_t)largest * size);
	if (n == 0)
		shmemi_fatal(op->call, "%d members on a host of several; at most %zu may be there",
			     largest, COLL_CHUNK / size);
	return n;
}

void
coll_reproduce(const struct coll_op *op, void *dest, const void *source, size_t n,
	       const struct coll_reduction *what)
{
	size_t size = what->size, most, at, count;
	char *table;

	if (n == 0)
		return;
	if (op->n == 1) {
		if (dest != source)
			memcpy(dest, source, n * size);
		return;
	}
	most = piece_elements(op, size);
	if (most > n)
		most = n;
	table = malloc((size_t)op->n * most * size);
	if (table == NULL)
		shmemi_fatal(op->call, "no memory for %zu bytes of %d members", most * size, op->n);
	for (at = 0; at < n; at += count) {
		struct coll_blocks blocks = {.even = 0};

		count = n - at < most ? n - at : most;
		blocks.even = count * size;
		coll_gather_blocks(op, table, (const char *)source + at * size, &blocks);
		fold_tree(table, op->n, blocks.even, count, what);
		memcpy((char *)dest + at * size, table, blocks.even);
	}
	free(table);
}
