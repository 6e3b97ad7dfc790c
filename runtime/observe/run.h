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

/** The calling thread's track if the job traces but does not count; else NULL, as before the
 *  thread's first record. initial-exec: a call for the address would cost more than the rest of the
 *  function. */
extern __thread struct rb_trace_track *rb_traced_track
	__attribute__((visibility("hidden"), tls_model("initial-exec")));

/** Does the operation extend the thread's run without reading the clock? Then it is counted here.
 *  Not for operations of RB_TRACE_LONG bytes and more. */
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
