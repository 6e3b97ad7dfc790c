/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "base/route.h"

#include "base/rules.h"
#include "base/state.h"

struct rb_route rb_routes[RB_MAX_HOSTS];
struct rb_hop rb_hops[RB_MAX_PORTS][RB_MAX_HOSTS];
uint8_t rb_backs[RB_MAX_PORTS][RB_MAX_HOSTS];

void
rb_route_straight(void)
{
	unsigned int in, h;

	for (in = 0; in < RB_RING_PORTS; in++)
		for (h = 0; h < RB_MAX_HOSTS; h++) {
			rb_hops[in][h] = (struct rb_hop){(uint8_t)(in ^ 1), RB_PASS};
			rb_backs[in][h] = (uint8_t)in;
		}
}

void
rb_route_init(uint32_t links)
{
	int h;

	rb.neighbour[RB_PORT_PREV] = (rb.host + rb.hosts - 1) % rb.hosts;
	rb.neighbour[RB_PORT_NEXT] = (rb.host + 1) % rb.hosts;
	for (h = 0; h < rb.hosts; h++) {
		struct rb_route r = rb_rule_route((unsigned int)rb.host, (unsigned int)h,
						  (unsigned int)rb.hosts);

		if ((links & 1u << r.port) == 0) {
			r.port ^= 1;
			r.hops = h == rb.host ? 0 : (unsigned int)rb.hosts - r.hops;
		}
		rb_routes[h] = r;
	}
	rb_route_straight();
}
