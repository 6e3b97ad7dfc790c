/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "link/cable.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/exit.h"
#include "base/link.h"
#include "base/route.h"
#include "base/rules.h"
#include "base/state.h"
#include "base/thread.h"
#include "base/window.h"
#include "base/wire.h"

enum {
	LOOKS = 64,	     /* calls between two looks at the clock */
	PERIOD_NS = 1000000, /* between two looks at the chips: reading a register takes 1 us */
	PROOFS = 64,	     /* tries, where other threads store theirs */
};

const struct rb_survive_ops *rb_survive;

/* Time of the next look at the chips. The thread that advances it does the look. Relaxed: it orders
 * no data. */
static _Atomic uint64_t due;

uint64_t
rb_cable_breaks(enum rb_side side)
{
	struct ntb_port *port = rb.link[side].port;

	return port->ops->link_breaks(port);
}

void
rb_cable_watch(enum rb_side side, uint64_t breaks)
{
	rb.link[side].breaks = breaks;
	rb.link[side].up = true;
}

static bool
link_broke(enum rb_side side)
{
	return rb_cable_breaks(side) != rb.link[side].breaks;
}

/* Acquire: pairs with the neighbour's flush before its port stops. That flush delivers its farewell
 * before the link goes down, so look at the chip first and at this word second. */
static bool
said_farewell(enum rb_side side)
{
	return __atomic_load_n(&rb.link[side].mine->farewell, __ATOMIC_ACQUIRE) != 0;
}

static bool
cable_broke(enum rb_side side)
{
	return link_broke(side) && !said_farewell(side);
}

void
rb_cable_end(enum rb_side side, const char *what)
{
	static atomic_flag reported = ATOMIC_FLAG_INIT;

	/* if another PE has ended the job and so taken links down, it has reported why */
	rb_abort_check();
	if (!atomic_flag_test_and_set_explicit(&reported, memory_order_relaxed)) {
		rb_report("the %s cable of host %d, to host %d: %s; what was under way is lost, so "
			  "the job ends",
			  rb_side_name(side), rb.host, rb_route_neighbour(side), what);
		rb_abort_announce(EXIT_FAILURE);
	}
	rb_leave(EXIT_FAILURE);
}

/* A flush, which reads a word that was stored before. */
static int
read_proof(const struct rb_link *link, uint64_t *ret)
{
	rb_win_port_drains(link->peer);
	return ntb_flush_at(link->port,
			    (uint64_t)((const uint8_t *)&link->theirs->proof - link->peer), ret);
}

static uint64_t
draw_proof(struct rb_link *link)
{
	return atomic_fetch_add_explicit(&link->proof, 1, memory_order_relaxed) + 1;
}

/*
 * A flush that also finds out whether stores arrive: what refuses a host's stores may let its loads
 * through. The word holds a count that was drawn after this thread had stored its data, by this
 * thread or by another one; whose store of it lands last is not known, so one that is too old says
 * nothing yet. 0; -EIO: the link is dead; -ENOTCONN: stores are lost.
 */
static int
flush_and_prove(struct rb_link *link)
{
	uint64_t first = draw_proof(link), count = first, seen;
	unsigned int i;
	int ret;

	for (i = 0; i < PROOFS; i++, count = draw_proof(link)) {
		rb_win_publish64(link, &link->theirs->proof, count);
		ret = read_proof(link, &seen);
		if (unlikely(ret < 0))
			return ret;
		if (likely(seen >= first && seen != UINT64_MAX))
			return 0;
	}
	return seen == UINT64_MAX ? -EIO : -ENOTCONN;
}

static int
flush_link(struct rb_link *link)
{
	if (!link->memory)
		return flush_and_prove(link);
	rb_win_port_drains(link->peer);
	return ntb_flush(link->port);
}

static const char deaf[] = "what this host stores does not arrive there";

#undef rb_cable_flush /* of builds with weak_window, which may leave it out */

void
rb_cable_flush(enum rb_side side)
{
	int ret = flush_link(&rb.link[side]);

	/* check after the flush: a link that broke and came up again answers the flush */
	if (unlikely(ret < 0))
		rb_cable_end(side,
			     ret == -ENOTCONN ? deaf : "the neighbour's memory does not answer");
	if (unlikely(rb.link[side].up && link_broke(side)))
		rb_cable_end(side, "the link broke");
}

/* The job goes on as a line, or ends. */
static void
lose_link(enum rb_side side)
{
	int ret = rb_survive == NULL ? -ENOTSUP : rb_survive->lose(side);

	if (ret < 0)
		rb_cable_end(side, ret == -EBUSY ? "the link broke, after another one of the ring"
						 : "the link broke");
}

void
rb_cable_once(void)
{
	enum rb_side side;

	for (side = 0; side < RB_SIDES; side++) {
		struct ntb_port *port = rb.link[side].port;

		if (port == NULL)
			continue;
		ntb_link_once(port);
		if (rb.link[side].up && link_broke(side))
			lose_link(side);
	}
}

static bool
dropped_frames(const struct rb_link *link)
{
	unsigned int g;

	for (g = 0; g < rb.lcores; g++)
		if (rb_counted(&link->relayed[g].dropped) != 0)
			return true;
	return false;
}

/* The place of such a frame was that of a right one, which is lost with it: somebody would wait for
 * it for ever, or miss its data. */
static void
end_if_forged(enum rb_side side)
{
	const struct rb_link *link = &rb.link[side];

	if (unlikely(dropped_frames(link)))
		rb_cable_end(side, "a frame came that no host of this program sends");
	if (unlikely(rb_counted(&link->overdrawn) != 0))
		rb_cable_end(side, "its other end has taken frames that were not sent");
}

/* Stores may get lost for good while the link is up: somebody would wait for what they say. A dead
 * link is found by its breaks. */
static void
check_stores(enum rb_side side)
{
	if (unlikely(flush_and_prove(&rb.link[side]) == -ENOTCONN) && !cable_broke(side))
		rb_cable_end(side, deaf);
}

static void
check_link(enum rb_side side)
{
	struct rb_link *link = &rb.link[side];

	if (link->port == NULL)
		return;
	end_if_forged(side);
	if (rb_link_lost(link))
		return;
	if (link->up && cable_broke(side))
		lose_link(side);
	else if (link->up && !link->memory)
		check_stores(side);
}

void
rb_cable_check(void)
{
	uint64_t now = rb_now_ns(), then;
	enum rb_side side;

	then = atomic_load_explicit(&due, memory_order_relaxed);
	if (now < then ||
	    !atomic_compare_exchange_strong_explicit(&due, &then, now + PERIOD_NS,
						     memory_order_relaxed, memory_order_relaxed))
		return;
	for (side = 0; side < RB_SIDES; side++)
		check_link(side);
}

void
rb_cable_look(void)
{
	static __thread uint32_t looks;

	rb_abort_check();
	if (unlikely(++looks % LOOKS == 0))
		rb_cable_check();
}

void
rb_cable_farewell(enum rb_side side)
{
	struct rb_link *link = &rb.link[side];

	if (!link->up || rb_link_lost(link))
		return;
	/* stopping the port flushes this store */
	rb_win_store64(&link->theirs->farewell, 1);
}
