/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "relay/poll.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <rte_common.h>
#include <rte_launch.h>
#include <rte_lcore.h>
#include <rte_pause.h>

#include "base/error.h"
#include "base/exit.h"
#include "base/state.h"
#include "base/thread.h"
#include "host/background.h"
#include "host/wait.h"
#include "host/wait_choose.h"
#include "link/cable.h"
#include "link/eal.h"
#include "relay/dispatch.h"
#include "relay/sleep.h"

/* ---- a turn ---- */

/* For the rings of one service lcore. */
static enum rb_progress_left
progress_group(unsigned int group)
{
	enum rb_progress_left left;

	if (unlikely(rb.messages != NULL))
		rb.messages->poll();
	if (!rb_poll_try(group))
		return RB_PROGRESS_IDLE;
	left = rb_poll_rings(group);
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
		one = progress_group(g);
		most = one > most ? one : most;
	}
	return most;
}

void
rb_progress(void)
{
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
	rb_yield();
	if (long_turns)
		since = rb_now_ns();
}

/* ---- service lcores ---- */

static _Atomic bool stopping; /* application thread -> service lcores: leave */

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
	AWAKE_LEAST_NS = 2000,
	/* A PE that waits takes its frames itself, but the bells of those that come before it
	 * borrows the polling wake an lcore that shares its CPU, for some 10 us each, and an lcore
	 * that takes such a frame in its PE's place asks for the next bell. After so many sleeps in
	 * a row before which its PE had polled, the lcore naps, unasked, as long as the PE polls.
	 * Not where two PEs share each CPU: there a bell gets the lcore a CPU, and a search of 5
	 * hosts took 1.75 times as long. */
	VAIN_SLEEPS = 4
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
	return rb.bells && rb_waiting.crowded ? 0 : rb_waiting.spin_turns;
}

/* What the service lcore of group 0 does besides its rings. */
static bool
serve_process(void)
{
	bool worked = rb_background_serve(rb_waiting.crowded);

	return rb_wait_proxy() || worked;
}

/* What an idle service lcore has seen; times in ns. */
struct idleness {
	uint64_t awake;	 /* how long it stays awake */
	uint64_t since;	 /* of its first look at the clock after work; 0: there was none yet */
	uint32_t turns;	 /* without work */
	uint32_t sleeps; /* in a row, each after its PE had polled */
	uint64_t polled; /* since when its PE polls before each look; 0: it did not */
};

static bool
pe_polls(struct idleness *idle)
{
	if (rb_waiting.lcores_nap && rb_wait_polling())
		return true;
	idle->polled = 0;
	idle->sleeps = 0;
	return false;
}

static void
idle_without_bells(struct idleness *idle, enum rb_progress_left left)
{
	if (rb_wait_napping()) {
		idle->polled = 0;
	} else if (rb_waiting.crowded && rb_waiting.fits && pe_polls(idle)) {
		rb_wait_nap(&idle->polled);
		return;
	}
	if (left == RB_PROGRESS_STALL)
		rb_yield();
	else
		rb_yield_idle(&idle->since);
}

static void
idle_with_bells(unsigned int group, struct idleness *idle, enum rb_progress_left left)
{
	if (left == RB_PROGRESS_STALL) {
		rb_yield();
	} else if (idle->since == 0) {
		idle->since = rb_now_ns();
	} else if (rb_poll_borrowed(group)) {
		rb_sleep(group);
		idle->since = 0;
	} else if (pe_polls(idle)) {
		if (idle->sleeps++ < VAIN_SLEEPS)
			rb_sleep(group);
		else
			rb_wait_nap(&idle->polled);
		idle->since = 0;
	} else if (rb_now_ns() - idle->since > idle->awake) {
		idle->awake = awake_for(idle->awake, false);
		rb_sleep(group);
		idle->since = 0;
	} else {
		/* no yield: next to a computing thread it would last until the end of that thread's
		 * time slice, but a bell wakes at once */
		rte_pause();
	}
}

/* Turns for the rings of a group, and sleep between them. */
static void
poll_loop(unsigned int group)
{
	struct idleness idle = {.awake = rb_waiting.awake_ns};

	while (!atomic_load_explicit(&stopping, memory_order_relaxed)) {
		enum rb_progress_left left = progress_group(group);

		if ((group == 0 && serve_process()) || left == RB_PROGRESS_WORK) {
			if (idle.since != 0)
				idle.awake = awake_for(idle.awake, true);
			idle.turns = 0;
			idle.since = 0;
		} else if (++idle.turns <= bare_turns()) {
			rte_pause();
		} else if (rb.bells) {
			idle_with_bells(group, &idle, left);
		} else {
			idle_without_bells(&idle, left);
		}
	}
}

/* The EAL ends the process where a service lcore comes back and the program has closed the pipe by
 * which the EAL would call it again. So it stays. Written before `stopping`. */
static bool parks;
static _Atomic unsigned int parked;

static int
service_lcore(void *arg)
{
	unsigned int group = (unsigned int)((struct rb_group *)arg - rb_groups);

	rb_thread_service();
	if (rb_waiting.crowded && rb_waiting.fits)
		rb_slice_short();
	poll_loop(group);
	/* acquire: pairs with the store in stop_first(), which has written `parks` before */
	(void)atomic_load_explicit(&stopping, memory_order_acquire);
	/* pairs with the acquire in stop_first() */
	atomic_fetch_add_explicit(&rb_groups[group].call, 1, memory_order_release);
	if (!parks)
		return 0;
	atomic_fetch_add_explicit(&parked, 1, memory_order_release);
	for (;;)
		pause();
}

static void
stop_first(unsigned int count)
{
	unsigned int g;

	parks = !rb_eal_whole();
	atomic_store_explicit(&stopping, true, memory_order_seq_cst);
	for (g = 0; g < count; g++)
		rb_call(g);
	/* acquire: pairs with the release in service_lcore() */
	while (parks && atomic_load_explicit(&parked, memory_order_acquire) < count)
		rb_yield();
	if (parks)
		return;
	for (g = 0; g < count; g++) {
		rte_eal_wait_lcore(rb_groups[g].lcore);
		/* All stores of the service lcore happen before the code that follows here. The EAL
		 * orders this too, but a race detector cannot see into the EAL. Hence this word. */
		(void)atomic_load_explicit(&rb_groups[g].call, memory_order_acquire);
	}
}

int
rb_lcore_start(void)
{
	unsigned int lcore = (unsigned int)-1, g;
	int ret;

	atomic_store_explicit(&stopping, false, memory_order_relaxed);
	rb_sleep_init();
	for (g = 0; g < rb.lcores; g++) {
		lcore = rte_get_next_lcore(lcore, 1, 0);
		if (lcore >= RTE_MAX_LCORE) {
			ret = rb_fail(-EINVAL,
				      "the EAL arguments leave %u lcores for %u service lcores "
				      "(RINGBELL_LCORES): give %u in all, for example -l 0-%u",
				      g, rb.lcores, rb.lcores + 1, rb.lcores);
			goto stop;
		}
		rb_groups[g].lcore = lcore;
		ret = rte_eal_remote_launch(service_lcore, &rb_groups[g], lcore);
		if (ret < 0) {
			rb_fail(ret, "cannot start the service thread on lcore %u: %s", lcore,
				strerror(-ret));
			goto stop;
		}
	}
	return 0;

stop:
	stop_first(g);
	return ret;
}

void
rb_lcore_stop(void)
{
	stop_first(rb.lcores);
}
