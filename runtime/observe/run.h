/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_OBSERVE_RUN_H
#define RB_OBSERVE_RUN_H

/**
 * @file
 * Runs of equal operations in the trace, as the fast path of mem/fastpath_traced.h extends them.
 */

#include <stdbool.h>
#include <stdint.h>

#include "observe/trace_file.h"

/** The calling thread's track, where it traces and counts nothing; NULL: it does not, or not yet.
 *  initial-exec: a call for an address would cost more than all else here. */
extern __thread struct rb_trace_track *rb_traced_track
	__attribute__((visibility("hidden"), tls_model("initial-exec")));

/** The next operation of the thread's run, which needs no look at the clock? Not for long ones. */
static inline bool
rb_traced_runs(struct rb_trace_track *t, enum rb_trace_kind kind, int peer, uint64_t bytes)
{
	struct rb_trace_record *run = &t->run;

	if (run->kind != kind || run->peer != (uint32_t)peer || run->count >= t->blind)
		return false;
	run->count++;
	run->bytes += bytes;
	return true;
}

#endif /* RB_OBSERVE_RUN_H */
