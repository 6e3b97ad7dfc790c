/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef COLL_STEP_H
#define COLL_STEP_H

/**
 * @file
 * Steps: how members that share memory meet. A member enters step s by filling the line of s in its
 * own memory, with data or without, and setting its mark; others wait for that mark and read. No
 * counter is written by all of them. A member that gets the CPU after the last arrival goes
 * straight on to the next step: on a machine with more PEs than CPUs each is scheduled once.
 *
 * All members of a group enter the same steps in the same order. A member that enters step s + 1 is
 * done with what others contributed to step s. So a line may be filled again for step s +
 * COLL_STEPS once all have entered s + 1, and room for larger data likewise for step s +
 * COLL_STAGES (doc/protocols.md, tests/spin/step.pml).
 *
 * All take the op of a group: coll_group().
 */

#include <stdatomic.h>

#include "map.h"

static inline struct coll_line *
coll_line(struct coll_slot *mem, uint64_t step)
{
	return &mem->words.line[step % COLL_STEPS];
}

static inline uint8_t *
coll_line_data(struct coll_slot *mem, uint64_t step, size_t len)
{
	return len <= COLL_SMALL ? coll_line(mem, step)->small : mem->stage[step % COLL_STAGES];
}

/** Wait until the next step's line may be filled. @return room for @p len bytes, up to COLL_STAGE
 */
void *coll_step_room(const struct coll_op *op, size_t len);
/** Enter the next step; @p len bytes lie in the room, or with @p at where that says. */
void coll_step_enter(const struct coll_op *op, size_t len, uint64_t at);
/** The same with a copy of @p data. */
void coll_step_contribute(const struct coll_op *op, const void *data, size_t len);
/** Enter the next step with nothing that anybody reads. The line keeps what it has but for its
 * mark, so this waits for nobody: a mark of a later step is as good to those who wait for an
 * earlier one. */
void coll_step_pass(const struct coll_op *op);
/** Wait until member @p i has entered this PE's step. */
const struct coll_line *coll_step_wait(const struct coll_op *op, int i);
/** The same for all members. */
void coll_step_all(const struct coll_op *op);
/** The @p len bytes that member @p i, which has been waited for, contributed. NULL: out of reach */
const void *coll_step_data(const struct coll_op *op, int i, size_t len);

/** World PE of member @p i. */
static inline int
coll_step_pe(const struct coll_op *op, int i)
{
	return shmemi_team_pe(op->team, op->ranks[i]);
}

#endif /* COLL_STEP_H */
