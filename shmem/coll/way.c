/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "way.h"

/* The hosts of a team, as a row of the table demands them. */
enum hosts {
	ONE,	/* all members are on one */
	APART,	/* each member is on its own */
	SHARED, /* at most COLL_PARTS, with several members on some */
	RUNS,	/* the ranks on each follow one another */
	GRID,	/* more than one row */
	ANY
};

#define NO_LIMIT SIZE_MAX

/*
 * The first row that fits. Syncs and collects have one way, along the axes. Few steps matter for
 * little data, and the load of each cable for much:
 *
 * - FOLD takes half the hops of MIDDLE, and each member keeps the data of all in its row.
 * - Two dimensions take as many steps as their sides together, but pass large data on twice, one
 *   after the other. A broadcast in one piece and a collect (whose pieces are all different) gain.
 * - MIDDLE goes through few buffers, so a member runs ahead only as far as these go. What is on its
 *   way along a CHAIN lies in dest, so a member that has the CPU goes on as long as there is data.
 * - MEET lets nobody wait until the leader of a host has a CPU.
 *
 * All members of a reduction fold in the same order, so they get the same bits.
 */
static const struct {
	enum coll_kind kind;
	enum hosts hosts;
	size_t most, all; /* bytes of a member, and of those in the longest row or column */
	enum coll_way way;
} ways[] = {
	{COLL_WORK_BROADCAST, GRID, COLL_DIRECT, NO_LIMIT, COLL_WAY_DIMENSIONS},
	{COLL_WORK_BROADCAST, ANY, NO_LIMIT, NO_LIMIT, COLL_WAY_CHAIN},
	{COLL_WORK_REDUCE, ONE, NO_LIMIT, NO_LIMIT, COLL_WAY_HOST},
	{COLL_WORK_REDUCE, SHARED, COLL_PART, NO_LIMIT, COLL_WAY_MEET},
	{COLL_WORK_REDUCE, ANY, NO_LIMIT, COLL_FEW, COLL_WAY_FOLD},
	{COLL_WORK_REDUCE, ANY, COLL_CHAIN, NO_LIMIT, COLL_WAY_MIDDLE},
	{COLL_WORK_REDUCE, ANY, NO_LIMIT, NO_LIMIT, COLL_WAY_CHAIN},
	{COLL_WORK_SCAN, ONE, NO_LIMIT, NO_LIMIT, COLL_WAY_HOST},
	{COLL_WORK_SCAN, APART, NO_LIMIT, NO_LIMIT, COLL_WAY_RANKS},
	{COLL_WORK_SCAN, RUNS, NO_LIMIT, NO_LIMIT, COLL_WAY_PIECES},
	{COLL_WORK_SCAN, ANY, NO_LIMIT, NO_LIMIT, COLL_WAY_ALL},
	{COLL_WORK_ALLTOALLS, ONE, NO_LIMIT, NO_LIMIT, COLL_WAY_HOST},
	{COLL_WORK_ALLTOALLS, ANY, NO_LIMIT, NO_LIMIT, COLL_WAY_EACH},
};

static bool
fits_hosts(enum hosts hosts, const struct coll_map *map)
{
	switch (hosts) {
	case ONE:
		return map->groups == 1;
	case APART:
		return map->groups == map->first[map->groups];
	case SHARED:
		return map->groups <= COLL_PARTS && map->groups < map->first[map->groups];
	case RUNS:
		return map->runs;
	case GRID:
		return map->grid.rows > 1;
	default:
		return true;
	}
}

enum coll_way
coll_choose(enum coll_kind kind, const struct coll_map *map, size_t len)
{
	const struct coll_grid *g = &map->grid;
	size_t side = (size_t)(g->columns > g->rows ? g->columns : g->rows), i = 0;

	/* the last row of each kind fits */
	while (ways[i].kind != kind || !fits_hosts(ways[i].hosts, map) || len > ways[i].most ||
	       len > ways[i].all / side)
		i++;
	return ways[i].way;
}
