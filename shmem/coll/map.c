/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <stdlib.h>

#include "map.h"

static int
host_of(const struct coll_op *op, int rank)
{
	return rb_place_host(shmemi_team_pe(op->team, rank));
}

/* Group of @p rank; @p first has the first rank of each group. */
static int
find_group(const struct coll_op *op, const int *first, int groups, int rank)
{
	int host = host_of(op, rank), g;

	for (g = groups - 1; g >= 0; g--)
		if (host_of(op, first[g]) == host)
			return g;
	return -1;
}

/* Fill in member, group by group; leader holds the first ranks until then. */
static void
fill_groups(const struct coll_op *op, struct coll_map *m)
{
	int n = op->team->size, rank, g, at = 0;

	m->runs = true;
	for (g = 0; g < m->groups; g++) {
		m->first[g] = at;
		for (rank = m->leader[g]; rank < n; rank++)
			if (find_group(op, m->leader, m->groups, rank) == g)
				m->member[at++] = rank;
		m->runs &= m->member[at - 1] - m->leader[g] == at - 1 - m->first[g];
	}
	m->first[g] = at;
}

static void
choose_leaders(const struct coll_op *op, struct coll_map *m)
{
	int g, i;

	for (g = 0; g < m->groups; g++) {
		for (i = m->first[g]; i < m->first[g + 1]; i++) {
			int rank = m->member[i];

			if (rb_place_lead(shmemi_team_pe(op->team, rank)))
				m->leader[g] = rank;
			if (rank == op->team->rank)
				m->mine = g;
		}
	}
}

static void
share_buffers(struct coll_map *m)
{
	bool column = m->grid.rows > 1, ranks = column || !m->grid.sorted;

	m->part[COLL_ROW] = column ? COLL_OF_ROW : COLL_CHUNK - (ranks ? COLL_OF_RANKS : 0);
	m->part[COLL_COLUMN] = column ? COLL_OF_COLUMN : 0;
	m->part[COLL_RANKS] = ranks ? COLL_OF_RANKS : 0;
}

/* Which leaders are in the row and in the column of this PE's group. */
static void
lay_out(const struct coll_op *op, struct coll_map *m)
{
	struct coll_grid *g = &m->grid;
	coll_hops hops[COLL_GROUPS];
	int i, at;

	for (i = 0; i < m->groups; i++)
		for (at = 0; at < m->groups; at++)
			hops[i][at] = (uint8_t)rb_place_hops(host_of(op, m->leader[i]),
							     host_of(op, m->leader[at]));
	coll_grid_lay(g, hops, m->groups);
	at = g->places[m->mine];
	for (i = 0; i < g->columns; i++)
		m->row[i] = m->leader[g->order[at / g->columns * g->columns + i]];
	for (i = 0; i < g->rows; i++)
		m->column[i] = m->leader[g->order[i * g->columns + at % g->columns]];
}

static void
find_peers(const struct coll_op *op, struct coll_map *m)
{
	const int *members = coll_members(m, m->mine);
	int i;

	for (i = 0; i < m->locals; i++) {
		int pe = shmemi_team_pe(op->team, members[i]);

		if (members[i] == op->team->rank)
			m->local = i;
		if (members[i] == m->leader[m->mine])
			m->lead = i;
		m->peer[i] = rb_ptr(op->state->mem, pe);
		if (m->peer[i] == NULL)
			shmemi_fatal(op->call, "the memory of PE %d is not mapped here", pe);
	}
}

static void *
alloc_room(const struct coll_op *op, size_t n, size_t size)
{
	void *p = calloc(n, size);

	if (p == NULL)
		shmemi_fatal(op->call, "no memory for a team of %d members", op->team->size);
	return p;
}

void
coll_map_make(const struct coll_op *op)
{
	struct coll_map *m = alloc_room(op, 1, sizeof(*m));
	size_t n = (size_t)op->team->size;
	int rank;

	m->leader = alloc_room(op, n, sizeof(*m->leader));
	m->member = alloc_room(op, n, sizeof(*m->member));
	m->first = alloc_room(op, n + 1, sizeof(*m->first));
	for (rank = 0; rank < op->team->size; rank++)
		if (find_group(op, m->leader, m->groups, rank) < 0)
			m->leader[m->groups++] = rank;
	if (m->groups > COLL_GROUPS)
		shmemi_fatal(op->call, "a team on %d hosts: at most %d", m->groups, COLL_GROUPS);
	fill_groups(op, m);
	choose_leaders(op, m);
	lay_out(op, m);
	share_buffers(m);
	m->locals = coll_group_size(m, m->mine);
	if (m->locals > COLL_LOCALS)
		shmemi_fatal(op->call, "a team of %d members on a host: at most %d", m->locals,
			     COLL_LOCALS);
	m->peer = alloc_room(op, (size_t)m->locals, sizeof(struct coll_slot *));
	find_peers(op, m);
	op->state->map = m;
}

void
coll_map_free(struct coll_team *state)
{
	struct coll_map *m = state->map;

	state->map = NULL;
	if (m == NULL)
		return;
	free(m->peer);
	free(m->first);
	free(m->member);
	free(m->leader);
	free(m);
}

int
coll_group_of(const struct coll_map *map, int rank, int *place)
{
	int g, i;

	for (g = 0; g < map->groups; g++) {
		for (i = map->first[g]; i < map->first[g + 1]; i++) {
			if (map->member[i] == rank) {
				*place = i - map->first[g];
				return g;
			}
		}
	}
	*place = 0;
	return 0;
}
