/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_OBSERVE_SPAN_H
#define RB_OBSERVE_SPAN_H

/**
 * @file
 * How threads write into the trace (observe/trace_file.h). A span is an operation under way:
 *
 *     struct rb_span span = rb_span_begin(RB_TRACE_PUT, pe, len);
 *     ...
 *     rb_span_end(&span);
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/state.h"
#include "observe/stats.h"
#include "observe/trace_file.h"

/** Map the launcher's trace file, if there is one. 0, or -errno with words in rb_error(). */
int rb_trace_open(void);

struct rb_span {
	uint64_t begin; /**< 0: rb_span_end() has nothing to do */
	uint64_t bytes;
	uint32_t peer;
	uint16_t kind;
};

extern __thread struct rb_trace_track *rb_trace_self __attribute__((tls_model("initial-exec")));

/** Does the operation extend the thread's run without reading the clock? Then it is counted here.
 *  Not for operations of RB_TRACE_LONG bytes and more. */
static inline bool
rb_span_extends(struct rb_trace_track *t, enum rb_trace_kind kind, int peer, uint64_t bytes)
{
	struct rb_trace_record *run = &t->run;

	if (run->kind != kind || run->peer != (uint32_t)peer || run->count >= t->blind)
		return false;
	run->count++;
	run->bytes += bytes;
	return true;
}

struct rb_span rb_span_start(enum rb_trace_kind kind, int peer, uint64_t bytes);
/** Take a span back: the operation did not happen. */
void rb_span_drop(const struct rb_span *span);
void rb_span_stop(const struct rb_span *span);

static inline struct rb_span
rb_span_begin(enum rb_trace_kind kind, int peer, uint64_t bytes)
{
	if (likely((rb.instrument & RB_INSTRUMENT_TRACE) == 0) ||
	    (bytes < RB_TRACE_LONG && rb_trace_self != NULL &&
	     rb_span_extends(rb_trace_self, kind, peer, bytes)))
		return (struct rb_span){.bytes = bytes};
	return rb_span_start(kind, peer, bytes);
}

static inline void
rb_span_end(const struct rb_span *span)
{
	if (unlikely(span->begin != 0))
		rb_span_stop(span);
}

/** Waits and barriers: each other span of the thread lies before, inside or after such a span.
 *  Without a trace the calls only read the clock. @return the time; the ticks since @p begin */
uint64_t rb_span_enter(void);
uint64_t rb_span_leave(enum rb_trace_kind kind, uint64_t begin);

#endif /* RB_OBSERVE_SPAN_H */
