/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_OP_BARRIER_H
#define RB_OP_BARRIER_H

/**
 * @file
 * Barriers of the hosts, selected by RINGBELL_BARRIER: counts that run both ways (op/barrier.c),
 * and two of the systems that Ringbell follows, to measure against (op/barrier_baselines.c).
 */

#include "link/chan.h"

/** What the neighbour on @p side has told. */
static inline uint64_t
rb_barrier_word(enum rb_side side)
{
	const struct rb_link *link = &rb.link[side];

	/* acquire: pairs with rb_barrier_tell(); what the sender did before its barrier is visible
	 * after */
	return link->port == NULL ? 0 : __atomic_load_n(&link->mine->barrier, __ATOMIC_ACQUIRE);
}

/** @p word 0: nothing to tell. */
static inline void
rb_barrier_tell(enum rb_side side, uint64_t word)
{
	struct rb_link *link = &rb.link[side];

	if (link->port == NULL || word == 0)
		return;
	rb_win_order(link);
	rb_race_sent();
	__atomic_store_n(&link->theirs->barrier, word, __ATOMIC_RELEASE);
	rb_win_push(link);
}

void rb_barrier_startend(void);
void rb_barrier_counting(uint64_t epoch);

/** Can the chosen barrier work over the links that are there? 0 or -EINVAL, words. */
int rb_barrier_check(void);

/** Who has not come to the barrier that this PE waits in: a PE of this host by its index, else
 *  @p local is -1 and it is a host. @return whether it can be told */
bool rb_barrier_missing(int *local, int *host);

#endif /* RB_OP_BARRIER_H */
