/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SIM_MATCH_H
#define SIM_MATCH_H

/**
 * @file
 * What the waits of a trace waited for. A trace does not say it. The last put or atomic of another
 * PE that was over before the wait ended, and not before it began, is taken to have ended it. A
 * wait without such a one waits for the PE's own operations. Right behind an atomic, only a put
 * counts: the wait is for the value of the atomic.
 */

#include "trace.h"

/** A put or an atomic. */
struct message {
	double end; /**< us: when it was over */
	unsigned int from;
	uint32_t number; /**< of those to the same PE, from 1 */
	bool put;
};

struct inbox;

struct match {
	unsigned int pes;
	struct inbox *inbox;	      /**< by PE */
	const struct message ***wait; /**< by PE and span: what ended it; NULL: its own work */
};

/** @return 0, -ENOMEM, or -E2BIG where the trace has too many operations; then match_free() as well
 */
int match_waits(const struct trace *t, struct match *ret);
void match_free(struct match *m);

#endif /* SIM_MATCH_H */
