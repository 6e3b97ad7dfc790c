/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "base/route.h"

#include "base/rules.h"
#include "base/state.h"

struct rb_route rb_routes[RB_MAX_HOSTS];

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
}
