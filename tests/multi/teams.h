/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef TEAMS_H
#define TEAMS_H

/**
 * @file
 * Teams of all shapes that a ring has: all, those that skip hosts, reversed, nested, of one, one PE
 * of each host, all of a host and one more, the rows and columns of a grid. A row or a column is
 * another team on other PEs; all else is alike on all.
 */

#include "multi.h"

enum {
	TEAMS = 10
};

struct team {
	const char *name;
	shmem_team_t handle; /* SHMEM_TEAM_INVALID: this PE is not in it */
	int me, n;	     /* -1 then */
	int world[MT_PES];   /* world PE of each member, computed, not asked */
};

/** Collective over the world. */
void teams_make(struct team teams[TEAMS]);
void teams_destroy(struct team teams[TEAMS]);

#endif /* TEAMS_H */
