/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "job/open.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/exit.h"
#include "base/launcher_msg.h"
#include "base/state.h"
#include "base/thread.h"
#include "host/blocked.h"
#include "host/host.h"
#include "job/bootstrap.h"
#include "job/describe.h"
#include "job/exchange.h"
#include "job/memory.h"
#include "job/monitor.h"
#include "job/place.h"
#include "job/preflight.h"
#include "job/ring.h"
#include "job/telemetry.h"
#include "mem/fastpath.h"
#include "mem/fork.h"
#include "mem/layout.h"
#include "mem/numa.h"
#include "observe/span.h"
#include "observe/stats.h"
#include "op/barrier.h"
#include "op/order.h"

static bool met;    /* all PEs have reached rb_open() */
static bool closed; /* rb_close() was the last call of the program */
static int exit_status;

static void
at_exit(int status, void *arg)
{
	(void)arg;
	exit_status = status;
}

static int
boot_process(const struct rb_params *params)
{
	int ret = rb_preflight(params->exchange);

	if (ret == 0)
		ret = rb_block_open(params->caller);
	rb_block_barrier(rb_barrier_missing);
	if (ret < 0)
		return ret;
	rb_block_state(RB_BLOCKED_JOINING);
	ret = rb_place_pes();
	if (ret == 0)
		ret = rb_ring_choose();
	if (ret == 0)
		ret = rb_memory_lay_out(params);
	if (ret == 0)
		ret = rb_memory_share();
	if (ret < 0)
		return ret;
	rb.instrument = rb.env.telemetry ? RB_INSTRUMENT_COUNT : 0;
	ret = rb_trace_open();
	if (ret == 0)
		ret = rb_stats_open();
	if (ret == 0)
		ret = rb_stack_default();
	if (ret == 0)
		ret = rb_monitor_start();
	if (ret == 0)
		ret = rb_ring_open();
	if (ret == 0 && rb.local == 0 && rb.env.telemetry)
		ret = rb_telemetry_start();
	if (ret < 0) {
		rb_memory_free();
		return ret;
	}
	rb_describe_start();
	if (rb.locals > 1 && rb.local == 0)
		rb_host_publish();
	return 0;
}

/*
 * The EAL can start only once in a process (rte_eal_init cannot follow rte_eal_cleanup). So a
 * second rb_open() finds region and links unchanged, and rb_close() only ends the epoch of use.
 */
int
rb_open(const struct rb_params *params)
{
	int ret;

	if (rb_process_child())
		return rb_fail(-EPERM, "this is a forked child of PE %d, and not a PE itself",
			       rb.pe);
	if (rb_mem.region == NULL) {
		rb_fork_in_child(params->in_child);
		rb_process_claim();
		if (on_exit(at_exit, NULL) != 0)
			return rb_fail(-ENOMEM, "no memory for an exit handler");
		ret = boot_process(params);
		if (ret < 0)
			return ret;
		rb_numa_report();
	} else if (params->heap_given &&
		   params->heap_size + params->heap_own > rb_mem.lay.heap_size) {
		return rb_fail(-EINVAL, "the symmetric heap cannot grow from %llu to %zu bytes",
			       (unsigned long long)rb_mem.lay.heap_size, params->heap_size);
	}
	if (closed && rb_exchange != NULL && rb_exchange->closed != NULL)
		rb_exchange->closed(false);
	rb_ring_meet();
	rb_block_state(RB_BLOCKED_IN);
	rb_ctl_send(RB_CTL_OPENED, 0, NULL);
	/* what was tried again on the way is no cause of a later failure */
	rb_error_clear();
	met = true;
	closed = false;
	return 0;
}

void
rb_close(void)
{
	rb_quiet(rb_ctx_default);
	rb_barrier();
	rb_fast_hide();
	rb_block_state(RB_BLOCKED_LEFT);
	closed = true;
	if (rb_exchange != NULL && rb_exchange->closed != NULL)
		rb_exchange->closed(true);
}

/* Runs after all atexit handlers, which may include the library's own finalize. */
__attribute__((destructor)) static void
shut_down(void)
{
	/* the end of a forked child does not end its parent */
	if (rb_process_child())
		return;
	rb_telemetry_stop();
	/* the others know of the end; threads of the program may still use everything else */
	if (rb_leaving()) {
		if (rb_exchange != NULL)
			rb_exchange->end(met, exit_status);
		return;
	}
	rb_ring_leave(closed, exit_status);
	rb_host_close();
	if (rb_exchange != NULL)
		rb_exchange->leave(closed, exit_status);
}
