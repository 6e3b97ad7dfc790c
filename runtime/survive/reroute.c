/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "survive/reroute.h"

#include "base/route.h"
#include "base/state.h"
#include "base/thread.h"
#include "host/hostseg.h"
#include "host/wait.h"
#include "link/chan.h"
#include "mem/target.h"
#include "relay/send.h"
#include "survive/retransmit.h"

/* port | channels that have moved << 8 */
static _Atomic uint32_t routes[RB_MAX_HOSTS];

enum {
	ROUTE_MOVED = 8,
};
_Static_assert(RB_MAX_CHANNELS <= 32 - ROUTE_MOVED, "a bit for each channel");

static unsigned int
port_in(uint32_t word)
{
	return (unsigned int)(word & 1);
}

/* All of the route, by one load. */
static uint32_t
route_word(int host)
{
	return atomic_load_explicit(&routes[host], memory_order_acquire);
}

/* Has no sender of the channel waited for the old route yet? */
static bool
has_moved(uint32_t word, unsigned int chan)
{
	return (word >> (ROUTE_MOVED + chan) & 1) != 0;
}

void
rb_reroute_init(void)
{
	int h;

	for (h = 0; h < rb.hosts; h++)
		atomic_store_explicit(&routes[h], rb_route_port(h), memory_order_relaxed);
}

void
rb_reroute(unsigned int cable)
{
	uint32_t all = ((1u << rb.channels) - 1) << ROUTE_MOVED;
	int h;

	for (h = 0; h < rb.hosts; h++) {
		struct rb_route now = rb_rule_route_without(
			cable, (unsigned int)rb.host, (unsigned int)h, (unsigned int)rb.hosts);

		if (h != rb.host && now.port != rb_route_port(h))
			atomic_store_explicit(&routes[h], now.port | all, memory_order_release);
	}
}

/* All requests of the old route are complete. */
static void
clear_moved(int host, unsigned int chan)
{
	/* release: pairs with the acquire in route_word() */
	atomic_fetch_and_explicit(&routes[host], ~(1u << (ROUTE_MOVED + chan)),
				  memory_order_release);
}

static bool
class_complete(int host, unsigned int chan, enum rb_class cls)
{
	uint64_t issued =
		atomic_load_explicit(&rb_flows[host][chan].issued[cls], memory_order_relaxed);

	return rb_acked(host, chan, cls, issued);
}

/*
 * The route to the host has moved. Requests of a channel are executed in order, but those that left
 * by the old route would be overtaken by the next one. So wait until they are complete. A sender
 * that has chosen the old route holds the lock of its ring until it has counted its request, and a
 * later one finds the new route under that lock.
 */
static void
drain_route(unsigned int chan, int host, uint32_t seen)
{
	struct rb_tx *old = &rb.link[port_in(seen) ^ 1u].tx[chan];
	struct rb_wait w = {RB_WAIT_INNER, .what = RB_FOR_HOST, .whom = (uint64_t)host};
	enum rb_class cls;

	rb_tx_lock(old);
	rb_tx_unlock(old);
	for (cls = 0; cls < RB_CLS_MAX; cls++)
		while (!class_complete(host, chan, cls))
			rb_wait_turn(&w);
	rb_wait_end(&w);
	clear_moved(host, chan);
}

/* With the ring locked: does the route still lead there? */
static bool
still_leads(int host, uint32_t word)
{
	return port_in(route_word(host)) == port_in(word);
}

static bool
wait_for_slot(struct rb_link *link, struct rb_tx *tx, int host, uint32_t word)
{
	struct rb_wait w = {RB_WAIT_INNER};

	while (rb_tx_free(tx) == 0 && still_leads(host, word)) {
		rb_count(&tx->retries, 1);
		rb_tx_check_credit(link, tx);
		rb_wait_turn(&w);
	}
	rb_wait_end(&w);
	return still_leads(host, word);
}

/* The ring of the route to @p host, locked and with a free slot, once all requests of its older
 * routes are complete. */
static struct rb_tx *
lock_route(unsigned int chan, int host)
{
	for (;;) {
		uint32_t word = route_word(host);
		struct rb_link *link = &rb.link[port_in(word)];
		struct rb_tx *tx = &link->tx[chan];

		if (unlikely(has_moved(word, chan))) {
			drain_route(chan, host, word);
			continue;
		}
		rb_tx_lock(tx);
		if (likely(wait_for_slot(link, tx, host, word)))
			return tx;
		rb_tx_unlock(tx);
	}
}

void
rb_reroute_send(struct rb_ctx *ctx, const struct rb_target *to, struct rb_desc *d,
		const struct rb_lbuf *src, size_t off)
{
	struct rb_tx *tx = lock_route(ctx->chan, to->host);
	struct rb_link *link = &rb.link[tx == &rb.link[RB_PORT_NEXT].tx[ctx->chan]];

	rb_send_note(ctx, to, d);
	rb_send_fill(tx, d, src, off, RB_DIST_HOST);
	rb_retx_commit(link, tx, d);
	rb_tx_unlock(tx);
}
