/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef COLL_CHECK_H
#define COLL_CHECK_H

/**
 * @file
 * Checked mode: do all members make the same call, and one thread of each?
 */

#include "op.h"

enum {
	COLL_SIGNATURE_ARGS = 4
};

/** Arguments of a call that must be the same on all members of a team; the rest is 0. */
struct coll_signature {
	const void *dest, *source; /**< symmetric objects */
	struct {
		const char *name; /**< NULL: none */
		int64_t value;
	} arg[COLL_SIGNATURE_ARGS];
	bool sync; /**< one of the calls that only synchronise, and may meet each other */
};

/** How every collective begins and ends, for those outside of coll/: it waits for what is posted on
 *  @p team, in any mode, and in checked mode compares the members' calls. @p sig may be NULL. */
void shmemi_check_team(const char *call, struct shmemi_team *team,
		       const struct coll_signature *sig);
void shmemi_check_team_end(struct shmemi_team *team);

/** @return the sum of what the members give as @p bytes */
size_t coll_check_enter(const struct coll_op *op, const struct coll_signature *sig, size_t bytes)
	__attribute__((cold));
void coll_check_leave(const struct coll_op *op) __attribute__((cold));

static inline void
coll_leave(const struct coll_op *op)
{
	if (shmemi.check && op->n > 1)
		coll_check_leave(op);
}

#endif /* COLL_CHECK_H */
