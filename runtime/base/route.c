/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "base/route.h"

#include "base/rules.h"
#include "base/state.h"

_Atomic uint64_t rb_routes[RB_MAX_HOSTS];

/* One word, so that both of its parts are of one change. */
static _Atomic uint64_t ring_word;

struct rb_ring
rb_route_ring(void)
{
	return rb_ring_of(atomic_load_explicit(&ring_word, memory_order_relaxed));
}

static uint32_t
word_of(struct rb_route r)
{
	return r.hops | (uint32_t)r.side << RB_ROUTE_SIDE;
}

void
rb_route_set(int host, struct rb_route r)
{
	atomic_store_explicit(&rb_routes[host], word_of(r), memory_order_relaxed);
}

void
rb_route_init(uint32_t sides)
{
	int h;

	rb.neighbour[RB_LEFT] = (rb.host + rb.hosts - 1) % rb.hosts;
	rb.neighbour[RB_RIGHT] = (rb.host + 1) % rb.hosts;
	for (h = 0; h < rb.hosts; h++) {
		struct rb_route r = rb_rule_route((unsigned int)rb.host, (unsigned int)h,
						  (unsigned int)rb.hosts);

		if ((sides & 1u << r.side) == 0) {
			r.side ^= 1;
			r.hops = h == rb.host ? 0 : (unsigned int)rb.hosts - r.hops;
		}
		rb_route_set(h, r);
	}
}

static struct rb_route
route_to(int host, int lost)
{
	unsigned int from = (unsigned int)rb.host, to = (unsigned int)host,
		     hosts = (unsigned int)rb.hosts;

	return lost < 0 ? rb_rule_route(from, to, hosts)
			: rb_rule_route_without((unsigned int)lost, from, to, hosts);
}

uint64_t
rb_route_moves(int lost)
{
	uint64_t moved = 0;
	int h;

	for (h = 0; h < rb.hosts; h++)
		if (h != rb.host && route_to(h, lost).side != rb_route_side(h))
			moved |= 1ull << h;
	return moved;
}

void
rb_route_change(const struct rb_ring *ring)
{
	uint64_t moved = rb_route_moves(ring->lost), word;
	/* only the process that has the ports sends requests, and waits for them */
	uint32_t all = rb.local == 0 ? ((1u << rb.channels) - 1) << RB_ROUTE_MOVED : 0;
	int h;

	atomic_store_explicit(&ring_word, rb_ring_word(ring), memory_order_relaxed);
	for (h = 0; h < rb.hosts; h++) {
		if ((moved >> h & 1) == 0)
			continue;
		word = word_of(route_to(h, ring->lost)) | all |
		       (uint64_t)ring->changes << RB_ROUTE_CHANGE;
		atomic_store_explicit(&rb_routes[h], word, memory_order_release);
	}
}

void
rb_route_leave_out(int lost)
{
	const struct rb_ring whole = {.lost = -1};
	int h;

	atomic_store_explicit(&ring_word, rb_ring_word(&whole), memory_order_relaxed);
	for (h = 0; h < rb.hosts; h++)
		/* a way that does not take the cable on its right side does not lead through it */
		rb_route_set(h, route_to(h, lost));
}

void
rb_route_settle(int host, unsigned int chan, uint64_t seen)
{
	uint64_t word = atomic_load_explicit(&rb_routes[host], memory_order_relaxed);

	/* release: pairs with the acquire in rb_route_word() */
	while (rb_route_same(word, seen) &&
	       !atomic_compare_exchange_weak_explicit(&rb_routes[host], &word,
						      word & ~(1ull << (RB_ROUTE_MOVED + chan)),
						      memory_order_release, memory_order_relaxed))
		;
}
