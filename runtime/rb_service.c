/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <sched.h>

#include <rte_launch.h>
#include <rte_lcore.h>
#include <rte_pause.h>

#include "rb_agent.h"
#include "rb_boot.h"
#include "rb_wait.h"

static int
service(void *arg)
{
	unsigned int group = (unsigned int)((struct rb_group *)arg - rb.group);
	uint32_t idle = 0;
	uint64_t since = 0;

	rb_wait_service();
	while (!atomic_load_explicit(&rb.stop, memory_order_relaxed)) {
		enum rb_turn left = rb_turn_of(group);

		if ((group == 0 && rb_agent_serve()) || left == RB_TURN_WORK) {
			idle = 0;
			since = 0;
		} else if (++idle <= rb.spin_turns) {
			rte_pause();
		} else if (!rb.bells || left == RB_TURN_STALL) {
			sched_yield();
		} else if (since == 0) {
			since = rb_now_ns();
		} else if (rb_duty_taken(group) || rb_now_ns() - since > rb.awake_ns) {
			rb_sleep(group);
			since = 0;
		} else {
			/* no yield: beside a thread that computes it would last until the end of
			 * that one's time slice, while a bell wakes at once */
			rte_pause();
		}
	}
	/* pairs with the acquire in stop_first() */
	atomic_fetch_add_explicit(&rb.group[group].call, 1, memory_order_release);
	return 0;
}

static void
stop_first(unsigned int count)
{
	unsigned int g;

	atomic_store_explicit(&rb.stop, true, memory_order_seq_cst);
	for (g = 0; g < count; g++)
		rb_call(g);
	for (g = 0; g < count; g++) {
		rte_eal_wait_lcore(rb.group[g].lcore);
		/* What the service did comes before what follows here. The EAL sees to that too,
		 * out of sight of a race detector; hence a word of our own. */
		(void)atomic_load_explicit(&rb.group[g].call, memory_order_acquire);
	}
}

int
rb_service_start(void)
{
	unsigned int lcore = (unsigned int)-1, g;
	int ret;

	atomic_store_explicit(&rb.stop, false, memory_order_relaxed);
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
		rb.group[g].lcore = lcore;
		ret = rte_eal_remote_launch(service, &rb.group[g], lcore);
		if (ret < 0) {
			rb_fail(ret, "lcore %u does not take the service", lcore);
			goto stop;
		}
	}
	return 0;

stop:
	stop_first(g);
	return ret;
}

void
rb_service_stop(void)
{
	stop_first(rb.lcores);
}
