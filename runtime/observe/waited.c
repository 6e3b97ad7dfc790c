/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "observe/waited.h"

#include "base/link.h"
#include "base/types.h"
#include "observe/span.h"
#include "observe/stats.h"
#include "observe/trace_file.h"

/* Waits inside a barrier count as barrier time. */
void
rb_stats_wait(struct rb_wait *w)
{
	struct rb_stats *s = rb_stats_mine();

	w->began = rb_span_enter();
	rb_count(&s->waits, 1);
	if (rb_doing(s) == RB_DOING_RUN)
		rb_stats_do(s, RB_DOING_WAIT);
}

void
rb_stats_waited(struct rb_wait *w)
{
	struct rb_stats *s = rb_stats_mine();

	rb_count(&s->wait_ticks, rb_span_leave(RB_TRACE_WAIT, w->began));
	if (rb_doing(s) == RB_DOING_WAIT)
		rb_stats_do(s, RB_DOING_RUN);
	w->began = 0;
}
