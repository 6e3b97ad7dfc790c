/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "job/survivors.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/exit.h"
#include "base/gone.h"
#include "base/launcher_msg.h"
#include "base/leave.h"
#include "base/link.h"
#include "base/route.h"
#include "base/state.h"
#include "base/transport.h"
#include "base/types.h"
#include "host/follow.h"
#include "host/hostseg.h"
#include "host/ring_state.h"
#include "host/wait.h"
#include "mem/fastpath.h"
#include "op/barrier.h"
#include "op/order.h"
#include "relay/stop.h"

/* Written by the thread that reads the launcher's messages. */
static _Atomic uint32_t losses;
static _Atomic uint32_t answer; /* the launcher's last word; 0: none since this PE has asked */
static int lost_host = -1;	/* before losses: release and acquire of that */

/* Losses after which this PE has forgotten what was under way. The ring of its host may go on
 * before it hears of that step, so the words of base/gone.h do not tell it. */
static uint32_t forgotten;

static _Atomic bool direct_closed;

bool
rb_survivors_may(void)
{
	return rb.env.lost_host == RB_LOST_HOST_ERROR;
}

/* Why a job with several hosts cannot; NULL: it can. */
static const char *
missing_part(void)
{
	unsigned int side;

	if (rb.env.ctl_fd < 0 || rb.env.per_host_launcher)
		return "one oshrun that starts all hosts";
	if (!rb_emulated() || rb.env.bridges || rb.env.bar2 != 0)
		return "an emulated ring with RINGBELL_WINDOWS=memory and without RINGBELL_BAR2";
	for (side = 0; side < RB_SIDES; side++)
		if (rb.env.cable[side].fd < 0)
			return "two cables at each host";
	if (!rb.transport->turns || rb.env.barrier != RB_BARRIER_TWOWAY)
		return "the barrier twoway, and another notify mode than scratchpad";
	return *rb.env.dma == '\0' ? NULL : "no RINGBELL_DMA";
}

/* No store or load goes through a window while the ring is stopped: another PE of this host may
 * have heard of the loss first, so this comes before the program sees the error of a call. */
static void
close_direct(void)
{
	if (!atomic_exchange(&direct_closed, true))
		rb_fast_leave(~(1ull << rb.host));
}

int
rb_survivors_check(void)
{
	const char *needs = rb_survivors_may() && rb.hosts > 1 ? missing_part() : NULL;

	rb_gone_seen = close_direct;
	return needs == NULL ? 0 : rb_fail(-ENOTSUP, "RINGBELL_LOST_HOST=error needs %s", needs);
}

/* A host and a cable elsewhere: the others are in two parts. */
static bool
falls_apart(int host)
{
	int cable = rb_route_ring().lost;

	return cable >= 0 && cable != host && (cable + 1) % rb.hosts != host;
}

/* The number of a PE. */
void
rb_survivors_gone(const struct rb_ctl_msg *msg)
{
	int host = msg->status, pe = -1;

	if (!rb_survivors_may() || host < 0 || host >= rb.hosts || host == rb.host ||
	    sscanf(msg->text, "%d", &pe) != 1 || pe < 0 || pe >= rb.npes ||
	    rb_pe_host(pe) != host || falls_apart(host)) {
		rb_report("host %d is lost, and this job cannot go on without it", host);
		rb_abort_announce(EXIT_FAILURE);
		rb_leave(EXIT_FAILURE);
	}
	rb_gone_stop(host, pe);
	close_direct();
	if (rb.booted)
		rb_stop_begin();
	if (rb.local == 0)
		rb_ring_gone(host);
	lost_host = host;
	atomic_fetch_add_explicit(&losses, 1, memory_order_release);
}

void
rb_survivors_answer(const struct rb_ctl_msg *msg)
{
	atomic_store_explicit(&answer, (uint32_t)msg->status, memory_order_release);
}

static uint32_t
losses_now(void)
{
	return atomic_load_explicit(&losses, memory_order_acquire);
}

/* Say that this PE has come to a step, knowing of @p n losses, and wait until all that are left
 * have. 0; -EBUSY: one leaves the job; -EAGAIN: another host is lost. */
static int
reach_step(enum rb_agree step, uint32_t n)
{
	struct rb_wait w = {.turns = 64};
	uint32_t word = n << RB_AGREE_LOSSES | (uint32_t)step, got;

	atomic_store_explicit(&answer, 0, memory_order_relaxed);
	rb_ctl_send(RB_CTL_AGREE, (int)word, NULL);
	while ((got = atomic_load_explicit(&answer, memory_order_acquire)) == 0 &&
	       losses_now() == n)
		rb_wait_once(&w);
	rb_wait_end(&w);
	if (got == word)
		return 0;
	return got == (n << RB_AGREE_LOSSES | RB_AGREE_NO) ? -EBUSY : -EAGAIN;
}

/* The ways of this process without the lost host. */
static void
change_ways(int lost)
{
	unsigned int side;

	for (side = 0; side < RB_SIDES; side++) {
		atomic_store_explicit(&rb.link[side].use, RB_LINK_WHOLE, memory_order_relaxed);
		if (rb_route_neighbour(side) != lost)
			continue;
		rb.link[side].peer = NULL;
		if (rb.local == 0 && rb_hostseg != NULL)
			rb_hostseg->sides &= ~(1u << side);
	}
	rb_route_leave_out(lost);
}

/* All PEs are in this function, and all relays stand still. */
static void
forget_all(uint32_t n, const struct rb_survivors_ops *ops, void *arg)
{
	rb_follow_lead();
	change_ways(lost_host);
	if (rb.booted)
		rb_stop_clear(lost_host);
	rb_barrier_restart((uint64_t)n << RB_AGREE_EPOCH);
	ops->clear(arg);
	forgotten = n;
	/* the others of this host use the ring when all have come so far */
	if (rb.local == 0)
		rb_gone_go_on();
}

/* Behind the step CLEAR: no host stores into what another one has cleared. */
static void
go_on(void)
{
	uint64_t lost = atomic_load_explicit(&rb_gone->hosts, memory_order_relaxed);

	if (rb.booted)
		rb_stop_end(false);
	rb_fast_return(~lost);
	atomic_store(&direct_closed, false);
}

static int
agree_once(uint32_t n, const struct rb_survivors_ops *ops, void *arg)
{
	int ret, joined;

	rb_quiet(rb_ctx_default);
	ret = reach_step(RB_AGREE_HERE, n);
	if (ret == 0 && forgotten != n) {
		forget_all(n, ops, arg);
		ret = reach_step(RB_AGREE_CLEAR, n);
		if (ret == 0)
			go_on();
	}
	if (ret < 0)
		return ret;
	joined = ops->join(arg);
	ret = reach_step(RB_AGREE_DONE, n);
	if (ret == 0)
		return joined;
	ops->undo(arg);
	return ret;
}

int
rb_survivors_agree(const struct rb_survivors_ops *ops, void *arg)
{
	int ret;

	do
		ret = agree_once(losses_now(), ops, arg);
	while (ret == -EAGAIN);
	return ret;
}

void
rb_survivors_leave(void)
{
	if (!rb_survivors_may() || rb.env.ctl_fd < 0 || rb.hosts == 1)
		return;
	while (reach_step(RB_AGREE_LEAVE, losses_now()) == -EAGAIN)
		;
}
