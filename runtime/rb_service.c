/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <rte_launch.h>
#include <rte_lcore.h>
#include <rte_pause.h>

#include "rb_agent.h"
#include "rb_boot.h"
#include "rb_end.h"
#include "rb_int.h"
#include "rb_serve.h"

enum {
	AWAKE_NS = 200 * 1000,	  /* idle time after which a service lcore sleeps */
	PATIENT_NS = 1000 * 1000, /* waiting time after which an application thread sleeps */
	PART = 32,		  /* and for which part of that time */
	NAP_MAX_NS = 1000 * 1000,
};

/* The service lcore waits too, while it acts for other PEs; but all of the ring waits for it. */
static __thread bool in_service;

static uint64_t
now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000ull + (uint64_t)t.tv_nsec;
}

/* Somebody else at it counts as work: what it finds may be what the caller waits for. */
static enum rb_turn
turn(void)
{
	enum rb_turn left;

	if (atomic_flag_test_and_set_explicit(&rb.poll_lock, memory_order_acquire))
		return RB_TURN_STALL;
	left = rb_serve();
	atomic_flag_clear_explicit(&rb.poll_lock, memory_order_release);
	rb_end_look();
	return left;
}

void
rb_progress(void)
{
	if (rb.booted)
		turn();
}

/*
 * What an application thread waits for may arrive by a plain store through a window, which rings
 * no bell. So it sleeps by the clock: for a part of the time it has waited already, which bounds
 * what it loses to that part.
 */
static void
nap(struct rb_wait *w)
{
	uint64_t now = now_ns(), waited, part;
	struct timespec t = {0};

	if (w->since == 0)
		w->since = now;
	waited = now - w->since;
	if (waited < PATIENT_NS) {
		sched_yield();
		return;
	}
	part = waited / PART;
	t.tv_nsec = (long)(part < NAP_MAX_NS ? part : NAP_MAX_NS);
	nanosleep(&t, NULL);
}

void
rb_wait_turn(struct rb_wait *w)
{
	if (rb.booted && turn() == RB_TURN_WORK) {
		*w = (struct rb_wait){0};
		return;
	}
	if (++w->turns <= rb.spin_turns)
		rte_pause();
	else if (rb.wait == RB_WAIT_SLEEP && !in_service)
		nap(w);
	else
		sched_yield();
}

static int
service(void *arg)
{
	uint32_t idle = 0;
	uint64_t since = 0;

	(void)arg;
	in_service = true;
	while (atomic_load_explicit(&rb.stop, memory_order_relaxed) == 0) {
		enum rb_turn left = turn();

		if (rb_agent_serve() || left == RB_TURN_WORK) {
			idle = 0;
			since = 0;
		} else if (++idle <= rb.spin_turns) {
			rte_pause();
		} else if (!rb.bells || left == RB_TURN_STALL) {
			sched_yield();
		} else if (since == 0) {
			since = now_ns();
		} else if (now_ns() - since > AWAKE_NS) {
			rb_sleep();
			since = 0;
		} else {
			sched_yield();
		}
	}
	return 0;
}

int
rb_service_start(void)
{
	unsigned int lcore = rte_get_next_lcore(-1, 1, 0);
	int ret;

	if (lcore >= RTE_MAX_LCORE)
		return rb_fail(-EINVAL, "the EAL arguments leave no lcore for the service: give at "
					"least two, for example -l 0-1");
	rb.service_lcore = lcore;
	atomic_store_explicit(&rb.stop, 0, memory_order_relaxed);
	rb_sleep_init();
	ret = rte_eal_remote_launch(service, NULL, lcore);
	if (ret < 0)
		return rb_fail(ret, "lcore %u does not take the service", lcore);
	return 0;
}

void
rb_service_stop(void)
{
	atomic_store_explicit(&rb.stop, 1, memory_order_seq_cst);
	syscall(SYS_futex, &rb.stop, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
	rte_eal_wait_lcore(rb.service_lcore);
}
