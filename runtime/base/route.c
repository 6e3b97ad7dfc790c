/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "base/route.h"

#include "base/rules.h"
#include "base/state.h"

_Atomic uint32_t rb_routes[RB_MAX_HOSTS];

/* Number of the lost cable, plus 1 | changes << 8. One word, so that both are of one change. */
static _Atomic uint64_t ring_word;

struct rb_ring
rb_route_ring(void)
{
	uint64_t word = atomic_load_explicit(&ring_word, memory_order_relaxed);

	return (struct rb_ring){.changes = (uint32_t)(word >> 8), .lost = (int)(word & 0xff) - 1};
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

uint64_t
rb_route_cut(unsigned int cable)
{
	uint32_t all = ((1u << rb.channels) - 1) << RB_ROUTE_MOVED;
	uint64_t moved = 0;
	unsigned int side;
	int h;

	for (side = 0; side < RB_SIDES; side++)
		if (rb_rule_cable((unsigned int)rb.host, side, (unsigned int)rb.hosts) == cable)
			atomic_store_explicit(&rb.link[side].cut, true, memory_order_relaxed);

	for (h = 0; h < rb.hosts; h++) {
		struct rb_route r = rb_rule_route_without(cable, (unsigned int)rb.host,
							  (unsigned int)h, (unsigned int)rb.hosts);

		if (h == rb.host || r.side == rb_route_side(h))
			continue;
		moved |= 1ull << h;
		atomic_store_explicit(&rb_routes[h], word_of(r) | all, memory_order_release);
	}
	atomic_store_explicit(&ring_word, 1u << 8 | (cable + 1), memory_order_relaxed);
	return moved;
}
