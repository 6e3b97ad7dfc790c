/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "survive/reroute.h"

#include <stdatomic.h>

#include "base/graph.h"
#include "base/route.h"
#include "base/state.h"
#include "host/wait.h"
#include "link/chan.h"
#include "mem/target.h"
#include "relay/dispatch.h"
#include "relay/send.h"
#include "survive/retransmit.h"

enum {
	ROUTE_EPOCH = 8, /* above the port */
};

/* port | epoch << ROUTE_EPOCH */
static _Atomic uint32_t routes[RB_MAX_HOSTS];
uint32_t rb_epoch;

static unsigned int
count_ends(void)
{
	unsigned int n = 0, h, p;

	for (h = 0; h < rb_cables.hosts; h++)
		for (p = 0; p < RB_MAX_PORTS; p++)
			n += rb_cables.end[h][p].port != RB_PORT_NONE;
	return n;
}

unsigned int
rb_reroute_port(int host)
{
	return rb_graph_next(&rb_cables, (unsigned int)rb.host, RB_PORT_NONE, (unsigned int)host);
}

void
rb_reroute(void)
{
	static unsigned int ends;
	int h;

	ends = ends == 0 ? count_ends() : ends;
	rb_epoch = (ends - count_ends()) / 2;
	rb_graph_set(&rb_cables);
	rb_route_ways();
	for (h = 0; h < rb.hosts; h++)
		if (h != rb.host)
			atomic_store_explicit(&routes[h],
					      rb_reroute_port(h) | rb_epoch << ROUTE_EPOCH,
					      memory_order_release);
}

/* All of the route, by one load. */
static uint32_t
route_word(int host)
{
	return atomic_load_explicit(&routes[host], memory_order_acquire);
}

static unsigned int
port_in(uint32_t word)
{
	return word & ((1u << ROUTE_EPOCH) - 1);
}

/* With the ring locked: does the route still lead there? */
static bool
still_leads(int host, uint32_t word)
{
	return route_word(host) == word;
}

static bool
wait_for_slot(struct rb_link *link, struct rb_tx *tx, int host, uint32_t word)
{
	struct rb_wait w = {RB_WAIT_INNER};

	while (rb_tx_free(tx, 1) == 0 && still_leads(host, word)) {
		rb_count(&tx->retries, 1);
		rb_tx_check_credit(link, tx);
		rb_wait_turn(&w);
	}
	rb_wait_end(&w);
	return still_leads(host, word);
}

/* The ring of the route to @p host, locked and with a free slot. @return the route */
static uint32_t
lock_route(unsigned int chan, int host)
{
	for (;;) {
		uint32_t word = route_word(host);
		struct rb_link *link = &rb.link[port_in(word)];
		struct rb_tx *tx = &link->tx[chan];

		rb_tx_lock(tx);
		if (likely(wait_for_slot(link, tx, host, word)))
			return word;
		rb_tx_unlock(tx);
	}
}

/* No more than the ways hold, so that a target keeps few of them that come too early. */
static void
wait_for_acks(unsigned int chan, int host)
{
	uint64_t most = (uint64_t)rb.slots * (unsigned int)rb.hosts;
	_Atomic uint64_t *issued = &rb_flows[host][chan].issued[RB_CLS_EXECUTED];

	RB_WAIT_FOR(rb_acked(host, chan, RB_CLS_EXECUTED,
			     atomic_load_explicit(issued, memory_order_relaxed) - most),
		    RB_WAIT_INNER, .what = RB_FOR_HOST, .whom = (uint64_t)host);
}

void
rb_reroute_send(struct rb_ctx *ctx, const struct rb_target *to, struct rb_desc *d,
		const uint8_t *payload)
{
	struct rb_link *link;
	struct rb_tx *tx;
	uint32_t word;

	wait_for_acks(ctx->chan, to->host);
	word = lock_route(ctx->chan, to->host);
	link = &rb.link[port_in(word)];
	tx = &link->tx[ctx->chan];
	d->turn = rb_send_note(ctx, to, d);
	d->epoch = word >> ROUTE_EPOCH;
	rb_send_fill(tx, d, payload, RB_DIST_HOST);
	rb_retx_commit(link, tx, d);
	rb_tx_unlock(tx);
}
