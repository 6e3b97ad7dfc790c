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

#include "op.h"

struct coll_map {
	int groups;		 /**< in the order of their first ranks */
	int mine;		 /**< this PE's */
	int locals;		 /**< members of it */
	int local;		 /**< this PE among them, by rank */
	int lead;		 /**< the leader among them */
	bool runs;		 /**< the ranks of every group follow one another */
	int *first;		 /**< [groups + 1] where a group begins in member */
	int *member;		 /**< [n] ranks, group by group */
	int *leader;		 /**< [groups] rank */
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

/** The same call among the members on this host. */
static inline struct coll_op
coll_group(const struct coll_op *op, const struct coll_map *map)
{
	return (struct coll_op){.call = op->call,
				.team = op->team,
				.state = op->state,
				.n = map->locals,
				.rank = map->local,
				.ranks = coll_members(map, map->mine)};
}

/** The same call among the leaders; for leaders. */
static inline struct coll_op
coll_leaders(const struct coll_op *op, const struct coll_map *map)
{
	return (struct coll_op){.call = op->call,
				.team = op->team,
				.state = op->state,
				.n = map->groups,
				.rank = map->mine,
				.ranks = map->leader};
}

/** Index of the group and place in it of the team's @p rank. */
int coll_group_of(const struct coll_map *map, int rank, int *place);

#endif /* COLL_MAP_H */
