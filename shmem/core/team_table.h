/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SHMEMI_TEAM_TABLE_H
#define SHMEMI_TEAM_TABLE_H

/**
 * @file
 * The teams of the program and their handles.
 */

#include "state.h"

/** Checked mode: a team that the program has made, if there still is one; else the job ends. */
struct shmemi_team *shmemi_team_checked(const char *call, shmem_team_t handle)
	__attribute__((cold));

/** Team handles are pointers; NULL (with no message) for SHMEM_TEAM_INVALID. */
static inline struct shmemi_team *
shmemi_team_of(const char *call, shmem_team_t handle)
{
	if (handle == SHMEM_TEAM_WORLD)
		return &shmemi_team_world;
	if (handle == SHMEM_TEAM_SHARED)
		return &shmemi_team_shared;
	if (handle == SHMEM_TEAM_INVALID)
		return NULL;
	return __builtin_expect(shmemi.check, 0) ? shmemi_team_checked(call, handle)
						 : (struct shmemi_team *)(void *)handle;
}

shmem_team_t shmemi_team_handle(struct shmemi_team *team);
/** Rank of a world PE in @p team, -1 if it is not a member. */
int shmemi_team_rank(const struct shmemi_team *team, int pe);

/** The teams that finalize must destroy if the program has not. */
void shmemi_team_link(struct shmemi_team *team);
void shmemi_team_unlink(struct shmemi_team *team);
/** The one linked last, NULL: none; for finalize. */
struct shmemi_team *shmemi_team_first(void);

#endif /* SHMEMI_TEAM_TABLE_H */
