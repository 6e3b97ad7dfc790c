/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "relay/stop.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "base/group.h"
#include "base/link.h"
#include "base/route.h"
#include "base/rules.h"
#include "base/state.h"
#include "base/wire.h"
#include "host/wait.h"
#include "link/chan.h"
#include "link/turn.h"
#include "mem/layout.h"
#include "relay/ack.h"
#include "relay/mirror.h"
#include "relay/request.h"
#include "relay/send.h"
#include "relay/sleep.h"

enum {
	REST_NS = 200000,
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the two below */
static _Atomic bool holds;
static bool closed;

void
rb_stop_begin(void)
{
	unsigned int g;

	pthread_mutex_lock(&lock);
	if (!closed && !atomic_load_explicit(&holds, memory_order_relaxed)) {
		for (g = 0; g < rb.lcores; g++)
			while (!rb_poll_try(g))
				sched_yield();
		rb_req_abandon();
		/* release: pairs with the acquire in rb_stop_abandon() */
		atomic_store_explicit(&holds, true, memory_order_release);
	}
	pthread_mutex_unlock(&lock);
}

bool
rb_stop_holds(void)
{
	return atomic_load_explicit(&holds, memory_order_acquire);
}

void
rb_stop_rest(unsigned int group)
{
	const struct timespec rest = {.tv_nsec = REST_NS};

	if (group == 0 && rb_wait_proxy())
		return;
	nanosleep(&rest, NULL);
}

void
rb_stop_abandon(void)
{
	if (__builtin_expect(rb_stop_holds(), 0))
		rb_req_abandon();
}

/* The rings that this host takes from, and its ends of those that it fills. */
static void
clear_rings(enum rb_side side)
{
	struct rb_link *link = &rb.link[side];
	struct rb_tx tx[RB_MAX_RINGS];
	struct rb_rx rx[RB_MAX_RINGS];
	unsigned int r;

	memcpy(tx, link->tx, sizeof(tx));
	memcpy(rx, link->rx, sizeof(rx));
	memset(rb_mem.region + rb_mem.lay.desc[side], 0,
	       (size_t)RB_RINGS * rb.slots * sizeof(struct rb_desc));
	memset(link->mine->credit, 0, sizeof(link->mine->credit));
	memset(link->due, 0, sizeof(link->due));
	rb_chan_attach(side);
	for (r = 0; r < RB_RINGS; r++) { /* telemetry counts on */
		link->tx[r].frames = tx[r].frames;
		link->tx[r].bytes = tx[r].bytes;
		link->tx[r].retries = tx[r].retries;
		link->rx[r].frames = rx[r].frames;
		link->rx[r].bytes = rx[r].bytes;
	}
}

/* Nothing leads over this cable any more; what was stored there is not looked at. */
static void
leave_out(struct rb_link *link)
{
	link->port = NULL;
	link->peer = NULL;
	link->up = false;
}

/*
 * Requests to a host are complete where the words of both sides add up to those that were issued.
 * Those of the side that the way takes from now on count from 0, as their counters at the other
 * hosts do. The other word stands for all that were issued before.
 */
static void
count_anew(int host)
{
	enum rb_side side = rb_route_side(host);
	unsigned int chan, cls;

	for (chan = 0; chan < rb.channels; chan++)
		for (cls = 0; cls < RB_CLS_MAX; cls++) {
			rb.link[side].mine->ack[host][chan][cls] = 0;
			rb.link[side ^ 1u].mine->ack[host][chan][cls] = atomic_load_explicit(
				&rb_flows[host][chan].issued[cls], memory_order_relaxed);
		}
}

void
rb_stop_clear(int lost)
{
	enum rb_side side;
	int h;

	for (side = RB_LEFT; side < RB_SIDES; side++) {
		struct rb_link *link = &rb.link[side];

		if (link->port == NULL)
			continue;
		atomic_store_explicit(&link->use, RB_LINK_WHOLE, memory_order_relaxed);
		link->mine->barrier = 0;
		link->mine->cut = 0;
		if (rb_route_neighbour(side) == lost)
			leave_out(link);
		else
			clear_rings(side);
	}
	atomic_store_explicit(&rb_turn_settling, false, memory_order_relaxed);
	rb.survives = false;
	rb_mirror_forget();
	rb_ack_forget();
	for (h = 0; h < rb.hosts; h++)
		count_anew(h);
}

void
rb_stop_end(bool closes)
{
	unsigned int g;

	pthread_mutex_lock(&lock);
	closed |= closes;
	if (atomic_load_explicit(&holds, memory_order_relaxed)) {
		atomic_store_explicit(&holds, false, memory_order_relaxed);
		for (g = 0; g < rb.lcores; g++) {
			rb_poll_end(g);
			/* it may sleep without having asked for bells */
			rb_call(g);
		}
	}
	pthread_mutex_unlock(&lock);
}
