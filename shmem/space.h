/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SHMEMI_SPACE_H
#define SHMEMI_SPACE_H

#include "core/state.h"

/** Forget all spaces; their memory goes with the heap. */
void shmemi_spaces_close(void);
/** Destroy the spaces of a team that is about to be destroyed. */
void shmemi_spaces_leave(struct shmemi_team *team);

#endif /* SHMEMI_SPACE_H */
