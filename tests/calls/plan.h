/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLAN_H
#define PLAN_H

/**
 * @file
 * What keeps a generated epoch free of races. A *claim* says that a thread reads or writes some
 * bytes of a PE's memory, and when that is complete. A new call may go with the claims there are
 * if it does not conflict with any that is not known, by the vector clocks of the threads, to have
 * happened before it.
 */

#include "calls.h"

enum claim_end {
	DONE,	/* when the call returns */
	QUIET,	/* by the next quiet of the context */
	STICKY, /* not before the end of the epoch */
};

struct claim {
	int pe;
	struct span at;
	bool write;
	bool put;   /* a fence orders it with what the context puts later to the same PE */
	int by;	    /* thread that does it: what was before is to be known to it */
	int thread; /* complete on this clock: its own, or that of the PE that waits */
	int ctx, to;
	enum claim_end end;
	/* PEs whose threads of this lane have to know what was before, too */
	const struct team *before;
	/* book */
	uint32_t done;
	bool fenced;
	int op;
};

static inline int
thread_of(int pe, int lane)
{
	return pe * LANES + lane;
}

void plan_begin(void);
/** Begin to collect what a call claims. */
void want_begin(int op, int lane);
void want(const struct claim *c);
/** @return whether the call can go with all earlier ones; then its claims stand */
bool want_end(void);

void plan_fence(int thread, int ctx);
/** @p targets: NULL all */
void plan_quiet(int thread, int ctx, const struct team *targets);
/** What @p from has completed is known to @p to. */
void plan_tell(int from, int to);

#endif /* PLAN_H */
