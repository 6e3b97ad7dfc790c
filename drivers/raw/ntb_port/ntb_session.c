/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Queues of mbufs: how the two sides connect. */

#include <sched.h>

#include <rte_alarm.h>
#include <rte_random.h>

#include "ntb_queues.h"

/* Scratchpads below those of the user: hello, session, shape of the rings, place of the zone in
 * units of cache lines. The hello holds a check sum of the others, which are written before it. */
enum {
	HELLO_MAGIC = 0xA7,
	HELLO_VERSION = 1,
	HELLO_WORDS = 4,
	WATCH_US = 10000,
};

_Static_assert((int)HELLO_WORDS <= (int)NTB_SESSION_SPADS, "user scratchpads come after the hello");

uint32_t
ntb_session_number(void)
{
	return (uint32_t)rte_rand() | 1;
}

/* No burst may use the addresses of a session that has ended: the peer may use its memory for
 * something else as soon as it can be reached again. */
static void
wait_for_bursts(struct ntb_queues *qs)
{
	__atomic_store_n(&qs->tag, 0, __ATOMIC_RELAXED);
	/* pairs with the fence in burst_begin(): either it reads 0, or its busy is seen here */
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	for (unsigned int i = 0; i < NTB_QUEUES_MAX; i++) {
		struct ntb_queue *q = qs->queue[i];

		while (q != NULL && (__atomic_load_n(&q->tx.busy, __ATOMIC_ACQUIRE) ||
				     __atomic_load_n(&q->rx.busy, __ATOMIC_ACQUIRE)))
			sched_yield();
	}
}

static void
end_session(struct ntb_queues *qs)
{
	wait_for_bursts(qs);
	qs->session = ntb_session_number();
	qs->hello = false;
	qs->match = false;
	qs->port->ops->spad_write(qs->port, 0, 0); /* of the peer before the loss */
}

void
ntb_queues_leave(struct ntb_queues *qs)
{
	struct ntb_port *port = qs->port;

	end_session(qs);
	port->ops->peer_spad_write(port, 0, 0);
	qs->open = false;
	qs->started = false;
}

static uint32_t
hello_of(const uint32_t w[HELLO_WORDS])
{
	uint64_t sum = 0;

	for (unsigned int i = 1; i < HELLO_WORDS; i++)
		sum = (sum + w[i]) * 0x9E3779B97F4A7C15ull;
	return (uint32_t)HELLO_MAGIC << 24 | (uint32_t)HELLO_VERSION << 16 | (uint32_t)(sum >> 48);
}

/* The peer may have lost the hello, or have cleared it because it noticed a link loss later than
 * this side. So it is read back every time, and written again where it differs. */
static void
say_hello(struct ntb_queues *qs)
{
	struct ntb_port *port = qs->port;
	uint32_t w[HELLO_WORDS] = {
		0,
		qs->session,
		(uint32_t)qs->size << 16 | qs->num,
		(uint32_t)(qs->lead / RTE_CACHE_LINE_SIZE),
	};

	w[0] = hello_of(w);
	if (port->ops->peer_spad_read(port, 0) == w[0] &&
	    port->ops->peer_spad_read(port, 1) == w[1])
		return;
	port->ops->peer_spad_write(port, 0, 0);
	for (unsigned int i = HELLO_WORDS; i-- > 0;)
		port->ops->peer_spad_write(port, i, w[i]);
}

static void
exchange_hello(struct ntb_queues *qs)
{
	uint64_t rings = qs->num * ntb_ring_bytes(qs->size), lead;
	struct ntb_port *port = qs->port;
	uint32_t w[HELLO_WORDS], tag;
	bool hello;

	say_hello(qs);
	for (unsigned int i = 0; i < HELLO_WORDS; i++)
		w[i] = port->ops->spad_read(port, i);
	hello = w[0] == hello_of(w);
	lead = (uint64_t)w[3] * RTE_CACHE_LINE_SIZE;
	qs->match = hello && w[2] == ((uint32_t)qs->size << 16 | qs->num) &&
		    lead <= qs->window_size && rings <= qs->window_size - lead;
	if (hello && !qs->match && !qs->hello)
		NTB_LOG(ERR, qs->name,
			"peer has %u queues of %u, here %u of %u: both must be the same",
			w[2] & 0xffff, w[2] >> 16, qs->num, qs->size);
	qs->hello = hello;

	tag = qs->match ? (qs->session ^ w[1]) | 1 : 0;
	if (tag == __atomic_load_n(&qs->tag, __ATOMIC_RELAXED))
		return;
	wait_for_bursts(qs);
	qs->peer_lead = lead;
	if (tag != 0 && qs->started)
		ntb_rx_sessions(qs, tag);
	/* pairs with the load in burst_begin(): who sees the tag sees where the rings are */
	__atomic_store_n(&qs->tag, tag, __ATOMIC_RELEASE);
}

void
ntb_queues_link(struct ntb_queues *qs, enum ntb_link_look look)
{
	if (qs->open && look == NTB_LOOK_UP)
		exchange_hello(qs);
	else if (qs->hello || (qs->open && look == NTB_LOOK_LOST))
		end_session(qs);
}

/* A lost link comes back only when both sides program it again, also where a program neither sends
 * nor receives. Runs in the EAL's interrupt thread, which waits for the end of all bursts. */
static void
watch_link(void *opaque)
{
	struct ntb_queues *qs = opaque;

	/* pairs with ntb_queues_watch(): what was set up before is seen by this thread */
	if (!qs->watched)
		return;
	qs->look(qs->port);
	if (rte_eal_alarm_set(WATCH_US, watch_link, qs) < 0)
		NTB_LOG(ERR, qs->name, "no more alarms: a lost link may stay down");
}

int
ntb_queues_watch(struct ntb_queues *qs)
{
	int ret;

	qs->watched = true;
	ret = rte_eal_alarm_set(WATCH_US, watch_link, qs);
	if (ret < 0)
		NTB_LOG(ERR, qs->name, "cannot set an alarm to watch the link");
	return ret;
}

void
ntb_queues_unwatch(struct ntb_queues *qs)
{
	qs->watched = false;
	(void)rte_eal_alarm_cancel(watch_link, qs); /* waits for one that runs */
}
