/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_OP_BARRIER_H
#define RB_OP_BARRIER_H

/**
 * @file
 * Barriers of all PEs, selected by RINGBELL_BARRIER: counts that run both ways between the hosts,
 * or op/barrier_baselines.h.
 */

#include <stdbool.h>
#include <stdint.h>

/** All PEs: arrival. Completes no operations: call rb_quiet() on the contexts in use before. */
void rb_barrier(void);

/** Who has not come to the barrier that this PE waits in: a PE of this host by its index, else
 *  @p local is -1 and it is a host. @return whether it can be told */
bool rb_barrier_missing(int *local, int *host);

struct rb_barriers {
	uint64_t epoch; /**< of rb_barrier() */
	bool opening;	/**< the first barrier of a ring whose hosts start one by one */
};
extern struct rb_barriers rb_barriers;

#endif /* RB_OP_BARRIER_H */
