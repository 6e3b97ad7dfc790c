/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_OP_BARRIER_H
#define RB_OP_BARRIER_H

/**
 * @file
 * Barriers of all PEs. Between hosts counts travel both ways round a ring. Elsewhere arrivals
 * spread over all cables.
 */

#include <stdbool.h>
#include <stdint.h>

/** Wait until all PEs have arrived. Completes no operations: call rb_quiet() first on the contexts
 *  in use. */
void rb_barrier(void);
/** The same where a wait may come back in another thread. It is not in the counts and times of
 *  barriers, which are of threads. */
void rb_barrier_uncounted(void);

/** Name a PE or host that has not arrived in the barrier in which this PE waits. A PE of this host:
 *  @p local is its index. Another host: @p local is -1 and @p host is its id. @return false if none
 *  is known */
bool rb_barrier_missing(int *local, int *host);

struct rb_barriers {
	uint64_t epoch; /**< of rb_barrier() */
};
extern struct rb_barriers rb_barriers;

#endif /* RB_OP_BARRIER_H */
