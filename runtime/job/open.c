/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "job/open.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/claim.h"
#include "base/deal.h"
#include "base/env.h"
#include "base/error.h"
#include "base/exit.h"
#include "base/launcher.h"
#include "base/launcher_msg.h"
#include "base/leave.h"
#include "base/limit.h"
#include "base/needs.h"
#include "base/process.h"
#include "base/stack.h"
#include "base/state.h"
#include "base/thread.h"
#include "base/transport.h"
#include "base/types.h"
#include "base/wire.h"
#include "copy/copy.h"
#include "copy/dma.h"
#include "copy/dma_queue.h"
#include "copy/tune.h"
#include "host/blocked.h"
#include "host/cma.h"
#include "host/host.h"
#include "host/hostseg.h"
#include "host/ring_state.h"
#include "host/wait.h"
#include "job/alone.h"
#include "job/bootstrap.h"
#include "job/describe.h"
#include "job/exit_local.h"
#include "job/hang.h"
#include "job/launcher_watch.h"
#include "job/place.h"
#include "job/pmix.h"
#include "job/survivors.h"
#include "job/telemetry.h"
#include "job/watchdog.h"
#include "link/eal.h"
#include "link/kept.h"
#include "link/line.h"
#include "link/links.h"
#include "mem/fastpath.h"
#include "mem/fit.h"
#include "mem/fork.h"
#include "mem/heap.h"
#include "mem/layout.h"
#include "mem/numa.h"
#include "mem/region.h"
#include "mem/symmetric.h"
#include "observe/blocked_table.h"
#include "observe/span.h"
#include "observe/stats.h"
#include "op/barrier.h"
#include "op/barrier_baselines.h"
#include "op/order.h"
#include "op/proxy.h"
#include "op/rings.h"
#include "relay/lcore.h"
#include "relay/mirror.h"
#include "relay/poll.h"
#include "relay/request.h"
#include "relay/scratchpad.h"
#include "relay/send.h"
#include "relay/sleep.h"
#include "relay/stop.h"

static bool closed; /* rb_close() was the last call of the program */

static struct rb_flow own_flow[RB_MAX_HOSTS][RB_MAX_CHANNELS];

/* The status that the program passed to exit(), for processes that cannot wait for this one. */
static int exit_status;

static void
at_exit(int status, void *arg)
{
	(void)arg;
	exit_status = status;
}

static const struct rb_wait_ops progress = {
	.poll = rb_progress_once,
	.proxy = rb_proxy_serve,
	.borrow = rb_poll_borrow,
	.give_back = rb_poll_return,
};

static int
boot_ring(void)
{
	int ret = rb_eal_start();
	uint64_t align;

	if (ret < 0)
		return ret;
	/* a real adapter needs bus addresses: move the region to memory that has them */
	if (!rb_emulated())
		rb_region_free();
	ret = rb_links_want(&align);
	if (ret == 0 && !rb_emulated())
		ret = rb_region_reserve(align);
	if (ret < 0)
		goto stop_eal;
	ret = rb_req_open();
	if (ret < 0)
		goto stop_eal;
	ret = rb.locals > 1 ? rb_proxy_init() : 0;
	if (ret == 0)
		ret = rb_dma_open();
	if (ret == 0)
		ret = rb_links_start();
	if (ret == 0)
		ret = rb_barrier_check();
	if (ret == 0)
		ret = rb_links_up();
	if (ret == 0 && rb.env.per_host_launcher)
		ret = on_exit(at_exit, NULL) == 0 ? rb_watchdog_start() : -ENOMEM;
	if (ret < 0)
		goto links_down;
	rb_wait_register(&progress);
	ret = rb_lcore_start();
	if (ret < 0)
		goto links_down;
	return 0;

links_down:
	/* a launcher of all hosts ends the others, once it has the reason from this one */
	if (rb.env.ctl_fd < 0 || rb.env.per_host_launcher)
		rb_abort_broadcast(EXIT_FAILURE);
	rb_watchdog_stop();
	rb_dma_drain();
	rb_dma_close();
	rb_links_down();
	rb_req_close();
stop_eal:
	rb_region_free(); /* it may be memory of the EAL */
	rb_eal_stop();
	return ret;
}

/* Give all PEs of this host one region: the lead creates it, the others map it. */
static int
share_region(void)
{
	int ret = rb.npes > 1 ? rb_needs_peers() : 0;

	if (ret == 0 && rb.locals > 1)
		ret = rb_host_open();
	if (ret < 0)
		return ret;
	if (rb.local != 0)
		ret = rb_host_join();
	else
		ret = rb_region_create();
	if (ret < 0)
		goto close;
	rb_numa_heap();
	/* before the EAL starts its threads */
	ret = rb_data_remap();
	if (ret == 0)
		ret = rb_fork_data_moved();
	if (ret < 0)
		goto free;
	return 0;

free:
	rb_region_free();
close:
	rb_hang_stop();
	rb_host_close();
	return ret;
}

static int
join_ring(void)
{
	int ret = 0;

	if (rb.local != 0)
		return rb.hosts > 1 ? rb_links_follow() : 0;
	if (rb.hosts > 1)
		ret = boot_ring();
	else if (rb.env.telemetry)
		ret = rb_eal_start();
	if (ret == 0 && rb.env.telemetry)
		ret = rb_telemetry_start();
	return ret;
}

/* A store through a window that is not memory may be lost with its cable, and only frames are kept
 * so that they can be sent once more (link/kept.h). */
static bool
survives_by_frames(void)
{
	return rb.hosts > 1 && rb.env.survive == RB_SURVIVE_YES && rb.transport->turns &&
	       rb.env.barrier == RB_BARRIER_TWOWAY && (!rb_emulated() || rb.env.bridges);
}

static int
lay_out(const struct rb_params *params)
{
	size_t heap;
	int ret = rb_heap_fit(params, &heap);

	rb_mem.by_frames = survives_by_frames();
	if (ret == 0)
		ret = rb_layout(heap);
	if (ret == 0 && rb_emulated() && rb.env.bar2 != 0)
		ret = rb_fit(rb.env.bar2, "RINGBELL_BAR2");
	return ret < 0 ? ret : rb_limit_check(rb_mem.lay.size);
}

/* Find the place of this process in the job, and the layout of the job. */
static int
find_place(const struct rb_params *params)
{
	int ret = rb_alone_check();

	if (ret == 0)
		ret = rb_needs_proc();
	if (ret < 0)
		return ret;
	rb_threads_foreign(rb_threads_unknown());
	ret = rb_env_read(&rb.env);
	rb_env_keep(&rb.env);
	if (ret == 0)
		ret = rb_claim(&rb.env);
	if (ret == 0 && rb_pmix_here())
		ret = rb_bootstrap(&rb.env);
	if (ret == 0)
		ret = rb_block_open(params->caller);
	rb_block_barrier(rb_barrier_missing);
	if (ret < 0)
		return ret;
	rb_block_state(RB_BLOCKED_JOINING);
	return rb_place_pes();
}

static int
choose_transport(void)
{
	const struct rb_transport *t =
		rb.env.notify == RB_NOTIFY_SCRATCHPAD ? &rb_scratchpad : &rb_rings;

	rb.transport = t;
	if (rb.env.barrier == RB_BARRIER_AUTO)
		rb.env.barrier = t->barrier;
	return rb.env.lcores <= t->lcores
		       ? 0
		       : rb_fail(-EINVAL,
				 "RINGBELL_LCORES=%u: RINGBELL_NOTIFY=%s supports at "
				 "most %u service lcore",
				 rb.env.lcores, t->name, t->lcores);
}

static int
boot_process(const struct rb_params *params)
{
	int ret = find_place(params);

	if (ret == 0)
		ret = choose_transport();
	if (ret < 0)
		return ret;
	rb.channels = rb.env.channels;
	rb.lcores = rb.env.lcores;
	rb.notify = rb.env.notify;
	ret = rb_tune_open();
	if (ret < 0)
		return ret;
	rb_copy_open();
	rb.slots = rb.env.slots;
	rb.chunk = rb.env.chunk;
	rb_data_find();
	ret = lay_out(params);
	if (ret == 0)
		ret = rb_survivors_check();
	if (ret == 0)
		ret = share_region();
	if (ret < 0)
		return ret;
	rb.instrument = rb.env.telemetry ? RB_INSTRUMENT_COUNT : 0;
	ret = rb_trace_open();
	if (ret == 0)
		ret = rb_stats_open();
	rb_flows = rb.locals > 1 ? rb_hostseg->flow : own_flow;
	if (ret == 0)
		ret = rb_stack_default();
	if (ret == 0)
		ret = rb_launcher_watch_start();
	if (ret == 0)
		ret = rb_exit_local_start();
	if (ret == 0)
		ret = join_ring();
	if (ret < 0) {
		rb_region_free();
		rb_hang_stop();
		rb_host_close();
		return ret;
	}
	rb_describe_start();
	if (rb.locals > 1 && rb.local == 0)
		rb_host_publish();
	rb.booted = rb.hosts > 1 && rb.local == 0;
	return 0;
}

/*
 * The EAL can start only once in a process (rte_eal_init cannot follow rte_eal_cleanup). So a
 * second rb_open() finds region and links unchanged, and rb_close() only ends the epoch of use.
 */
int
rb_open(const struct rb_params *params)
{
	struct rlimit files;
	int ret;

	if (rb_process_child())
		return rb_fail(-EPERM, "this is a forked child of PE %d, and not a PE itself",
			       rb.pe);
	if (rb_mem.region == NULL) {
		rb_fork_in_child(params->in_child);
		rb_process_claim();
		rb_limit_lift(&files);
		ret = boot_process(params);
		rb_limit_back(&files);
		if (ret < 0)
			return ret;
		rb_numa_report();
		rb_hang_ready();
	} else if (params->heap_given &&
		   params->heap_size + params->heap_own > rb_mem.lay.heap_size) {
		return rb_fail(-EINVAL, "the symmetric heap cannot grow from %llu to %zu bytes",
			       (unsigned long long)rb_mem.lay.heap_size, params->heap_size);
	}
	rb_fast_fill();
	rb_barriers.opening = rb.env.per_host_launcher;
	rb_barrier();
	rb_barriers.opening = false;
	rb_line_end();
	ret = rb_cma_open();
	if (ret < 0)
		return ret;
	rb_stats_state(RB_PE_RUNNING);
	rb_block_state(RB_BLOCKED_IN);
	rb_ctl_send(RB_CTL_OPENED, 0, NULL);
	/* what was tried again on the way is no cause of a later failure */
	rb_error_clear();
	closed = false;
	rb_pmix_closed(false);
	return 0;
}

void
rb_close(void)
{
	rb_quiet(rb_ctx_default);
	rb_barrier();
	rb_survivors_leave();
	rb_fast_hide();
	rb_stats_state(RB_PE_LEFT);
	rb_block_state(RB_BLOCKED_LEFT);
	rb_ctl_send(RB_CTL_CLOSED, 0, NULL);
	closed = true;
	rb_pmix_closed(true);
}

/* Runs after all atexit handlers, which may include the library's own finalize. */
__attribute__((destructor)) static void
shut_down(void)
{
	/* the end of a forked child does not end its parent */
	if (rb_process_child()) {
		rb_telemetry_child();
		return;
	}
	rb_telemetry_stop();
	/* the others know of the end; threads of the program may still use everything else */
	if (rb_leaving()) {
		rb_pmix_end();
		return;
	}
	if (rb.booted) {
		if (!closed && rb.env.per_host_launcher)
			rb_abort_broadcast(exit_status != 0 ? exit_status : EXIT_FAILURE);
		rb_watchdog_stop();
		rb.booted = false;
		rb_stop_end(true);
		rb_lcore_stop();
		rb_mirror_close();
		rb_kept_close();
		rb_dma_drain();
		rb_dma_close();
		rb_links_down();
		rb_req_close();
		rb_region_free();
		if (!rb.env.telemetry)
			rb_eal_stop();
	}
	rb_links_unfollow();
	rb_hang_stop();
	rb_ring_close();
	rb_host_close();
	rb_pmix_leave();
}
