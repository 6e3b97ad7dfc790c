/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <pthread.h>

#include "error.h"
#include "team_table.h"

/* Teams of the program, so that finalize can destroy those that are left. */
static struct {
	pthread_mutex_t lock;
	struct shmemi_team *first;
} teams = {.lock = PTHREAD_MUTEX_INITIALIZER};

struct shmemi_team *
shmemi_team_checked(const char *call, shmem_team_t handle)
{
	struct shmemi_team *team;

	pthread_mutex_lock(&teams.lock);
	for (team = teams.first; team != NULL && (void *)team != (void *)handle;)
		team = team->next;
	pthread_mutex_unlock(&teams.lock);
	if (team == NULL)
		shmemi_fatal(call, "%p is not a team, or was destroyed", (void *)handle);
	return team;
}

shmem_team_t
shmemi_team_handle(struct shmemi_team *team)
{
	if (team == &shmemi_team_world)
		return SHMEM_TEAM_WORLD;
	if (team == &shmemi_team_shared)
		return SHMEM_TEAM_SHARED;
	return (shmem_team_t)(void *)team;
}

void
shmemi_team_link(struct shmemi_team *team)
{
	pthread_mutex_lock(&teams.lock);
	team->next = teams.first;
	teams.first = team;
	pthread_mutex_unlock(&teams.lock);
}

void
shmemi_team_unlink(struct shmemi_team *team)
{
	struct shmemi_team **at = &teams.first;

	pthread_mutex_lock(&teams.lock);
	while (*at != team)
		at = &(*at)->next;
	*at = team->next;
	pthread_mutex_unlock(&teams.lock);
}

struct shmemi_team *
shmemi_team_first(void)
{
	return teams.first;
}

int
shmemi_team_rank(const struct shmemi_team *team, int pe)
{
	int away = pe - team->start, rank;

	for (rank = 0; team->pes != NULL && rank < team->size; rank++)
		if (team->pes[rank] == pe)
			return rank;
	if (team->pes != NULL)
		return -1;
	if (team->size == 1)
		return away == 0 ? 0 : -1;
	if (away % team->stride != 0)
		return -1;
	rank = away / team->stride;
	return rank >= 0 && rank < team->size ? rank : -1;
}
