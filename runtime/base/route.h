/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_BASE_ROUTE_H
#define RB_BASE_ROUTE_H

/**
 * @file
 * Routes: which port leads to a host, over how many hops, which host is the neighbour there, and
 * where frames of others go on. Constant from rb_route_graph() on. A job that survives a lost cable
 * has routes of its own for its frames (survive/reroute.h).
 */

#include <stdint.h>

#include "base/graph.h"
#include "base/link.h"
#include "base/rules.h"
#include "base/state.h"

extern struct rb_route rb_routes[RB_MAX_HOSTS];

/** Where a relay sends a frame on, and the free slots that it needs there if it comes from a ring
 *  of relays. A way that no host chooses leads to RB_PORT_DEAD. */
struct rb_hop {
	uint8_t port, need;
};
/** By the port that a frame came by, and the host that it is for. */
extern struct rb_hop rb_hops[RB_MAX_PORTS][RB_MAX_HOSTS];
/** The port by which the answers to a request leave: by the port that it came by, and its host. */
extern uint8_t rb_backs[RB_MAX_PORTS][RB_MAX_HOSTS];

/** The cables of the job, and those that it found when it began. */
extern struct rb_graph rb_cables, rb_cables_found;
/** The routes of rb_cables, which were checked. */
void rb_route_graph(void);
/** Of these the ways of frames of others and of answers, also after cables were lost. */
void rb_route_ways(void);
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
