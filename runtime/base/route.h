/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_BASE_ROUTE_H
#define RB_BASE_ROUTE_H

/**
 * @file
 * Routes: which port leads to a host, over how many hops, and which host is the neighbour there.
 * Constant from rb_route_init() on. A job that survives a lost cable has routes of its own for its
 * frames (survive/reroute.h).
 */

#include <stdint.h>

#include "base/link.h"
#include "base/rules.h"
#include "base/state.h"

extern struct rb_route rb_routes[RB_MAX_HOSTS];

/** @p links: ports that have a link, as bits. Where only one port has a link, all routes use it. */
void rb_route_init(uint32_t links);

/** Host at the other end of a port's cable. */
static inline int
rb_route_neighbour(unsigned int port)
{
	return rb.neighbour[port];
}

static inline int
rb_route_beyond(const struct rb_link *link)
{
	return rb.neighbour[link - rb.link];
}

static inline struct rb_route
rb_route_of(int host)
{
	return rb_routes[host];
}

static inline unsigned int
rb_route_port(int host)
{
	return rb_routes[host].port;
}

/** 0: this host; 1: a neighbour, within reach of a window. */
static inline unsigned int
rb_route_hops(int host)
{
	return rb_routes[host].hops;
}

#endif /* RB_BASE_ROUTE_H */
