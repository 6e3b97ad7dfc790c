/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_HOST_YIELD_H
#define RB_HOST_YIELD_H

/**
 * @file
 * How a thread lets others run.
 */

#include <stdbool.h>
#include <stdint.h>

enum {
	/** A nap on a CPU that other programs keep, where the thread that has the work may need
	 *  this CPU: time for some dozens of frames, as a shorter nap costs more than it moves. */
	RB_YIELD_NAP_NS = 20 * 1000
};

/** Do other programs keep this CPU, so that a yield lasts for milliseconds? @p now: ns */
bool rb_yield_shares(uint64_t now);
/** Yield, and learn from how long it takes. */
void rb_yield_measure(uint64_t now);
/** Yield, and mostly do not read the clock. @return false: other programs may keep this CPU, so it
 *  did not */
bool rb_yield_quick(void);
/** Sleep for @p ns. */
void rb_yield_nap(uint64_t ns);
/** Let others run in a loop that waits: yield, or nap. */
void rb_yield(void);

#endif /* RB_HOST_YIELD_H */
