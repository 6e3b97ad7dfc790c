/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "state.h"

struct shmemi_state shmemi = {.pe = -1};
struct shmemi_team shmemi_team_world;
struct shmemi_team shmemi_team_shared;
struct shmemi_ctx shmemi_ctx_default;
