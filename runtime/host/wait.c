/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "host/wait.h"

#include <sched.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <time.h>

#include <rte_common.h>
#include <rte_pause.h>

#include "base/env.h"
#include "base/state.h"
#include "base/thread.h"
#include "base/tsan.h"
#include "base/types.h"
#include "host/background.h"
#include "host/blocked.h"
#include "host/cpu.h"
#include "host/wait_choose.h"
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
static _Atomic unsigned int in_port; /* such threads inside of a port; a hint */

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

void
rb_wait_port_begin(void)
{
	atomic_fetch_add_explicit(&in_port, 1, memory_order_relaxed);
}

void
rb_wait_port_end(void)
{
	atomic_fetch_sub_explicit(&in_port, 1, memory_order_relaxed);
}

bool
rb_wait_polling(void)
{
	return atomic_load_explicit(&in_port, memory_order_relaxed) != 0 ||
	       atomic_exchange_explicit(&polling, 0, memory_order_relaxed) != 0;
}

static void
return_polling(struct rb_wait *w)
{
	if (w->borrowed != 0)
		ops->give_back(w->borrowed);
	w->borrowed = 0;
}

/*
 * Do other programs use this CPU too? Then a yield lasts until the end of their time slices, which
 * the kernel ends at ticks: 12 ms next to three threads that compute, for an event that comes
 * within a microsecond. A thread that naps instead has used less than its share of the CPU, and a
 * timer gets it back at once. So a thread measures its yields, and after a long one it naps for a
 * while. Then it tries a yield again, and assumes longer than before if that one is long too.
 *
 * A yield of at least lost_ns shows it. That is assumed for BELIEVE_NS at first, and for
 * BELIEVE_MAX_NS at most.
 *
 * A yield of less than none_ns switched to nobody, as a switch and back takes longer. From then on
 * the thread polls for lone_turns after work also where PEs outnumber CPUs: the others sleep or
 * have the other CPUs, and the next request should not wait for system calls.
 */
enum {
	BELIEVE_NS = 16 * 1000 * 1000,
	BELIEVE_MAX_NS = 1024 * 1000 * 1000,
	/* A nap where the thread that has the work may need this CPU: time for some dozens of
	 * frames, as a shorter one costs more than it moves. */
	CROWDED_NAP_NS = 20 * 1000,
	LCORE_NAP_NS = 100 * 1000,
	MEASURE_EVERY = 4 /* quick yields */
};

static __thread struct {
	uint64_t until; /* other programs use this CPU until then; 0: not noticed */
	uint64_t believe;
	unsigned int yields;
	bool none; /* the last yield switched to nobody */
} others;

bool
rb_yield_shares(uint64_t now)
{
	return now < others.until;
}

static void
measure_yield(uint64_t now)
{
	uint64_t end;

	sched_yield();
	if (rb_waiting.lost_ns == 0)
		return;
	end = rb_now_ns();
	others.none = end - now < rb_waiting.none_ns;
	if (end - now < rb_waiting.lost_ns) {
		others.believe = 0;
		return;
	}
	others.believe = others.believe == 0
				 ? BELIEVE_NS
				 : RTE_MIN(others.believe * 2, (uint64_t)BELIEVE_MAX_NS);
	others.until = end + others.believe;
}

bool
rb_yield_quick(void)
{
	if (unlikely(others.believe != 0))
		return false;
	if (++others.yields % MEASURE_EVERY == 0)
		measure_yield(rb_now_ns());
	else
		sched_yield();
	return true;
}

static void
sleep_for(uint64_t ns)
{
	static __thread bool exact;
	struct timespec t = {.tv_nsec = (long)ns};

	if (!exact)
		exact = prctl(PR_SET_TIMERSLACK, 1000) == 0;
	nanosleep(&t, NULL);
}

void
rb_wait_nap(uint64_t *since)
{
	uint64_t now = rb_now_ns(), nap;

	if (*since == 0)
		*since = now;
	nap = RTE_MAX((now - *since) / PART, (uint64_t)LCORE_NAP_NS);
	sleep_for(RTE_MIN(nap, (uint64_t)NAP_MAX_NS));
}

void
rb_yield(void)
{
	uint64_t now;

	if (rb_yield_quick())
		return;
	now = rb_now_ns();
	if (rb_yield_shares(now))
		sleep_for(CROWDED_NAP_NS);
	else
		measure_yield(now);
}

/* Where PEs sleep, an idle lcore whose ports ring no bell naps as they do, or a dozen of them take
 * all time of a machine with few CPUs. */
void
rb_yield_idle(uint64_t *since)
{
	uint64_t now = rb_now_ns(), idle;

	if (*since == 0)
		*since = now;
	idle = now - *since;
	if (rb_waiting.mode == RB_WAIT_SLEEP && !rb_waiting.fits &&
	    (idle >= PATIENT_NS || rb_yield_shares(now)))
		sleep_for(RTE_MIN(RTE_MAX(idle / PART, (uint64_t)CROWDED_NAP_NS),
				  (uint64_t)LCORE_NAP_NS));
	else
		rb_yield();
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
		measure_yield(now);
		return;
	}
	if (shared && rb_waiting.fits && waited < PATIENT_SHARED_NS) {
		rte_pause();
		return;
	}
	nap = RTE_MIN(waited / PART, (uint64_t)NAP_MAX_NS);
	if (shared && !rb_waiting.fits)
		nap = RTE_MAX(nap, (uint64_t)CROWDED_NAP_NS);
	/* waking the service lcore for a short one would take longer than that */
	if (!shared || nap > 2 * CROWDED_NAP_NS)
		return_polling(w);
	atomic_fetch_add_explicit(&napping, 1, memory_order_relaxed);
	sleep_for(nap);
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
	    advance_background(w)) {
		w->turns = LOOKS;
		w->since = 0;
		return;
	}
	if (w->turns - LOOKS <= (others.none ? rb_waiting.lone_turns : rb_waiting.spin_turns)) {
		rte_pause();
		return;
	}
	if (rb.bells && w->since == 0 && !rb_thread_is_service() &&
	    w->borrowed != (1u << rb.lcores) - 1)
		w->borrowed = ops->borrow(w->borrowed);
	if ((rb_waiting.mode == RB_WAIT_SLEEP || rb_waiting.lost_ns != 0) &&
	    !rb_thread_is_service())
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
	w->turns = LOOKS + RB_SPIN_TURNS;
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
