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
#include "observe/loss.h"
#include "relay/send.h"
#include "survive/retransmit.h"

/* hops | side << 8 | channels that have moved << 16 | change << 32 */
static _Atomic uint64_t routes[RB_MAX_HOSTS];

enum {
	ROUTE_SIDE = 8,
	ROUTE_MOVED = 16,
	ROUTE_CHANGE = 32,
};
_Static_assert(RB_MAX_CHANNELS <= ROUTE_CHANGE - ROUTE_MOVED, "a bit for each channel");

/* changes << 8 | lost + 1: one word, so that both are of one change. */
static _Atomic uint64_t ring_word;

struct rb_ring
rb_reroute_ring(void)
{
	uint64_t word = atomic_load_explicit(&ring_word, memory_order_relaxed);

	return (struct rb_ring){.changes = (uint32_t)(word >> 8), .lost = (int)(word & 0xff) - 1};
}

static uint64_t
word_of(struct rb_route r)
{
	return r.hops | (uint64_t)r.side << ROUTE_SIDE;
}

static enum rb_side
side_in(uint64_t word)
{
	return (enum rb_side)(word >> ROUTE_SIDE & 1);
}

/* All of the route, by one load. */
static uint64_t
route_word(int host)
{
	return atomic_load_explicit(&routes[host], memory_order_acquire);
}

/* Has no sender of the channel waited for the old route yet? */
static bool
has_moved(uint64_t word, unsigned int chan)
{
	return (word >> (ROUTE_MOVED + chan) & 1) != 0;
}

/* The same on any channel. */
static bool
any_moved(uint64_t word)
{
	return (uint16_t)(word >> ROUTE_MOVED) != 0;
}

static bool
same_change(uint64_t a, uint64_t b)
{
	return ((a ^ b) >> ROUTE_CHANGE) == 0;
}

void
rb_reroute_init(void)
{
	int h;

	atomic_store_explicit(&ring_word, 0, memory_order_relaxed);
	for (h = 0; h < rb.hosts; h++)
		atomic_store_explicit(&routes[h], word_of(rb_route_of(h)), memory_order_relaxed);
}

static struct rb_route
route_to(int host, int lost)
{
	return lost < 0 ? rb_route_of(host)
			: rb_rule_route_without((unsigned int)lost, (unsigned int)rb.host,
						(unsigned int)host, (unsigned int)rb.hosts);
}

void
rb_reroute(const struct rb_ring *ring)
{
	uint64_t all = (uint64_t)((1u << rb.channels) - 1) << ROUTE_MOVED;
	int h;

	atomic_store_explicit(&ring_word, (uint64_t)ring->changes << 8 | (uint64_t)(ring->lost + 1),
			      memory_order_relaxed);
	for (h = 0; h < rb.hosts; h++) {
		uint64_t before = atomic_load_explicit(&routes[h], memory_order_relaxed);
		uint64_t now = word_of(route_to(h, ring->lost));

		if (h != rb.host && side_in(now) != side_in(before))
			atomic_store_explicit(&routes[h],
					      now | all | (uint64_t)ring->changes << ROUTE_CHANGE,
					      memory_order_release);
	}
}

/* All requests of the old route are complete, on the route that @p seen is a word of: a younger one
 * stays as it is. */
static void
clear_moved(int host, unsigned int chan, uint64_t seen)
{
	uint64_t word = atomic_load_explicit(&routes[host], memory_order_relaxed);

	/* release: pairs with the acquire in route_word() */
	while (same_change(word, seen) &&
	       !atomic_compare_exchange_weak_explicit(&routes[host], &word,
						      word & ~(1ull << (ROUTE_MOVED + chan)),
						      memory_order_release, memory_order_relaxed))
		;
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
drain_route(unsigned int chan, int host, uint64_t seen)
{
	struct rb_tx *old = &rb.link[side_in(seen) ^ 1u].tx[chan];
	struct rb_wait w = {RB_WAIT_INNER, .what = RB_FOR_HOST, .whom = (uint64_t)host};
	uint64_t began = rb_now_ns();
	enum rb_class cls;

	rb_tx_lock(old);
	rb_tx_unlock(old);
	for (cls = 0; cls < RB_CLS_MAX; cls++)
		while (!class_complete(host, chan, cls))
			rb_wait_turn(&w);
	rb_wait_end(&w);
	rb_loss_pause(rb_now_ns() - began);
	clear_moved(host, chan, seen);
}

/* The same, where it has nothing to wait for. */
static void
try_drain(unsigned int chan, int host, uint64_t seen)
{
	struct rb_tx *old = &rb.link[side_in(seen) ^ 1u].tx[chan];

	if (atomic_flag_test_and_set_explicit(&old->lock, memory_order_acquire))
		return;
	rb_tx_unlock(old);
	if (class_complete(host, chan, RB_CLS_STORED) &&
	    class_complete(host, chan, RB_CLS_EXECUTED))
		clear_moved(host, chan, seen);
}

bool
rb_reroute_drained(void)
{
	bool all = true;
	unsigned int chan;
	int h;

	for (h = 0; h < rb.hosts; h++) {
		uint64_t word = route_word(h);

		for (chan = 0; chan < rb.channels; chan++)
			if (has_moved(word, chan))
				try_drain(chan, h, word);
		all &= !any_moved(route_word(h));
	}
	return all;
}

/* With the ring locked: is the route still that of its host? A route that has changed twice leads
 * to the same side again, but its word is another one. */
static bool
still_leads(int host, uint64_t word)
{
	return route_word(host) == word;
}

static bool
wait_for_slot(struct rb_link *link, struct rb_tx *tx, int host, uint64_t word)
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
		uint64_t word = route_word(host);
		struct rb_link *link = &rb.link[side_in(word)];
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
	struct rb_link *link = &rb.link[tx == &rb.link[RB_RIGHT].tx[ctx->chan]];

	rb_send_note(ctx, to, d);
	rb_send_fill(tx, d, src, off, RB_DIST_HOST);
	rb_retx_commit(link, tx, d);
	rb_tx_unlock(tx);
}
