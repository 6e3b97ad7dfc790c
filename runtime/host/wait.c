/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "host/wait.h"

#include <stdbool.h>

#include <rte_common.h>
#include <rte_pause.h>

#include "base/env.h"
#include "base/exit.h"
#include "base/state.h"
#include "base/thread.h"
#include "base/transport.h"
#include "base/tsan.h"
#include "base/types.h"
#include "host/background.h"
#include "host/blocked.h"
#include "host/cpu.h"
#include "host/hostseg.h"
#include "host/wait_choose.h"
#include "host/yield.h"
#include "observe/span.h"
#include "observe/stats.h"
#include "observe/trace_file.h"

enum {
	LOOKS = 64, /**< polls of a waiter's word before it does anything else; RB_WAIT_POLL */
	/* Waiting time after which an application thread naps; a nap lasts 1 / PART of the time
	 * waited. Longer than the wake-up of an idle CPU, which took 0.2 ms in a virtual machine:
	 * otherwise two threads that wait for each other alternately would nap for ever. */
	PATIENT_NS = 1000 * 1000,
	PATIENT_SHARED_NS = 30 * 1000, /**< where other programs use this CPU too */
	PART = 16,
	NAP_MAX_NS = 1000 * 1000,
	/* Polls of a waiter whose missing PEs run on other CPUs: the time of some context switches,
	 * because those PEs may have to be scheduled there. */
	LOOKS_FOR = 256,
	YIELDS_FOR = 32, /**< yields to PEs on this CPU before the clock is read */
	LOOK_EVERY = 32, /**< turns between two calls of rb_block_look() */
};

static const struct rb_wait_ops *ops; /* open */
static bool (*leave_thread)(struct rb_wait *w);
_Atomic unsigned int rb_wait_leavers;
static _Atomic unsigned int napping; /* threads of this process; a hint */
static _Atomic unsigned int polling; /* an application thread has polled; a hint */

bool
rb_wait_napping(void)
{
	return atomic_load_explicit(&napping, memory_order_relaxed) != 0;
}

/* Rarely stores: service lcores reset the word only when they are idle. */
void
rb_wait_polls(void)
{
	if (!rb_thread_is_service() && atomic_load_explicit(&polling, memory_order_relaxed) == 0)
		atomic_store_explicit(&polling, 1, memory_order_relaxed);
}

bool
rb_wait_polling(void)
{
	return atomic_exchange_explicit(&polling, 0, memory_order_relaxed) != 0;
}

static void
return_polling(struct rb_wait *w)
{
	if (w->borrowed != 0)
		ops->give_back(w->borrowed);
	w->borrowed = 0;
}

void
rb_wait_register(const struct rb_wait_ops *progress)
{
	ops = progress;
}

bool
rb_wait_proxy(void)
{
	return ops->proxy();
}

/*
 * The event that an application thread waits for may be a plain store through a window, which rings
 * no bell. So the thread naps for a fraction of the time it has waited already: it loses at most
 * that fraction. A timer wakes it at once even beside threads that compute; a thread that yields
 * would wait for them. The service lcore polls meanwhile.
 */
static void
yield_or_nap(struct rb_wait *w)
{
	uint64_t now = rb_now_ns(), waited, nap;
	bool shared = rb_yield_shares(now);

	if (w->since == 0)
		w->since = now;
	waited = now - w->since;
	if (!shared && (waited < PATIENT_NS || rb_waiting.mode != RB_WAIT_SLEEP)) {
		rb_yield_measure(now);
		return;
	}
	if (shared && rb_waiting.fits && waited < PATIENT_SHARED_NS) {
		rte_pause();
		return;
	}
	nap = RTE_MIN(waited / PART, (uint64_t)NAP_MAX_NS);
	if (shared && !rb_waiting.fits)
		nap = RTE_MAX(nap, (uint64_t)RB_YIELD_NAP_NS);
	/* waking the service lcore for a short one would take longer than that */
	if (!shared || nap > 2 * RB_YIELD_NAP_NS)
		return_polling(w);
	atomic_fetch_add_explicit(&napping, 1, memory_order_relaxed);
	rb_yield_nap(nap);
	atomic_fetch_sub_explicit(&napping, 1, memory_order_relaxed);
}

/* A turn of what is under way besides; not where operations of others must not run either. */
static bool
advance_background(const struct rb_wait *w)
{
	return rb_background_pending() && !w->inner && !rb_thread_is_service() &&
	       rb_background_turn();
}

/* A wait that the first polls did not end; those inside a barrier count as barrier time. */
static void
count_wait(struct rb_wait *w)
{
	struct rb_stats *s = rb_stats_mine();

	w->began = rb_span_enter();
	if (rb_doing(s) == RB_DOING_RUN)
		rb_stats_do(s, RB_DOING_WAIT);
}

static void
count_end(struct rb_wait *w)
{
	struct rb_stats *s = rb_stats_mine();

	rb_count(&s->wait_ticks, rb_span_leave(RB_TRACE_WAIT, w->began));
	if (rb_doing(s) == RB_DOING_WAIT)
		rb_stats_do(s, RB_DOING_RUN);
	w->began = 0;
}

static void
poll_turn(struct rb_wait *w)
{
	if (w->turns == 0)
		w->turns = rb_waiting.skip_looks;
	if (++w->turns <= LOOKS) {
		if (w->turns > RB_WAIT_BARE)
			rte_pause();
		return;
	}
	if (unlikely(rb.instrument != 0) && w->began == 0)
		count_wait(w);
	if (unlikely(++w->slow % LOOK_EVERY == 0))
		rb_block_look(w);
	rb_wait_polls();
	if ((rb.booted && (ops->poll() == RB_PROGRESS_WORK || (!w->inner && ops->proxy()))) ||
	    advance_background(w) || unlikely(rb_hostseg_answer())) {
		w->turns = LOOKS;
		w->since = 0;
		return;
	}
	if (w->turns - LOOKS <= rb_waiting.spin_turns) {
		rte_pause();
		return;
	}
	if (rb.bells && w->since == 0 && !rb_thread_is_service() &&
	    w->borrowed != (1u << rb.lcores) - 1)
		w->borrowed = ops->borrow(w->borrowed);
	if ((rb_waiting.mode == RB_WAIT_SLEEP || rb_waiting.learns) && !rb_thread_is_service())
		yield_or_nap(w);
	else
		rb_yield();
}

/* For PEs of this host, which may need this CPU. */
static void
local_turn(struct rb_wait *w)
{
	if (!w->here && ++w->looks < LOOKS_FOR) {
		rte_pause();
		return;
	}
	w->turns = LOOKS + rb_waiting.spin_turns;
	if (!w->here || ++w->yields > YIELDS_FOR || unlikely(rb.instrument != 0) ||
	    !rb_yield_quick())
		poll_turn(w);
	if (w->here)
		w->looks = 0;
	rb_cpu_publish();
}

void
rb_wait_leave_by(bool (*leave)(struct rb_wait *w))
{
	leave_thread = leave;
}

void
rb_wait_turn_on(struct rb_wait *w)
{
	if (w->leaves &&
	    unlikely(atomic_load_explicit(&rb_wait_leavers, memory_order_relaxed) != 0) &&
	    leave_thread != NULL && leave_thread(w))
		return;
	if (w->locals && rb_waiting.shared_cpus)
		local_turn(w);
	else
		poll_turn(w);
}

void
rb_wait_end(struct rb_wait *w)
{
	return_polling(w);
	if (unlikely(w->began != 0))
		count_end(w);
	if (unlikely(w->noted != NULL))
		rb_block_end(w);
	rb_tsan_acquire();
}

#ifdef __SANITIZE_THREAD__
void
rb_wait_none(void)
{
	rb_tsan_acquire();
}
#endif
