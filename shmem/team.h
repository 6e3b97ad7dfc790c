/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SHMEMI_TEAM_H
#define SHMEMI_TEAM_H

#include "core/shmemi.h"

/** A team like @p model, whose slot has been agreed on. NULL without memory. */
struct shmemi_team *shmemi_team_new(const struct shmemi_team *model);
shmem_team_t shmemi_team_handle(struct shmemi_team *team);
/** Rank of a world PE in @p team, -1 if it is no member. */
int shmemi_team_rank(const struct shmemi_team *team, int pe);

#endif /* SHMEMI_TEAM_H */
