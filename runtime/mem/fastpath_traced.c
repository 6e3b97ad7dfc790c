/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "mem/fastpath_traced.h"

#include <stdbool.h>

#include "base/state.h"
#include "mem/fastpath.h"
#include "observe/span.h"
#include "observe/stats.h"
#include "observe/trace_file.h"

bool
rb_traced(void)
{
	return rb.instrument != 0;
}

void
rb_traced_copy(enum rb_trace_kind kind, int pe, void *dst, const void *src, size_t len)
{
	const struct rb_span span = rb_span_begin(kind, pe, len);

	if (kind == RB_TRACE_GET)
		rb_stats_get(pe, len, true);
	else
		rb_stats_put(pe, len, true);
	rb_copy(dst, src, len);
	rb_span_end(&span);
}
