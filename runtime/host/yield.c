/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "host/yield.h"

#include <sched.h>
#include <sys/prctl.h>
#include <time.h>

#include <rte_branch_prediction.h>
#include <rte_common.h>

#include "base/thread.h"
#include "host/wait_choose.h"

/*
 * Do other programs use this CPU too? Then a yield lasts until the end of their time slices, which
 * the kernel ends at ticks: 12 ms next to three threads that compute, for an event that comes
 * within a microsecond. A thread that naps instead has used less than its share of the CPU, and a
 * timer gets it back at once. So a thread measures its yields, and after a long one it naps for a
 * while. Then it tries a yield again, and assumes longer than before if that one is long too.
 *
 * A yield of at least LOST_NS shows it (a switch to a PE that polls and yields back takes 2 us);
 * where PEs outnumber CPUs, those of the job may compute meanwhile, so it takes LOST_CROWDED_NS.
 * That is assumed for BELIEVE_NS at first, and for BELIEVE_MAX_NS at most.
 */
enum {
	LOST_NS = 300 * 1000,
	LOST_CROWDED_NS = 1000 * 1000,
	BELIEVE_NS = 16 * 1000 * 1000,
	BELIEVE_MAX_NS = 1024 * 1000 * 1000,
	MEASURE_EVERY = 4 /* quick yields */
};

static __thread struct {
	uint64_t until; /* other programs use this CPU until then; 0: not noticed */
	uint64_t believe;
	unsigned int yields;
} others;

bool
rb_yield_shares(uint64_t now)
{
	return now < others.until;
}

void
rb_yield_measure(uint64_t now)
{
	uint64_t end;

	sched_yield();
	if (!rb_waiting.learns)
		return;
	end = rb_now_ns();
	if (end - now < (rb_waiting.fits ? LOST_NS : LOST_CROWDED_NS)) {
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
		rb_yield_measure(rb_now_ns());
	else
		sched_yield();
	return true;
}

void
rb_yield_nap(uint64_t ns)
{
	static __thread bool exact;
	struct timespec t = {.tv_nsec = (long)ns};

	if (!exact)
		exact = prctl(PR_SET_TIMERSLACK, 1000) == 0;
	nanosleep(&t, NULL);
}

void
rb_yield(void)
{
	uint64_t now;

	if (rb_yield_quick())
		return;
	now = rb_now_ns();
	if (rb_yield_shares(now))
		rb_yield_nap(RB_YIELD_NAP_NS);
	else
		rb_yield_measure(now);
}
