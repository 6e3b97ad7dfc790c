/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_BASE_ROUTE_H
#define RB_BASE_ROUTE_H

/**
 * @file
 * Routes: which side leads to a host, over how many hops, and which host is the neighbour there.
 * Only these functions read or write the table. It changes once at most, where a cable is lost.
 *
 * The route to a host is one word, so that a thread never sees the side of one route and the length
 * of another. The word also says for each channel whether the route has moved and the requests of
 * the old way may still be under way: the next sender on that channel waits for them
 * (relay/send.c). Release in rb_route_cut(), acquire in rb_route_load(): a sender that sees the new
 * side sees these bits.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/link.h"
#include "base/rules.h"
#include "base/state.h"

/** hops | side << 8 | channels that have moved << 16 */
extern _Atomic uint32_t rb_routes[RB_MAX_HOSTS];

enum {
	RB_ROUTE_SIDE = 8,
	RB_ROUTE_MOVED = 16,
};
_Static_assert(RB_MAX_CHANNELS <= 32 - RB_ROUTE_MOVED, "a bit for each channel");

/** @p sides: sides that have a link, as bits. Where only one side has a link, all routes use it. */
void rb_route_init(uint32_t sides);
/** Before other threads run. */
void rb_route_set(int host, struct rb_route r);
/** @p cable is lost: mark the link, and send everything the other way round. Returns the hosts
 * whose route has moved, as bits. One thread calls it, once. */
uint64_t rb_route_cut(unsigned int cable);

/** What this process knows of the cables of the ring. */
struct rb_ring {
	uint32_t changes; /**< losses and returns of a cable so far; odd: one is lost */
	int lost;	  /**< its number: it joins the right port of that host; -1: none */
};

/** Any thread. A PE without ports learns of a change in rb_follow_lead(). */
struct rb_ring rb_route_ring(void);

/** Host at the other end of a side's cable. */
static inline int
rb_route_neighbour(enum rb_side side)
{
	return rb.neighbour[side];
}

static inline int
rb_route_beyond(const struct rb_link *link)
{
	return rb.neighbour[link - rb.link];
}

/** @p ret_moved: channels, as bits, on which no sender has waited for the old way yet. One load: a
 *  route that changes between two of them would be taken for the old one. */
static inline struct rb_route
rb_route_load(int host, uint32_t *ret_moved)
{
	uint32_t word = atomic_load_explicit(&rb_routes[host], memory_order_acquire);

	*ret_moved = word >> RB_ROUTE_MOVED;
	return (struct rb_route){.side = (enum rb_side)(word >> RB_ROUTE_SIDE & 1),
				 .hops = word & ((1u << RB_ROUTE_SIDE) - 1)};
}

static inline struct rb_route
rb_route_of(int host)
{
	uint32_t moved;

	return rb_route_load(host, &moved);
}

static inline enum rb_side
rb_route_side(int host)
{
	return rb_route_of(host).side;
}

/** 0: this host; 1: a neighbour, within reach of a window. */
static inline unsigned int
rb_route_hops(int host)
{
	return rb_route_of(host).hops;
}

/** All requests of the old way are complete. Release: pairs with the acquire in rb_route_load(). */
static inline void
rb_route_settle(int host, unsigned int chan)
{
	atomic_fetch_and_explicit(&rb_routes[host], ~(1u << (RB_ROUTE_MOVED + chan)),
				  memory_order_release);
}

#endif /* RB_BASE_ROUTE_H */
