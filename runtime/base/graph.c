/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "base/graph.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum {
	FAR = 0xff, /* hops of a way that there is not */
};

const char *const rb_graph_kinds[RB_GRAPH_KINDS] = {
	[RB_GRAPH_CHAIN] = "chain", [RB_GRAPH_RING] = "ring",	[RB_GRAPH_TORUS] = "torus",
	[RB_GRAPH_MESH] = "mesh",   [RB_GRAPH_OTHER] = "other",
};

void
rb_graph_init(struct rb_graph *g, unsigned int hosts)
{
	memset(g, 0, sizeof(*g));
	g->hosts = (uint8_t)hosts;
	memset(g->end, RB_PORT_NONE, sizeof(g->end));
}

void
rb_graph_cut(struct rb_graph *g, struct rb_end lost)
{
	const struct rb_end none = {RB_PORT_NONE, RB_PORT_NONE};
	struct rb_end *here = &g->end[lost.host][lost.port];

	if (here->port != RB_PORT_NONE)
		g->end[here->host][here->port] = none;
	*here = none;
}

void
rb_graph_join(struct rb_graph *g, struct rb_end a, struct rb_end b)
{
	rb_graph_cut(g, a);
	rb_graph_cut(g, b);
	g->end[a.host][a.port] = b;
	g->end[b.host][b.port] = a;
}

/* The host at the other end of a port, or -1. */
static int
host_beyond(const struct rb_graph *g, unsigned int host, unsigned int port)
{
	return g->end[host][port].port == RB_PORT_NONE ? -1 : g->end[host][port].host;
}

/* Distances from a host over all cables. @return the largest one */
static unsigned int
find_levels(const struct rb_graph *g, unsigned int from, uint8_t level[RB_MAX_HOSTS])
{
	uint8_t queue[RB_MAX_HOSTS];
	unsigned int n = 0, done, port;
	int there;

	memset(level, FAR, RB_MAX_HOSTS);
	level[from] = 0;
	queue[n++] = (uint8_t)from;
	for (done = 0; done < n; done++)
		for (port = 0; port < RB_MAX_PORTS; port++) {
			there = host_beyond(g, queue[done], port);
			if (there < 0 || level[there] != FAR)
				continue;
			level[there] = (uint8_t)(level[queue[done]] + 1);
			queue[n++] = (uint8_t)there;
		}
	return level[queue[n - 1]];
}

/* What is wrong with an end, or NULL. */
static const char *
end_fault(const struct rb_graph *g, unsigned int host, unsigned int port)
{
	const struct rb_end end = g->end[host][port], *back;

	if (end.port == RB_PORT_NONE)
		return NULL;
	if (end.host >= g->hosts || end.port >= RB_MAX_PORTS)
		return "there is no such host or port";
	if (end.host == host)
		return "a cable joins two hosts";
	back = &g->end[end.host][end.port];
	if (back->port == RB_PORT_NONE)
		return "which sees no cable there";
	return back->host == host && back->port == port ? NULL : "which sees another host there";
}

int
rb_graph_check(const struct rb_graph *g, char *words, size_t size)
{
	uint8_t level[RB_MAX_HOSTS];
	unsigned int host, port;
	const char *fault;

	if (g->hosts == 0 || g->hosts > RB_MAX_HOSTS) {
		snprintf(words, size, "%u hosts: 1 to %d can be joined", g->hosts, RB_MAX_HOSTS);
		return -EINVAL;
	}
	for (host = 0; host < g->hosts; host++)
		for (port = 0; port < RB_MAX_PORTS; port++) {
			fault = end_fault(g, host, port);
			if (fault == NULL)
				continue;
			snprintf(words, size, "host %u, port %u leads to host %u, port %u: %s",
				 host, port, g->end[host][port].host, g->end[host][port].port,
				 fault);
			return -EINVAL;
		}
	find_levels(g, 0, level);
	for (host = 0; host < g->hosts; host++)
		if (level[host] == FAR) {
			snprintf(words, size, "no cables lead from host 0 to host %u", host);
			return -ENETUNREACH;
		}
	return 0;
}

/* Ports of @p a that lead to @p b, in order. */
static unsigned int
ports_to(const struct rb_graph *g, unsigned int a, unsigned int b, uint8_t port[RB_MAX_PORTS])
{
	unsigned int n = 0, p;

	for (p = 0; p < RB_MAX_PORTS; p++)
		if (host_beyond(g, a, p) == (int)b)
			port[n++] = (uint8_t)p;
	return n;
}

static unsigned int
count_ports(const struct rb_graph *g, unsigned int host)
{
	unsigned int n = 0, p;

	for (p = 0; p < RB_MAX_PORTS; p++)
		n += g->end[host][p].port != RB_PORT_NONE;
	return n;
}

/* This cable leads on to the next host in a ring. */
static void
lay_cable(struct rb_graph *g, unsigned int ring, struct rb_end from)
{
	const struct rb_end to = g->end[from.host][from.port];
	uint8_t next = (uint8_t)(RB_RING_PORTS * ring + RB_PORT_NEXT), prev = next ^ 1;

	g->port[from.host][next] = from.port;
	g->turn[from.host][from.port] = next;
	g->port[to.host][prev] = to.port;
	g->turn[to.host][to.port] = prev;
}

/* Rings @p ring, ring + 1 .. of @p order, as many as @p parallel. @return do the cables fit? */
static bool
lay_rings(struct rb_graph *g, unsigned int ring, const uint8_t *order, unsigned int n,
	  unsigned int parallel)
{
	uint8_t port[RB_MAX_PORTS];
	unsigned int i, k;

	if (n == 2) {
		if (ports_to(g, order[0], order[1], port) != 2 * parallel)
			return false;
		for (k = 0; k < parallel; k++) {
			const struct rb_end first = {order[0], port[2 * k]};

			lay_cable(g, ring + k, g->end[first.host][first.port]);
			lay_cable(g, ring + k, (struct rb_end){order[0], port[2 * k + 1]});
		}
		return true;
	}
	for (i = 0; i < n; i++) {
		if (ports_to(g, order[i], order[(i + 1) % n], port) != parallel)
			return false;
		for (k = 0; k < parallel; k++)
			lay_cable(g, ring + k, (struct rb_end){order[i], port[k]});
	}
	return true;
}

/* The hosts in the order of a ring, if there is one: to the right is where the last port of host 0
 * leads. */
static bool
walk_ring(const struct rb_graph *g, uint8_t order[RB_MAX_HOSTS])
{
	unsigned int n = 1, p;
	int next = -1, there;

	order[0] = 0;
	for (p = 0; p < RB_MAX_PORTS; p++)
		if (host_beyond(g, 0, p) >= 0)
			next = host_beyond(g, 0, p);
	while (next > 0 && n < g->hosts) {
		order[n++] = (uint8_t)next;
		next = 0;
		for (p = 0; p < RB_MAX_PORTS; p++) {
			there = host_beyond(g, order[n - 1], p);
			if (there >= 0 && there != order[n - 2])
				next = there;
		}
	}
	return n == g->hosts && (n == 2 || next == 0);
}

static bool
is_ring(struct rb_graph *g)
{
	unsigned int h, ports = count_ports(g, 0);
	uint8_t order[RB_MAX_HOSTS];

	for (h = 0; h < g->hosts; h++)
		if (count_ports(g, h) != ports)
			return false;
	if (g->hosts < 2 || ports == 0 || ports % 2 != 0 || !walk_ring(g, order) ||
	    !lay_rings(g, 0, order, g->hosts, ports / 2))
		return false;
	for (h = 0; h < g->hosts; h++)
		g->place[order[h]][0] = (uint8_t)h;
	g->columns = g->hosts;
	g->rows = 1;
	g->rings = (uint8_t)(ports / 2);
	return true;
}

static bool
lay_torus(struct rb_graph *g, unsigned int columns)
{
	unsigned int rows = g->hosts / columns, x, y;
	uint8_t order[RB_MAX_HOSTS];

	for (y = 0; y < rows; y++) {
		for (x = 0; x < columns; x++)
			order[x] = (uint8_t)(y * columns + x);
		if (!lay_rings(g, 0, order, columns, 1))
			return false;
	}
	for (x = 0; x < columns; x++) {
		for (y = 0; y < rows; y++)
			order[y] = (uint8_t)(y * columns + x);
		if (!lay_rings(g, 1, order, rows, 1))
			return false;
	}
	return true;
}

static bool
is_torus(struct rb_graph *g)
{
	unsigned int columns, h;

	for (h = 0; h < g->hosts; h++)
		if (count_ports(g, h) != 4)
			return false;
	for (columns = 2; columns <= g->hosts / 2u; columns++)
		if (g->hosts % columns == 0 && lay_torus(g, columns))
			break;
	if (columns > g->hosts / 2u)
		return false;
	for (h = 0; h < g->hosts; h++) {
		g->place[h][0] = (uint8_t)(h % columns);
		g->place[h][1] = (uint8_t)(h / columns);
	}
	g->columns = (uint8_t)columns;
	g->rows = (uint8_t)(g->hosts / columns);
	g->rings = 2;
	return true;
}

static bool
is_mesh(const struct rb_graph *g)
{
	uint8_t port[RB_MAX_PORTS];
	unsigned int a, b;

	for (a = 0; a < g->hosts; a++)
		for (b = 0; b < g->hosts; b++)
			if (a != b && ports_to(g, a, b, port) == 0)
				return false;
	return true;
}

/* One of at most two cables a host, and with two ends, since it is no ring. */
static bool
is_chain(const struct rb_graph *g)
{
	unsigned int h, ends = 0;

	for (h = 0; h < g->hosts; h++) {
		if (count_ports(g, h) > 2)
			return false;
		ends += count_ports(g, h);
	}
	return ends == 2 * (g->hosts - 1u);
}

static bool
is_above(const struct rb_graph *g, unsigned int a, unsigned int b)
{
	return g->level[a] < g->level[b] || (g->level[a] == g->level[b] && a < b);
}

static void
take_shorter(uint8_t *hops, uint8_t from_there)
{
	if (from_there != FAR && from_there + 1 < *hops)
		*hops = (uint8_t)(from_there + 1);
}

/* Hops to @p to. @p order: hosts from the top down. */
static void
count_hops(struct rb_graph *g, const uint8_t order[RB_MAX_HOSTS], unsigned int to)
{
	unsigned int i, p, host;
	int there;

	for (i = g->hosts; i-- > 0;) {
		host = order[i];
		g->down[host][to] = host == to ? 0 : FAR;
		for (p = 0; p < RB_MAX_PORTS; p++) {
			there = host_beyond(g, host, p);
			if (there >= 0 && is_above(g, host, (unsigned int)there))
				take_shorter(&g->down[host][to], g->down[there][to]);
		}
	}
	for (i = 0; i < g->hosts; i++) {
		host = order[i];
		g->any[host][to] = g->down[host][to];
		for (p = 0; p < RB_MAX_PORTS; p++) {
			there = host_beyond(g, host, p);
			if (there >= 0 && is_above(g, (unsigned int)there, host))
				take_shorter(&g->any[host][to], g->any[there][to]);
		}
	}
}

static void
set_order(struct rb_graph *g)
{
	uint8_t level[RB_MAX_HOSTS], order[RB_MAX_HOSTS];
	unsigned int h, i, depth, least = FAR;

	for (h = 0; h < g->hosts; h++) {
		depth = find_levels(g, h, level);
		if (depth >= least)
			continue;
		least = depth;
		memcpy(g->level, level, sizeof(level));
	}
	for (h = 0; h < g->hosts; h++) {
		for (i = h; i > 0 && is_above(g, h, order[i - 1]); i--)
			order[i] = order[i - 1];
		order[i] = (uint8_t)h;
	}
	for (h = 0; h < g->hosts; h++)
		count_hops(g, order, h);
}

void
rb_graph_set(struct rb_graph *g)
{
	if (is_ring(g)) {
		g->kind = RB_GRAPH_RING;
	} else if (is_torus(g)) {
		g->kind = RB_GRAPH_TORUS;
	} else {
		g->kind = is_chain(g) ? RB_GRAPH_CHAIN : RB_GRAPH_OTHER;
		if (g->kind == RB_GRAPH_OTHER && is_mesh(g))
			g->kind = RB_GRAPH_MESH;
		g->rings = 0;
		set_order(g);
	}
}

/* The shorter way in the dimension of a ring. */
static struct rb_route
route_round(const struct rb_graph *g, unsigned int from, unsigned int to, unsigned int dim)
{
	return rb_rule_route(g->place[from][dim], g->place[to][dim],
			     dim == 0 ? g->columns : g->rows);
}

/* The first turn of a way along rings. Hosts in turn use parallel rings, but each distance begins
 * with another one, so that all cables carry as much. */
static unsigned int
first_turn(const struct rb_graph *g, unsigned int from, unsigned int to)
{
	unsigned int ring = g->kind == RB_GRAPH_TORUS && g->place[from][0] == g->place[to][0];
	const struct rb_route r = route_round(g, from, to, ring);

	if (g->kind == RB_GRAPH_RING)
		ring = (g->place[from][0] + r.hops / 2) % g->rings;
	return RB_RING_PORTS * ring + r.port;
}

static uint8_t
next_in_rings(const struct rb_graph *g, unsigned int host, uint8_t in, unsigned int to)
{
	unsigned int ring, dim;

	if (in == RB_PORT_NONE)
		return g->port[host][first_turn(g, host, to)];
	ring = g->turn[host][in] / RB_RING_PORTS;
	dim = g->kind == RB_GRAPH_TORUS ? ring : 0; /* parallel rings have one */
	if (g->place[host][dim] != g->place[to][dim])
		return dim == 1 && g->place[host][0] != g->place[to][0]
			       ? RB_PORT_NONE
			       : g->port[host][g->turn[host][in] ^ 1];
	return dim == 0 ? g->port[host][first_turn(g, host, to)] : RB_PORT_NONE;
}

/* Does a shortest way that is allowed begin with this port? @p fell: it may only go down. */
static bool
leads_to(const struct rb_graph *g, unsigned int host, unsigned int port, bool fell, unsigned int to)
{
	int there = host_beyond(g, host, port);
	uint8_t left = fell ? g->down[host][to] : g->any[host][to];

	if (there < 0 || left == FAR)
		return false;
	if (is_above(g, host, (unsigned int)there))
		return g->down[there][to] + 1 == left;
	return !fell && g->any[there][to] + 1 == left;
}

static uint8_t
next_in_order(const struct rb_graph *g, unsigned int host, uint8_t in, unsigned int to)
{
	unsigned int before = in == RB_PORT_NONE ? host : g->end[host][in].host, n = 0, p;
	bool fell = is_above(g, before, host);
	uint8_t port[RB_MAX_PORTS];

	for (p = 0; p < RB_MAX_PORTS; p++)
		if (leads_to(g, host, p, fell, to))
			port[n++] = (uint8_t)p;
	/* equal ways and parallel cables in turn */
	return n == 0 ? RB_PORT_NONE : port[(before + to) % n];
}

uint8_t
rb_graph_next(const struct rb_graph *g, unsigned int host, uint8_t in, unsigned int to)
{
	if (host == to || (in != RB_PORT_NONE && g->end[host][in].port == RB_PORT_NONE))
		return RB_PORT_NONE;
	return g->rings > 0 ? next_in_rings(g, host, in, to) : next_in_order(g, host, in, to);
}

uint8_t
rb_graph_answer(const struct rb_graph *g, unsigned int host, unsigned int to)
{
	if (g->kind == RB_GRAPH_RING && host != to)
		return g->port[host][first_turn(g, to, host) ^ 1];
	return rb_graph_next(g, host, RB_PORT_NONE, to);
}

unsigned int
rb_graph_hops(const struct rb_graph *g, unsigned int from, unsigned int to)
{
	if (g->rings == 0)
		return g->any[from][to];
	return route_round(g, from, to, 0).hops +
	       (g->kind == RB_GRAPH_TORUS ? route_round(g, from, to, 1).hops : 0);
}

uint32_t
rb_graph_need(const struct rb_graph *g, unsigned int host, uint8_t in, uint8_t out)
{
	bool on = in != RB_PORT_NONE &&
		  (g->rings == 0 || g->turn[host][out] == (g->turn[host][in] ^ 1));

	return rb_rule_need(!on);
}
