/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SHMEMI_CONTEXT_H
#define SHMEMI_CONTEXT_H

struct shmemi_team;

/** Destroy the contexts left on @p team. */
void shmemi_contexts_close(struct shmemi_team *team);

#endif /* SHMEMI_CONTEXT_H */
