/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "relay/lcore.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include <rte_launch.h>
#include <rte_lcore.h>

#include "base/error.h"
#include "base/state.h"
#include "base/thread.h"
#include "host/wait_choose.h"
#include "relay/poll.h"
#include "relay/sleep.h"

static _Atomic bool stopping; /* application thread -> service lcores: leave */

static int
service_lcore(void *arg)
{
	unsigned int group = (unsigned int)((struct rb_group *)arg - rb_groups);

	rb_thread_service();
	if (rb_waiting.lcores_share)
		rb_slice_short();
	rb_poll_loop(group, &stopping);
	/* pairs with the acquire in stop_first() */
	atomic_fetch_add_explicit(&rb_groups[group].call, 1, memory_order_release);
	return 0;
}

static void
stop_first(unsigned int count)
{
	unsigned int g;

	atomic_store_explicit(&stopping, true, memory_order_seq_cst);
	for (g = 0; g < count; g++)
		rb_call(g);
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
