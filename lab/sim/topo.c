/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>

#include "topo.h"

const char *const topo_names[TOPO_SHAPES] = {
	[TOPO_RING] = "ring",
	[TOPO_TWO_RINGS] = "two-rings",
	[TOPO_TORUS] = "torus",
	[TOPO_SWITCH] = "switch",
};

int
topo_init(struct topo *t, enum topo_shape shape, unsigned int hosts)
{
	unsigned int rows = 1, i;

	*t = (struct topo){.shape = shape, .hosts = hosts, .columns = hosts, .rings = 1};
	if (shape == TOPO_TWO_RINGS)
		t->rings = 2;
	if (shape == TOPO_TORUS) {
		for (i = 2; i * i <= hosts; i++)
			if (hosts % i == 0)
				rows = i;
		if (rows == 1)
			return -EINVAL;
		t->columns = hosts / rows;
		t->rings = 2;
	}
	t->ports = shape == TOPO_SWITCH ? 1 : t->rings * RB_SIDES;
	return 0;
}

unsigned int
topo_length(const struct topo *t, unsigned int ring)
{
	if (t->shape != TOPO_TORUS)
		return t->hosts;
	return ring == 0 ? t->columns : t->hosts / t->columns;
}

unsigned int
topo_place(const struct topo *t, unsigned int host, unsigned int ring)
{
	if (t->shape != TOPO_TORUS)
		return host;
	return ring == 0 ? host % t->columns : host / t->columns;
}

unsigned int
topo_peer(const struct topo *t, unsigned int host, unsigned int port)
{
	unsigned int ring = port / RB_SIDES, n = topo_length(t, ring);
	unsigned int place = topo_place(t, host, ring);
	unsigned int there = (place + (port % RB_SIDES == RB_RIGHT ? 1 : n - 1)) % n;

	if (t->shape != TOPO_TORUS)
		return there;
	return ring == 0 ? host - place + there : host + (there - place) * t->columns;
}

static struct rb_route
ring_route(const struct topo *t, unsigned int from, unsigned int to, unsigned int ring)
{
	return rb_rule_route(topo_place(t, from, ring), topo_place(t, to, ring),
			     topo_length(t, ring));
}

unsigned int
topo_first(const struct topo *t, unsigned int src, unsigned int dst, unsigned int deal)
{
	unsigned int ring = 0;

	if (t->shape == TOPO_SWITCH)
		return 0;
	if (t->shape == TOPO_TWO_RINGS)
		ring = deal % 2;
	else if (t->shape == TOPO_TORUS && topo_place(t, src, 0) == topo_place(t, dst, 0))
		ring = 1;
	return ring * RB_SIDES + ring_route(t, src, dst, ring).side;
}

unsigned int
topo_next(const struct topo *t, unsigned int host, unsigned int port, unsigned int dst)
{
	unsigned int ring = port / RB_SIDES;

	if (topo_place(t, host, ring) != topo_place(t, dst, ring))
		return port ^ 1u;
	return RB_SIDES + ring_route(t, host, dst, 1).side;
}

unsigned int
topo_back(const struct topo *t, unsigned int host, unsigned int port, unsigned int dst)
{
	unsigned int ring = port / RB_SIDES;

	if (topo_place(t, host, ring) != topo_place(t, dst, ring))
		return port ^ 1u;
	return ring_route(t, dst, host, 0).side ^ 1u;
}

unsigned int
topo_hops(const struct topo *t, unsigned int src, unsigned int dst)
{
	if (src == dst)
		return 0;
	if (t->shape == TOPO_SWITCH)
		return 1;
	if (t->shape == TOPO_TORUS)
		return ring_route(t, src, dst, 0).hops + ring_route(t, src, dst, 1).hops;
	return ring_route(t, src, dst, 0).hops;
}
