/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef TEAMS_H
#define TEAMS_H

/** @file What the wrappers are made with (wrap.py). */

#include "record.h"

#define ENTRY(kind, at, pe, ctx, a, b) record_begin(&(struct call){kind, 0, at, pe, ctx, a, b})
#define BEGIN(kind, at, pe, ctx, a, b) \
	record_begin(&(struct call){kind, TYPE_OF(__typeof__(*(at))), at, pe, ctx, a, b})
#define RANGE(dest, pe, ctx, bytes) ENTRY(KIND_put, dest, pe, ctx, bytes, 0)
/* Waits and tests of this PE's own words. One of several words is an entry for each that satisfied
 * its comparison; a test that says no has none, since programs repeat it without end. */
#define SEEN(kind, word, cmp, value, result)                                                       \
	record_done(&(struct call){KIND##kind, TYPE_OF(__typeof__(word)), &(word), pshmem_my_pe(), \
				   SHMEM_CTX_DEFAULT, (uint64_t)(cmp), BITS(value)},               \
		    invoked, result)
/* The word is read behind the time of the call: as an argument it might be read before it. */
#define LOOK(at)                                                                       \
	do {                                                                           \
		struct entry *look =                                                   \
			BEGIN(KIND_look, at, pshmem_my_pe(), SHMEM_CTX_DEFAULT, 0, 0); \
		record_result(look, record_word(at, sizeof(*(at))));                   \
	} while (0)

/** The @p axis of a split of @p parent gave @p handle. */
void note_team(shmem_team_t parent, int axis, shmem_team_t handle);
void forget_team(shmem_team_t handle);
/** A quiet of one PE of the team of @p ctx has returned. */
void quiet_one(shmem_ctx_t ctx, int pe, uint64_t invoked);
/** A meeting of a team. */
struct entry *team_begin(enum record_kind kind, shmem_team_t handle);

#endif /* TEAMS_H */
