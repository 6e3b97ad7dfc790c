/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SHMEMI_TEAM_H
#define SHMEMI_TEAM_H

#include "core/state.h"

/** World and shared team. */
void shmemi_teams_open(void);
void shmemi_teams_close(void);
/** A team like @p model, whose slot has been agreed on. NULL without memory. */
struct shmemi_team *shmemi_team_new(const struct shmemi_team *model);
/** Its memory; it has been unlinked. */
void shmemi_team_free(struct shmemi_team *team);

#endif /* SHMEMI_TEAM_H */
