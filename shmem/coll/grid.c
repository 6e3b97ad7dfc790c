/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "grid.h"

/*
 * Hosts that stand row after row, each one hop from the next in its row and in its column, are a
 * grid if that saves steps: a torus, a part of one, a mesh of 6. Data go along the rows and next
 * along the columns: as many steps as half the sides are long, instead of half the hosts.
 *
 * All others are one row, round which each host sends to the next one: the shortest way round that
 * is found by taking the nearest host next, and turning parts of the way as long as that shortens
 * it. It is the order of the hosts itself where that costs at most a quarter more, as in a ring.
 */
static int
way_round(const coll_hops *hops, const uint8_t *order, int n)
{
	int i, sum = 0;

	for (i = 0; i < n; i++)
		sum += hops[order[i]][order[(i + 1) % n]];
	return sum;
}

static bool
is_grid(const coll_hops *hops, int n, int columns)
{
	int i;

	for (i = 0; i < n; i++)
		if ((i % columns != 0 && hops[i][i - 1] != 1) ||
		    (i >= columns && hops[i][i - columns] != 1))
			return false;
	return true;
}

static void
swap_places(uint8_t *order, int a, int b)
{
	uint8_t was = order[a];

	order[a] = order[b];
	order[b] = was;
}

static void
take_nearest(const coll_hops *hops, uint8_t *order, int n)
{
	int i, k;

	for (i = 1; i < n; i++)
		for (k = i + 1; k < n; k++)
			if (hops[order[i - 1]][order[k]] < hops[order[i - 1]][order[i]])
				swap_places(order, i, k);
}

/* Go through the places [from, to] the other way, if that is shorter. */
static bool
turn_part(const coll_hops *hops, uint8_t *order, int n, int from, int to)
{
	int before = order[from - 1], behind = order[(to + 1) % n];
	int now = hops[before][order[from]] + hops[order[to]][behind];
	int turned = hops[before][order[to]] + hops[order[from]][behind];

	if (turned >= now)
		return false;
	while (from < to)
		swap_places(order, from++, to--);
	return true;
}

static void
shorten_way(const coll_hops *hops, uint8_t *order, int n)
{
	bool shorter;
	int from, to;

	do {
		shorter = false;
		for (from = 1; from < n - 1; from++)
			for (to = from + 1; to < n; to++)
				shorter |= turn_part(hops, order, n, from, to);
	} while (shorter);
}

void
coll_grid_lay(struct coll_grid *g, const coll_hops *hops, int n)
{
	uint8_t order[COLL_GROUPS];
	int columns, i;

	*g = (struct coll_grid){.columns = n, .rows = 1, .sorted = true};
	for (i = 0; i < n; i++)
		g->order[i] = order[i] = (uint8_t)i;
	for (columns = 2; columns <= n / 2; columns++)
		if (n % columns == 0 &&
		    columns / 2 + n / columns / 2 < g->columns / 2 + g->rows / 2 &&
		    is_grid(hops, n, columns)) {
			g->columns = columns;
			g->rows = n / columns;
		}
	if (g->rows == 1) {
		take_nearest(hops, order, n);
		shorten_way(hops, order, n);
		g->sorted = 4 * way_round(hops, g->order, n) <= 5 * way_round(hops, order, n);
	}
	for (i = 0; i < n; i++) {
		if (!g->sorted)
			g->order[i] = order[i];
		g->places[g->order[i]] = (uint8_t)i;
	}
}
