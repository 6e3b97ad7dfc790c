/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "link/line.h"

#include <stdint.h>

#include "base/link.h"
#include "base/route.h"
#include "base/state.h"
#include "base/window.h"
#include "base/wire.h"

_Atomic bool rb_line_rises;

/* A neighbour that is not up knows nothing. */
#define UNTOLD UINT64_MAX

/* What the neighbours were told last; by the holder of `lock`. */
static uint64_t told[RB_SIDES] = {UNTOLD, UNTOLD};
static atomic_flag lock = ATOMIC_FLAG_INIT;

void
rb_line_begin(void)
{
	told[RB_LEFT] = told[RB_RIGHT] = UNTOLD;
	atomic_store_explicit(&rb_line_rises, true, memory_order_relaxed);
}

void
rb_line_end(void)
{
	atomic_store_explicit(&rb_line_rises, false, memory_order_relaxed);
}

/* Untrusted: a host that the ring does not have is none. */
static uint64_t
end_by(enum rb_side side)
{
	uint64_t end = __atomic_load_n(&rb.link[side].mine->end, __ATOMIC_RELAXED);

	return end <= (uint64_t)rb.hosts ? end : 0;
}

/* The end of the line on that side, plus 1; 0: not known, or there is none. */
static uint64_t
end_on(enum rb_side side)
{
	if (rb.link[side].port == NULL)
		return 0;
	return rb.link[side].up ? end_by(side) : (uint64_t)rb.host + 1;
}

void
rb_line_look(void)
{
	enum rb_side side;

	if (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire))
		return;
	for (side = RB_LEFT; side < RB_SIDES; side++) {
		struct rb_link *link = &rb.link[side];
		uint64_t end = end_on(side ^ 1u);

		if (link->port == NULL || !link->up) {
			told[side] = UNTOLD;
		} else if (end != told[side]) {
			rb_win_store64(&link->theirs->end, end);
			rb_win_push(link);
			told[side] = end;
		}
	}
	atomic_flag_clear_explicit(&lock, memory_order_release);
}

bool
rb_line_whole(enum rb_side side)
{
	const struct rb_link *other = &rb.link[side ^ 1u];

	return other->port != NULL && other->up &&
	       end_by(side ^ 1u) == (uint64_t)rb_route_neighbour(side) + 1;
}
