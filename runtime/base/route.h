/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_BASE_ROUTE_H
#define RB_BASE_ROUTE_H

/**
 * @file
 * Routes: which side leads to a host, over how many hops, and which host is the neighbour there.
 * Only these functions read or write the table. It changes where a cable is lost, and where one
 * comes back.
 *
 * The route to a host is one word, so that a thread never sees the side of one route and the length
 * of another. The word also says for each channel whether the route has moved and the requests of
 * the old way may still be under way: the next sender on that channel waits for them
 * (relay/send.c). And it says which change it is of: a sender that has waited for the requests of
 * one change must not say so of the next one, and a route that has changed twice looks like the
 * first one. Release in rb_route_change(), acquire in rb_route_word(): a sender that sees the new
 * side sees these bits.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/link.h"
#include "base/rules.h"
#include "base/state.h"

/** hops | side << 8 | channels that have moved << 16 | change << 32 */
extern _Atomic uint64_t rb_routes[RB_MAX_HOSTS];

enum {
	RB_ROUTE_SIDE = 8,
	RB_ROUTE_MOVED = 16,
	RB_ROUTE_CHANGE = 32,
};
_Static_assert(RB_MAX_CHANNELS <= RB_ROUTE_CHANGE - RB_ROUTE_MOVED, "a bit for each channel");

/** What this process knows of the cables of the ring. */
struct rb_ring {
	uint32_t changes; /**< losses and returns of a cable so far; odd: one is lost */
	int lost;	  /**< its number: it joins the right port of that host; -1: none */
};

static inline uint64_t
rb_ring_word(const struct rb_ring *ring)
{
	return (uint64_t)ring->changes << 8 | (uint64_t)(ring->lost + 1);
}

static inline struct rb_ring
rb_ring_of(uint64_t word)
{
	return (struct rb_ring){.changes = (uint32_t)(word >> 8), .lost = (int)(word & 0xff) - 1};
}

/** @p sides: sides that have a link, as bits. Where only one side has a link, all routes use it. */
void rb_route_init(uint32_t sides);
/** Before other threads run. */
void rb_route_set(int host, struct rb_route r);
/** Hosts, as bits, whose side is another one where cable @p lost is; -1: none is. */
uint64_t rb_route_moves(int lost);
/** A cable is lost, or back: change the routes. One thread at a time. */
void rb_route_change(const struct rb_ring *ring);

/** The ways that are left without host @p lost, from now on: before any request takes one. */
void rb_route_leave_out(int lost);

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

/** All of the route, by one load: a route that changes between two of them would be taken for the
 *  old one. */
static inline uint64_t
rb_route_word(int host)
{
	return atomic_load_explicit(&rb_routes[host], memory_order_acquire);
}

static inline struct rb_route
rb_route_in(uint64_t word)
{
	return (struct rb_route){.side = (enum rb_side)(word >> RB_ROUTE_SIDE & 1),
				 .hops = word & ((1u << RB_ROUTE_SIDE) - 1)};
}

/** Has no sender of the channel waited for the old way yet? */
static inline bool
rb_route_moved(uint64_t word, unsigned int chan)
{
	return (word >> (RB_ROUTE_MOVED + chan) & 1) != 0;
}

/** The same on any channel. */
static inline bool
rb_route_unsettled(uint64_t word)
{
	return (uint16_t)(word >> RB_ROUTE_MOVED) != 0;
}

/** Are both words of the same change? */
static inline bool
rb_route_same(uint64_t a, uint64_t b)
{
	return ((a ^ b) >> RB_ROUTE_CHANGE) == 0;
}

static inline struct rb_route
rb_route_of(int host)
{
	return rb_route_in(rb_route_word(host));
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

/** All requests of the old way are complete, on the route that @p seen is a word of: a younger one
 *  stays as it is. */
void rb_route_settle(int host, unsigned int chan, uint64_t seen);

#endif /* RB_BASE_ROUTE_H */
