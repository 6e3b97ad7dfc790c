/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "base/route.h"

#include "base/rules.h"
#include "base/state.h"

struct rb_route rb_routes[RB_MAX_HOSTS];
struct rb_hop rb_hops[RB_MAX_PORTS][RB_MAX_HOSTS];
uint8_t rb_backs[RB_MAX_PORTS][RB_MAX_HOSTS];
struct rb_graph rb_cables, rb_cables_found;

/* Does a host have the one before it at port 0 and the next one at port 1? Where a chain begins and
 * ends there is none. */
static bool
on_ring(const struct rb_graph *g, unsigned int h)
{
	struct rb_end next = g->end[h][RB_PORT_NEXT];

	if (g->kind != RB_GRAPH_RING && g->kind != RB_GRAPH_CHAIN)
		return false;
	if (next.port == RB_PORT_NONE)
		return h == g->hosts - 1u;
	return next.port == RB_PORT_PREV && next.host == (h + 1) % g->hosts;
}

void
rb_route_ways(void)
{
	const struct rb_graph *g = &rb_cables;
	unsigned int here = (unsigned int)rb.host, in, h;

	for (in = 0; in < RB_MAX_PORTS; in++)
		for (h = 0; h < g->hosts; h++) {
			uint8_t out = rb_graph_next(g, here, (uint8_t)in, h);
			uint8_t back = rb_graph_answer(g, here, h);

			rb_backs[in][h] = back == RB_PORT_NONE ? RB_PORT_DEAD : back;
			rb_hops[in][h] = (struct rb_hop){RB_PORT_DEAD, RB_ENTER};
			if (out == RB_PORT_NONE)
				continue;
			rb_hops[in][h].port = out;
			rb_hops[in][h].need = (uint8_t)rb_graph_need(g, here, (uint8_t)in, out);
		}
}

void
rb_route_graph(void)
{
	const struct rb_graph *g = &rb_cables;
	unsigned int here = (unsigned int)rb.host, p, h;

	rb_graph_set(&rb_cables);
	rb_cables_found = rb_cables;
	rb.ring = true;
	for (h = 0; h < g->hosts; h++) {
		uint8_t port = rb_graph_next(g, here, RB_PORT_NONE, h);

		rb.ring = rb.ring && on_ring(g, h);
		rb_routes[h] = (struct rb_route){port == RB_PORT_NONE ? 0 : port,
						 rb_graph_hops(g, here, h)};
	}
	for (p = 0; p < RB_MAX_PORTS; p++) {
		rb.neighbour[p] = g->end[here][p].host;
		rb.far[p] = g->end[here][p].port;
	}
	rb_route_ways();
}
