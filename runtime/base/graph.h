/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_BASE_GRAPH_H
#define RB_BASE_GRAPH_H

/**
 * @file
 * The graph of hosts and cables, the ways of frames in it, and where a frame needs two free slots:
 * functions of numbers, as in base/rules.h, that the runtime and the simulator share.
 * doc/protocols.md, section 1, has the proof that no frames wait for each other for ever.
 *
 * Rings of cables are recognised, whatever their ports are numbered: one ring, parallel rings, and
 * a torus, whose host h stands in column h % columns and row h / columns. A frame goes round a ring
 * the shorter way, and in a torus along the row first. It needs two free slots where it enters a
 * ring, from its source or from the other dimension. In any other graph hosts have an order: by
 * their distance from the host from which the farthest one is nearest, then by number. A frame
 * goes up in it first and then down, never up again. So rings of slots wait for each other in no
 * cycle. Chains and full meshes need no rule of their own: the only way, and the cable between the
 * two.
 *
 * A relay knows the port by which a frame came and its destination, no more. In a ring that port
 * says in which ring the frame is, and which way round; in other graphs whether the frame has come
 * down. Only the source chooses. So one source and destination have one way, each relay finds its
 * next hop with rb_graph_next(), and a frame on a way that no host chooses gets RB_PORT_NONE.
 * Without a cable (rb_graph_cut()) the same functions give the ways that are left.
 */

#include <stddef.h>
#include <stdint.h>

#include "base/deal.h"
#include "base/rules.h"

enum {
	RB_PORT_NONE = 0xff, /**< no port; the frame was issued at this host */
};

enum rb_graph_kind {
	RB_GRAPH_CHAIN,
	RB_GRAPH_RING, /**< one, or several that join the same hosts in the same order */
	RB_GRAPH_TORUS,
	RB_GRAPH_MESH, /**< a cable between any two hosts */
	RB_GRAPH_OTHER,
	RB_GRAPH_KINDS
};

extern const char *const rb_graph_kinds[RB_GRAPH_KINDS];

/** An end of a cable; port RB_PORT_NONE: there is none. */
struct rb_end {
	uint8_t host, port;
};

struct rb_graph {
	uint8_t hosts;
	struct rb_end end[RB_MAX_HOSTS][RB_MAX_PORTS]; /**< the other end of each cable */

	/* by rb_graph_set() */
	enum rb_graph_kind kind;
	uint8_t columns, rows;		/**< of a torus; of a ring: its hosts, and 1 */
	uint8_t rings;			/**< to which a host belongs, 0 where there are none */
	uint8_t place[RB_MAX_HOSTS][2]; /**< in a ring or row, in a column */
	/** Ports by 2 * ring + RB_PORT_*, and the other way round. */
	uint8_t port[RB_MAX_HOSTS][RB_MAX_PORTS], turn[RB_MAX_HOSTS][RB_MAX_PORTS];
	/* without rings: order, and hops to each host by any way, and by one that only goes down */
	uint8_t level[RB_MAX_HOSTS];
	uint8_t any[RB_MAX_HOSTS][RB_MAX_HOSTS], down[RB_MAX_HOSTS][RB_MAX_HOSTS];
};

/** @p hosts hosts, no cable. */
void rb_graph_init(struct rb_graph *g, unsigned int hosts);

/** A cable between two ends. A port that had one before loses it. */
void rb_graph_join(struct rb_graph *g, struct rb_end a, struct rb_end b);

/** The cable of this port is lost; rb_graph_check() and rb_graph_set() come next. */
void rb_graph_cut(struct rb_graph *g, struct rb_end lost);

/** Is this a graph for a job? What hosts say of each other is checked here before it is used.
 *  @return 0, -EINVAL for ends that do not fit, or -ENETUNREACH for a graph in parts; @p words
 *  then names the cable or the host */
int rb_graph_check(const struct rb_graph *g, char *words, size_t size);

/** Find the kind of a checked graph, and the ways in it. */
void rb_graph_set(struct rb_graph *g);

/** Hops of a request; 1 for any two hosts that a cable joins. */
unsigned int rb_graph_hops(const struct rb_graph *g, unsigned int from, unsigned int to);

/** The port by which a frame for @p to leaves @p host; @p in: by which it came, RB_PORT_NONE for a
 *  request that was issued here. The answers to requests use it too, from their second hop on. */
uint8_t rb_graph_next(const struct rb_graph *g, unsigned int host, uint8_t in, unsigned int to);

/** The port by which replies and acks for requests of @p to leave @p host. In rings it is the one
 *  by which the requests came, else that of a request. */
uint8_t rb_graph_answer(const struct rb_graph *g, unsigned int host, unsigned int to);

/** Free slots that a frame needs behind port @p out: RB_ENTER if it has been in no such ring of
 *  slots yet, or changes to another ring of hosts, else RB_PASS. So @p in is RB_PORT_NONE for a new
 *  answer, and for a request that the first relay takes from a ring of own requests. */
uint32_t rb_graph_need(const struct rb_graph *g, unsigned int host, uint8_t in, uint8_t out);

#endif /* RB_BASE_GRAPH_H */
