/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <sched.h>
#include <unistd.h>

#include <rte_launch.h>
#include <rte_lcore.h>
#include <rte_pause.h>

#include "rb_boot.h"
#include "rb_end.h"
#include "rb_int.h"
#include "rb_serve.h"

static bool
turn(void)
{
	bool did;

	if (atomic_flag_test_and_set_explicit(&rb.poll_lock, memory_order_acquire))
		return false; /* somebody else is at it */
	did = rb_serve();
	atomic_flag_clear_explicit(&rb.poll_lock, memory_order_release);
	rb_end_look();
	return did;
}

void
rb_progress(void)
{
	if (rb.booted)
		turn();
}

void
rb_wait_turn(struct rb_wait *w)
{
	if (rb.booted && turn()) {
		w->turns = 0;
		return;
	}
	if (++w->turns > rb.spin_turns)
		sched_yield();
	else
		rte_pause();
}

static int
service(void *arg)
{
	uint32_t idle = 0;

	(void)arg;
	while (!atomic_load_explicit(&rb.stop, memory_order_relaxed)) {
		idle = turn() ? 0 : idle + 1;
		if (idle > rb.spin_turns)
			sched_yield();
		else
			rte_pause();
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
	ret = rte_eal_remote_launch(service, NULL, lcore);
	if (ret < 0)
		return rb_fail(ret, "lcore %u does not take the service", lcore);
	return 0;
}

void
rb_service_stop(void)
{
	atomic_store_explicit(&rb.stop, true, memory_order_relaxed);
	rte_eal_wait_lcore(rb.service_lcore);
}
