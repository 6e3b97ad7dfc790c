/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Teams, and the calls that are like no other (wrap.py makes the rest).
 */
#include <dlfcn.h>
#include <pthread.h>

#include <shmemx.h>

#include "teams.h"

enum {
	WORLD = 1, /* numbers of teams: equal on all members */
	SHARED = 2,
	TEAMS = 1024
};

struct team {
	shmem_team_t handle;
	uint64_t id, splits;
};
static pthread_mutex_t teams_lock = PTHREAD_MUTEX_INITIALIZER;
static struct team teams[TEAMS] = {{SHMEM_TEAM_WORLD, WORLD, 0}, {SHMEM_TEAM_SHARED, SHARED, 0}};

static uint64_t
mix_numbers(uint64_t a, uint64_t b)
{
	a = (a ^ b) * 0x9e3779b97f4a7c15u;
	return (a ^ (a >> 29)) >> 1;
}

static struct team *
team_of(shmem_team_t handle)
{
	size_t i;

	for (i = 0; i < TEAMS; i++)
		if (teams[i].handle == handle)
			return &teams[i];
	return NULL;
}

/* A parent splits in the same order on all members; its parts differ by their first member. */
void
note_team(shmem_team_t parent, int axis, shmem_team_t handle)
{
	struct team *from, *to;

	pthread_mutex_lock(&teams_lock);
	from = team_of(parent);
	to = handle == SHMEM_TEAM_INVALID ? NULL : team_of(NULL);
	if (from != NULL)
		from->splits++;
	if (from != NULL && to != NULL) {
		uint64_t first = (uint64_t)pshmem_team_translate_pe(handle, 0, SHMEM_TEAM_WORLD);

		to->id = mix_numbers(mix_numbers(mix_numbers(from->id, from->splits), first),
				     (uint64_t)axis + 1);
		to->splits = 0;
		to->handle = handle;
	}
	pthread_mutex_unlock(&teams_lock);
}

struct entry *
team_begin(enum record_kind kind, shmem_team_t handle)
{
	struct team *team;
	uint64_t id;

	if (handle == SHMEM_TEAM_INVALID)
		return NULL;
	pthread_mutex_lock(&teams_lock);
	team = team_of(handle);
	id = team ? team->id : 0;
	if (id == SHARED)
		id = mix_numbers(id,
				 (uint64_t)pshmem_team_translate_pe(handle, 0, SHMEM_TEAM_WORLD));
	pthread_mutex_unlock(&teams_lock);
	return id == 0 ? NULL
		       : record_begin(&(struct call){kind, 0, (void *)(uintptr_t)id, 0,
						     SHMEM_CTX_DEFAULT,
						     (uint64_t)pshmem_team_n_pes(handle), 0});
}

void
forget_team(shmem_team_t handle)
{
	struct team *team;

	pthread_mutex_lock(&teams_lock);
	team = handle == SHMEM_TEAM_INVALID ? NULL : team_of(handle);
	if (team != NULL)
		team->handle = NULL;
	pthread_mutex_unlock(&teams_lock);
}

void
start_pes(int npes)
{
	(void)npes;
	pshmem_init();
	record_open();
}

void
quiet_one(shmem_ctx_t ctx, int pe, uint64_t invoked)
{
	record_done(&(struct call){KIND_quiet, 0, NULL, pe, ctx, 0, 0}, invoked, 0);
	record_quiet(ctx, record_world_pe(ctx, pe));
}

/* Ringbell's own: a lock that one PE has by it, others must not have. */
int(shmemx_set_lock_for)(long *lock, uint64_t ns)
{
	static int (*next)(long *, uint64_t);
	struct entry *entry = BEGIN(KIND_set_lock, lock, RECORD_ALL_PES, SHMEM_CTX_DEFAULT, 0, 0);
	int busy;

	if (next == NULL)
		next = (int (*)(long *, uint64_t))dlsym(RTLD_NEXT, "shmemx_set_lock_for");
	busy = next(lock, ns);
	record_result(entry, (uint64_t)busy);
	return busy;
}
