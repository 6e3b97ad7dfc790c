/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef COLL_WORK_H
#define COLL_WORK_H

/**
 * @file
 * Carries out a call of a collective that is given as data (struct coll_work). Blocking calls,
 * posted ones and those on active sets differ in when that is, and on which team.
 */

#include "op.h"

/** Check the arguments, and in checked mode that all members make the same call; carry it out. */
void coll_work_run(const struct coll_op *op, const struct coll_work *work);
/** A blocking call on @p team. 0; -1: it is SHMEM_TEAM_INVALID */
int coll_work_on(const char *call, shmem_team_t team, const struct coll_work *work);
/** About how many bytes this PE copies for it, with @p n members. */
size_t coll_work_bytes(const struct coll_work *work, int n);

#endif /* COLL_WORK_H */
