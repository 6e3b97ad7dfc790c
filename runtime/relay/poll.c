/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "relay/poll.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <rte_common.h>
#include <rte_pause.h>

#include "base/state.h"
#include "base/thread.h"
#include "base/transport.h"
#include "host/background.h"
#include "host/wait.h"
#include "host/wait_choose.h"
#include "link/cable.h"
#include "relay/sleep.h"

enum rb_progress_left
rb_progress_group(unsigned int group)
{
	enum rb_progress_left left;

	if (!rb_poll_try(group))
		return RB_PROGRESS_IDLE;
	left = rb.transport->serve(group);
	rb_poll_end(group);
	rb_cable_look();
	return left;
}

enum rb_progress_left
rb_progress_once(void)
{
	enum rb_progress_left most = RB_PROGRESS_IDLE, one;
	unsigned int g;

	for (g = 0; g < rb.lcores; g++) {
		one = rb_progress_group(g);
		most = one > most ? one : most;
	}
	return most;
}

/*
 * How long an idle service lcore stays awake, in ns. A sleeping lcore needs two context switches
 * and an interrupt before it serves a request; rb_waiting.awake_ns is about that long. If the lcore
 * shares its CPU, its PE loses the time that the lcore stays awake. Take two PEs that poll their
 * own memory between atomics to each other: each of them must get its CPU back before there is
 * anything to serve. So the lcore adapts: it doubles its time when work arrived while it was awake,
 * and halves the time when none did. The minimum is the time between two consecutive requests of
 * one PE. A PE that waits or polls does the work itself, and gets its CPU back at once where it has
 * one. While its PE naps, the CPU is free, and a relay must not fall asleep between the chunks of a
 * put.
 */
enum {
	AWAKE_LEAST_NS = 2000
};

static uint64_t
awake_for(uint64_t now, bool worked)
{
	if (!rb_waiting.crowded || rb_wait_napping())
		return rb_waiting.awake_ns;
	now = worked ? now * 2 : now / 2;
	return RTE_MIN(RTE_MAX(now, (uint64_t)AWAKE_LEAST_NS), rb_waiting.awake_ns);
}

/* Idle turns before the first look at the clock. */
static uint32_t
bare_turns(void)
{
	return rb.bells && rb_waiting.crowded ? 0 : rb_wait_now(spin_turns);
}

/* What the service lcore of group 0 does besides its rings. */
static bool
serve_process(void)
{
	bool worked = rb_background_serve(rb_waiting.crowded);

	return rb_wait_proxy() || worked;
}

void
rb_poll_loop(unsigned int group, const _Atomic bool *stop)
{
	uint64_t since = 0, awake = rb_waiting.awake_ns;
	uint32_t idle = 0;

	while (!atomic_load_explicit(stop, memory_order_relaxed)) {
		enum rb_progress_left left = rb_progress_group(group);

		if ((group == 0 && serve_process()) || left == RB_PROGRESS_WORK) {
			if (since != 0)
				awake = awake_for(awake, true);
			idle = 0;
			since = 0;
		} else if (++idle <= bare_turns()) {
			rte_pause();
		} else if (!rb.bells || left == RB_PROGRESS_STALL) {
			sched_yield();
		} else if (since == 0) {
			since = rb_now_ns();
		} else if (rb_poll_borrowed(group) ||
			   (rb_waiting.lcores_share && rb_wait_polling())) {
			rb_sleep(group);
			since = 0;
		} else if (rb_now_ns() - since > awake) {
			awake = awake_for(awake, false);
			rb_sleep(group);
			since = 0;
		} else {
			/* no yield: next to a computing thread it would last until the end of that
			 * thread's time slice, but a bell wakes at once */
			rte_pause();
		}
	}
}
