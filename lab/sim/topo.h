/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef TOPO_H
#define TOPO_H

/**
 * @file
 * The cables between hosts, and the next hop of a frame. All shapes but the switch are made of
 * rings: a host has two ports in each ring that it belongs to, 2 * ring + enum rb_side.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/rules.h"

enum topo_shape {
	TOPO_RING,
	TOPO_TWO_RINGS, /**< the same ring twice; frames use both in turn */
	TOPO_TORUS,	/**< a ring in each row, then one in each column */
	TOPO_SWITCH, /**< each host has one port to an ideal crossbar, which a ring does without */
	TOPO_SHAPES
};

enum {
	TOPO_RINGS = 2,
	TOPO_PORTS = TOPO_RINGS * RB_SIDES,
};

struct topo {
	enum topo_shape shape;
	unsigned int hosts;
	unsigned int columns; /**< of a torus */
	unsigned int rings;   /**< that a host belongs to */
	unsigned int ports;   /**< of a host */
};

extern const char *const topo_names[TOPO_SHAPES];

/** @return 0, or -EINVAL for a torus with fewer than 2 rows or columns: @p hosts is then prime */
int topo_init(struct topo *t, enum topo_shape shape, unsigned int hosts);

/** The host at the other end of the cable of @p port; the port there is @p port ^ 1. */
unsigned int topo_peer(const struct topo *t, unsigned int host, unsigned int port);

/** Number of hosts in a ring, and a host's place in it. */
unsigned int topo_length(const struct topo *t, unsigned int ring);
unsigned int topo_place(const struct topo *t, unsigned int host, unsigned int ring);

/** The port by which a request leaves its source. @p deal chooses among equal rings. */
unsigned int topo_first(const struct topo *t, unsigned int src, unsigned int dst,
			unsigned int deal);

/** The port by which a request leaves @p host that came in by @p port. It never changes its
 *  direction in a ring. */
unsigned int topo_next(const struct topo *t, unsigned int host, unsigned int port,
		       unsigned int dst);

/** The same for a reply, which takes the route of its request from @p dst backwards. */
unsigned int topo_back(const struct topo *t, unsigned int host, unsigned int port,
		       unsigned int dst);

/** Links from @p src to @p dst. */
unsigned int topo_hops(const struct topo *t, unsigned int src, unsigned int dst);

#endif /* TOPO_H */
