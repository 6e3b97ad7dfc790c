/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef COLL_MAP_H
#define COLL_MAP_H

/**
 * @file
 * Which host each member of a team runs on: a group for each host, and in each group one member,
 * its leader, that exchanges messages with the leaders of the other hosts. The leader is the lead
 * PE of the host where that is a member, since it owns the ports.
 */

#include "grid.h"
#include "op.h"

struct coll_map {
	int groups;	       /**< in the order of their first ranks */
	int mine;	       /**< this PE's */
	int locals;	       /**< members of it */
	int local;	       /**< this PE among them, by rank */
	int lead;	       /**< the leader among them */
	bool runs;	       /**< the ranks of every group follow one another */
	int *first;	       /**< [groups + 1] where a group begins in member */
	int *member;	       /**< [n] ranks, group by group */
	int *leader;	       /**< [groups] rank */
	struct coll_grid grid; /**< of the groups */
	int row[COLL_GROUPS], column[COLL_GROUPS]; /**< ranks of the leaders of this one's */
	size_t part[COLL_AXES];			   /**< bytes of each buffer */
	struct coll_slot **peer; /**< [locals] memory of the members of this group */
};

void coll_map_make(const struct coll_op *op);
void coll_map_free(struct coll_team *state);

/** The map of the team of @p op, made on first use: teams come and go without a collective. */
static inline const struct coll_map *
coll_map(const struct coll_op *op)
{
	if (__builtin_expect(op->state->map == NULL, 0))
		coll_map_make(op);
	return op->state->map;
}

static inline const int *
coll_members(const struct coll_map *map, int group)
{
	return &map->member[map->first[group]];
}

static inline int
coll_group_size(const struct coll_map *map, int group)
{
	return map->first[group + 1] - map->first[group];
}

/** The same call among @p n of the members. */
static inline struct coll_op
coll_part(const struct coll_op *op, int n, int rank, const int *ranks, enum coll_axis axis)
{
	return (struct coll_op){.call = op->call,
				.team = op->team,
				.state = op->state,
				.n = n,
				.rank = rank,
				.ranks = ranks,
				.axis = axis};
}

/** ... on this host. */
static inline struct coll_op
coll_group(const struct coll_op *op, const struct coll_map *map)
{
	return coll_part(op, map->locals, map->local, coll_members(map, map->mine), COLL_ROW);
}

/** ... that are leaders, in the order of their groups; this one is one, here and below. */
static inline struct coll_op
coll_leaders(const struct coll_op *op, const struct coll_map *map)
{
	bool row = map->grid.rows == 1 && map->grid.sorted;

	return coll_part(op, map->groups, map->mine, map->leader, row ? COLL_ROW : COLL_RANKS);
}

/** ... in the row of this host, which may be all; see grid.h. */
static inline struct coll_op
coll_row(const struct coll_op *op, const struct coll_map *map)
{
	const struct coll_grid *g = &map->grid;

	return coll_part(op, g->columns, g->places[map->mine] % g->columns, map->row, COLL_ROW);
}

/** ... in its column, which may be this host alone. */
static inline struct coll_op
coll_column(const struct coll_op *op, const struct coll_map *map)
{
	const struct coll_grid *g = &map->grid;
	int rank = g->places[map->mine] / g->columns;

	return coll_part(op, g->rows, rank, map->column, COLL_COLUMN);
}

/** Index of the group and place in it of the team's @p rank. */
int coll_group_of(const struct coll_map *map, int rank, int *place);

#endif /* COLL_MAP_H */
