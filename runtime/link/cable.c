/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "link/cable.h"

#include <errno.h>
#include <stdbool.h>

#include "base/exit.h"
#include "base/link.h"
#include "base/route.h"
#include "base/rules.h"
#include "base/state.h"
#include "base/thread.h"
#include "base/window.h"
#include "base/wire.h"
#include "host/wait.h"

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
rb_cable_breaks(unsigned int port)
{
	struct ntb_port *ntb = rb.link[port].port;

	return ntb->ops->link_breaks(ntb);
}

void
rb_cable_watch(unsigned int port, uint64_t breaks)
{
	/* before anybody may notice a break, and so have the driver open the link again */
	ntb_link_once(rb.link[port].port);
	rb.link[port].breaks = breaks;
	__atomic_store_n(&rb.link[port].up, true, __ATOMIC_RELEASE);
}

static bool
link_broke(unsigned int port)
{
	return rb_cable_breaks(port) != rb.link[port].breaks;
}

/* Acquire: pairs with the neighbour's flush before its port stops. That flush delivers its farewell
 * before the link goes down, so look at the chip first and at this word second. */
static bool
said_farewell(unsigned int port)
{
	return __atomic_load_n(&rb.link[port].mine->farewell, __ATOMIC_ACQUIRE) != 0;
}

static bool
cable_broke(unsigned int port)
{
	return link_broke(port) && !said_farewell(port);
}

void
rb_cable_end(unsigned int port, const char *what)
{
	static atomic_flag reported = ATOMIC_FLAG_INIT;

	/* if another PE has ended the job and so taken links down, it has reported why */
	rb_abort_check();
	if (!atomic_flag_test_and_set_explicit(&reported, memory_order_relaxed)) {
		rb_report("the %s cable of host %d, to host %d: %s; what was under way is lost, so "
			  "the job ends",
			  rb_port_name(port), rb.host, rb_route_neighbour(port), what);
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

/* They arrive in order or not at all, so there is nothing to prove. */
static int
flush_messages(struct rb_link *link)
{
	int ret;

	rb_wait_port_begin();
	ret = ntb_flush(link->port);
	rb_wait_port_end();
	return ret;
}

static int
flush_link(struct rb_link *link)
{
	if (link->messages)
		return flush_messages(link);
	if (!link->memory)
		return flush_and_prove(link);
	rb_win_port_drains(link->peer);
	return ntb_flush(link->port);
}

static const char deaf[] = "what this host stores does not arrive there";

#undef rb_cable_flush /* of builds with weak_window, which may leave it out */

void
rb_cable_flush(unsigned int port)
{
	int ret = flush_link(&rb.link[port]);

	/* check after the flush: a link that broke and came up again answers the flush */
	if (unlikely(ret < 0))
		rb_cable_end(port,
			     ret == -ENOTCONN ? deaf : "the neighbour's memory does not answer");
	if (unlikely(rb.link[port].up && link_broke(port)))
		rb_cable_end(port, "the link broke");
}

/* The job goes on without it, or ends. */
static void
lose_link(unsigned int port)
{
	if (rb_survive == NULL)
		rb_cable_end(port, "the link broke");
	rb_survive->lose(port);
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
end_if_forged(unsigned int port)
{
	const struct rb_link *link = &rb.link[port];

	if (unlikely(dropped_frames(link)))
		rb_cable_end(port, "a frame came that no host of this program sends");
	if (unlikely(rb_counted(&link->overdrawn) != 0))
		rb_cable_end(port, "its other end has taken frames that were not sent");
}

/* Stores may get lost for good while the link is up: somebody would wait for what they say. A dead
 * link is found by its breaks. */
static void
check_stores(unsigned int port)
{
	if (unlikely(flush_and_prove(&rb.link[port]) == -ENOTCONN) && !cable_broke(port))
		rb_cable_end(port, deaf);
}

static void
check_link(unsigned int port)
{
	struct rb_link *link = &rb.link[port];

	if (link->port == NULL)
		return;
	end_if_forged(port);
	if (rb_link_lost(link))
		return;
	if (link->up && cable_broke(port))
		lose_link(port);
	else if (link->up && !link->memory && !link->messages)
		check_stores(port);
}

void
rb_cable_check(void)
{
	uint64_t now = rb_now_ns(), then;
	unsigned int port;

	then = atomic_load_explicit(&due, memory_order_relaxed);
	if (now < then ||
	    !atomic_compare_exchange_strong_explicit(&due, &then, now + PERIOD_NS,
						     memory_order_relaxed, memory_order_relaxed))
		return;
	for (port = 0; port < rb.ports; port++)
		check_link(port);
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
rb_cable_farewell(unsigned int port)
{
	struct rb_link *link = &rb.link[port];

	if (!link->up || rb_link_lost(link))
		return;
	/* stopping the port flushes this store */
	rb_win_store64(&link->theirs->farewell, 1);
}
