/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "relay/progress.h"

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/exit.h"
#include "base/save.h"
#include "base/state.h"
#include "base/thread.h"
#include "host/background.h"
#include "host/wait.h"
#include "host/wait_choose.h"
#include "relay/poll.h"

void
rb_progress(void)
{
	if (rb_save_due())
		rb_leave(rb_save_status());
	if (rb_background_pending())
		(void)rb_background_turn();
	if (!rb.booted)
		return;
	rb_wait_polls();
	rb_progress_once();
}

/* A program that polls with test waits as well, and on a machine with more threads than CPUs it
 * waits for one that does not run. It may also compute in between, so most tests keep the CPU. A
 * test of a host that relays may take 10 us: some dozens of them would hold up each relay on this
 * CPU for longer than all of those need. */
void
rb_progress_tested(void)
{
	enum {
		TESTS_A_YIELD = 64,
		CROWDED_NS = 16 * 1000
	};
	static __thread unsigned int failures;
	static __thread uint64_t since; /* the last yield */
	bool long_turns = rb.booted && rb_waiting.crowded;

	rb_progress();
	if (++failures % TESTS_A_YIELD != 0 && !(long_turns && rb_now_ns() - since >= CROWDED_NS))
		return;
	sched_yield();
	if (long_turns)
		since = rb_now_ns();
}
