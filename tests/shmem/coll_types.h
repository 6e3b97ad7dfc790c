/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef COLL_TYPES_H
#define COLL_TYPES_H

/* Teams that the collectives are tried on, and shapes of their arguments. */

#include <stddef.h>

#include "multi.h"

struct ct_team {
	const char *label;
	shmem_team_t team; /**< SHMEM_TEAM_INVALID: not a member */
	int n, me;	   /**< of the team */
};

enum {
	CT_TEAMS = 5,
	CT_MAX_PES = 64
};

/** Static arrays have room for so many PEs: ends programs on larger layouts as skipped. */
static inline void
ct_fits(void)
{
	if (mt_npes > CT_MAX_PES)
		mt_skip("arrays have room for %d PEs, not for %d", CT_MAX_PES, mt_npes);
}

/** The world, it reversed, its even PEs, all but the first, and one made of the last PE. */
void ct_teams_make(struct ct_team team[CT_TEAMS]);
void ct_teams_free(struct ct_team team[CT_TEAMS]);

/** Patterns as mt_fill() and mt_differs() make and judge them, but for megabytes. */
void ct_fill(void *at, size_t len, uint64_t key);
size_t ct_differs(const void *at, size_t len, uint64_t key);

#endif /* COLL_TYPES_H */
