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
	uint32_t idle = 0;
	uint64_t since = 0;

	(void)arg;
	rb_wait_service();
	while (!atomic_load_explicit(&rb.stop, memory_order_relaxed)) {
		enum rb_turn left = rb_turn();

		if (rb_agent_serve() || left == RB_TURN_WORK) {
			idle = 0;
			since = 0;
		} else if (++idle <= rb.spin_turns) {
			rte_pause();
		} else if (!rb.bells || left == RB_TURN_STALL) {
			sched_yield();
		} else if (since == 0) {
			since = rb_now_ns();
		} else if (rb_duty_taken() || rb_now_ns() - since > rb.awake_ns) {
			rb_sleep();
			since = 0;
		} else {
			/* no yield: beside a thread that computes it would last until the end of
			 * that one's time slice, while a bell wakes at once */
			rte_pause();
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
	atomic_store_explicit(&rb.stop, false, memory_order_relaxed);
	rb_sleep_init();
	ret = rte_eal_remote_launch(service, NULL, lcore);
	if (ret < 0)
		return rb_fail(ret, "lcore %u does not take the service", lcore);
	return 0;
}

void
rb_service_stop(void)
{
	atomic_store_explicit(&rb.stop, true, memory_order_seq_cst);
	rb_call();
	rte_eal_wait_lcore(rb.service_lcore);
}
