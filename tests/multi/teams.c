/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <string.h>

#include "multi.h"
#include "teams.h"

enum {
	ROW = 3
};

static void
set(struct team *team, const char *name, shmem_team_t handle, int start, int stride, int n)
{
	int i;

	team->name = name;
	team->handle = handle;
	team->me = -1;
	team->n = n;
	for (i = 0; i < n; i++) {
		team->world[i] = start + i * stride;
		if (team->world[i] == mt_me)
			team->me = i;
	}
	CHECK_MSG((handle != SHMEM_TEAM_INVALID) == (team->me >= 0), "handle of team %s", name);
	CHECK_MSG(shmem_team_my_pe(handle) == team->me, "team %s: my_pe is %d, not %d", name,
		  shmem_team_my_pe(handle), team->me);
	CHECK_MSG(shmem_team_n_pes(handle) == (team->me >= 0 ? n : -1), "team %s: n_pes is %d",
		  name, shmem_team_n_pes(handle));
}

/** Split off @p n PEs of the world and note them. */
static void
split(struct team *team, const char *name, int start, int stride, int n)
{
	shmem_team_t handle = SHMEM_TEAM_WORLD;

	CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, start, stride, n, NULL, 0, &handle), 0);
	set(team, name, handle, start, stride, n);
}

/* The first PE of each PE's host, by what the library lets reach directly. */
static void
find_hosts(int host[MT_PES])
{
	int *of = mt_alloc((size_t)mt_npes * sizeof(*of)), first = 0, pe;

	while (shmem_ptr(of, first) == NULL)
		first++;
	for (pe = 0; pe < mt_npes; pe++)
		shmem_int_p(&of[mt_me], first, pe);
	shmem_barrier_all();
	memcpy(host, of, (size_t)mt_npes * sizeof(*host));
	shmem_free(of);
}

/* From PE 0 on by the distance to the first PE of another host, as long as hosts are new ones. */
static void
one_a_host(struct team *team, const int host[MT_PES])
{
	int stride = 1, n = 1, i;
	bool is_new = true;

	while (stride < mt_npes && host[stride] == 0)
		stride++;
	for (; is_new && n * stride < mt_npes; n += is_new)
		for (i = 0; is_new && i < n; i++)
			is_new = host[n * stride] != host[i * stride];
	split(team, "one a host", 0, stride, n);
}

/* The PEs of PE 0's host, as far as they are equally far apart, and the PE after them. Where PEs
 * are dealt one by one round the hosts there is no such team. */
static void
host_and_one(struct team *team, const int host[MT_PES])
{
	int stride = 1, n = 1;

	while (stride < mt_npes && host[stride] != 0)
		stride++;
	if (stride == mt_npes)
		stride = 1;
	while (n * stride < mt_npes && host[n * stride] == 0)
		n++;
	split(team, "host and one", 0, stride, n * stride < mt_npes ? n + 1 : n);
}

/* A grid whose rows have three PEs, the last one perhaps fewer: every PE is in a row and in a
 * column, which do what they do at the same time as the other rows and columns. */
static void
grid(struct team *row, struct team *column)
{
	int x = mt_me % ROW, y = mt_me / ROW, left = mt_npes - y * ROW;
	shmem_team_t handle[2];

	CHECK_EQ(shmem_team_split_2d(SHMEM_TEAM_WORLD, ROW, NULL, 0, &handle[0], NULL, 0,
				     &handle[1]),
		 0);
	set(row, "row", handle[0], y * ROW, 1, left < ROW ? left : ROW);
	set(column, "column", handle[1], x, ROW, (mt_npes - x + ROW - 1) / ROW);
}

void
teams_make(struct team teams[TEAMS])
{
	int evens = (mt_npes + 1) / 2, last = mt_npes - 1;
	shmem_team_t handle = SHMEM_TEAM_WORLD;
	int host[MT_PES];

	mt_waiting("team splits");
	find_hosts(host);
	set(&teams[0], "world", SHMEM_TEAM_WORLD, 0, 1, mt_npes);
	split(&teams[1], "even", 0, 2, evens);
	split(&teams[2], "reversed", last, -1, mt_npes);
	split(&teams[3], "last", last, 1, 1);
	/* All but PE 0, backwards by two: 4 2 of 5, 3 1 of 4. */
	split(&teams[4], "backwards", last, -2, mt_npes > 1 ? mt_npes / 2 : 1);
	/* A split of the reversed team: the even members, from its end. */
	CHECK_EQ(shmem_team_split_strided(teams[2].handle, 2 * (evens - 1), -2, evens, NULL, 0,
					  &handle),
		 0);
	set(&teams[5], "nested", handle, last - 2 * (evens - 1), 2, evens);
	one_a_host(&teams[6], host);
	host_and_one(&teams[7], host);
	grid(&teams[8], &teams[9]);
}

void
teams_destroy(struct team teams[TEAMS])
{
	int i;

	for (i = TEAMS - 1; i > 0; i--)
		shmem_team_destroy(teams[i].handle);
}
