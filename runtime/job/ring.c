/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "job/ring.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>

#include <rte_common.h>

#include "base/deal.h"
#include "base/error.h"
#include "base/exit.h"
#include "base/state.h"
#include "host/hostseg.h"
#include "host/ring_state.h"
#include "host/wait.h"
#include "job/preflight.h"
#include "job/watchdog.h"
#include "link/dma_dev.h"
#include "link/dma_queue.h"
#include "link/eal.h"
#include "link/links.h"
#include "mem/fastpath.h"
#include "mem/layout.h"
#include "mem/region.h"
#include "op/barrier.h"
#include "op/proxy.h"
#include "survive/survive.h"
#include "relay/poll.h"
#include "relay/send.h"
#include "relay/sleep.h"

static struct rb_flow own_flow[RB_MAX_HOSTS][RB_MAX_CHANNELS];

static const struct rb_wait_ops progress = {
	.poll = rb_progress_once,
	.proxy = rb_proxy_serve,
	.borrow = rb_poll_borrow,
	.give_back = rb_poll_return,
};

int
rb_ring_choose(void)
{
	rb.ports = RTE_MIN(RTE_MAX(rb.env.ports, (unsigned int)RB_RING_PORTS),
			   (unsigned int)RB_MAX_PORTS);
	rb.channels = rb.env.channels;
	rb.lcores = rb.env.lcores;
	rb.notify = rb.env.notify;
	rb.slots = rb.env.slots;
	rb.chunk = rb.env.chunk;
	return rb.ports > RB_RING_PORTS && rb.env.one_chip
		       ? rb_fail(-EINVAL, "oshrun --wiring: only a ring has chips=1")
		       : 0;
}

/* A real adapter needs bus addresses: move the region to memory that has them, or to the ports'. */
static int
claim_region(void)
{
	const struct ntb_port_memory *own;
	uint64_t align;
	int ret = 0;

	if (!rb_emulated()) {
		rb_region_free();
		ret = rb_layout(rb_mem.lay.heap_size); /* the ports are known now */
	}
	if (ret == 0)
		ret = rb_links_want(&align);
	if (ret == 0)
		ret = rb_links_memory(&own);
	if (ret < 0 || rb_emulated())
		return ret;
	return own != NULL ? rb_region_adopt(own) : rb_region_reserve(align);
}

/* DPDK's telemetry, once it runs, has threads that nobody can stop. */
static bool keep_eal;

static void
stop_eal(void)
{
	if (!keep_eal)
		rb_eal_stop();
}

static int
start_links(void)
{
	int ret = rb_links_start();

	if (ret < 0)
		rb_links_down();
	return ret;
}

static int
open_proxy(void)
{
	return rb.locals > 1 ? rb_proxy_init() : 0;
}

static int
open_dma(void)
{
	int ret = rb_dma_open();

	if (ret < 0)
		rb_dma_close();
	return ret;
}

static void
close_dma(void)
{
	rb_dma_drain();
	rb_dma_close();
}

static int
start_watchdog(void)
{
	return rb.env.per_host_launcher ? rb_watchdog_start() : 0;
}

static int
start_relay(void)
{
	rb_wait_register(&progress);
	return rb_lcore_start();
}

/* In this order; undone in the reverse one. A step that fails has undone what it did. */
static const struct step {
	int (*open)(void);
	void (*close)(void);
} steps[] = {
	{rb_preflight_sys, NULL},
	{rb_eal_start, stop_eal},
	{claim_region, rb_region_free}, /* it may be memory of the EAL */
	{start_links, rb_links_down},
	{open_proxy, NULL},
	{rb_links_up, NULL},
	{open_dma, close_dma},
	{rb_survive_open, rb_survive_close},
	{start_watchdog, rb_watchdog_stop},
	{start_relay, rb_lcore_stop},
};

static void
close_steps(size_t n)
{
	while (n-- > 0)
		if (steps[n].close != NULL)
			steps[n].close();
}

static int
open_steps(void)
{
	bool linked = false;
	size_t i;
	int ret;

	for (i = 0; i < RTE_DIM(steps); i++) {
		ret = steps[i].open();
		linked |= steps[i].open == start_links && ret == 0;
		if (ret == 0)
			continue;
		/* a launcher of all hosts ends the others, once it has the reason from this one */
		if (linked && (rb.env.ctl.fd < 0 || rb.env.per_host_launcher))
			rb_abort_broadcast(EXIT_FAILURE);
		close_steps(i);
		return ret;
	}
	rb.booted = true;
	return 0;
}

int
rb_ring_open(void)
{
	int ret = 0;

	rb_flows = rb.locals > 1 ? rb_hostseg->flow : own_flow;
	if (rb.local != 0)
		return rb.hosts > 1 ? rb_links_follow() : 0;
	if (rb.hosts > 1)
		return open_steps();
	if (rb.env.telemetry)
		ret = rb_preflight_sys();
	return ret == 0 && rb.env.telemetry ? rb_eal_start() : ret;
}

void
rb_ring_meet(void)
{
	rb_fast_fill();
	rb_barrier();
	/* all PEs have opened what they need of each other's */
	rb_env_release(&rb.env);
}

void
rb_ring_leave(bool closed, int status)
{
	if (rb.booted) {
		if (!closed && rb.env.per_host_launcher)
			rb_abort_broadcast(status != 0 ? status : EXIT_FAILURE);
		rb.booted = false;
		keep_eal = rb.env.telemetry;
		close_steps(RTE_DIM(steps));
	}
}
