/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "multi.h"
#include "teams.h"

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

void
teams_make(struct team teams[TEAMS])
{
	int evens = (mt_npes + 1) / 2, last = mt_npes - 1;
	shmem_team_t handle = SHMEM_TEAM_WORLD;

	mt_waiting("team splits");
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
}

void
teams_destroy(struct team teams[TEAMS])
{
	int i;

	for (i = TEAMS - 1; i > 0; i--)
		shmem_team_destroy(teams[i].handle);
}
