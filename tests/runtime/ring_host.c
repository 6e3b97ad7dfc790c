/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "ring_host.h"

#include <sys/mman.h>

#include "base/route.h"
#include "base/env.h"
#include "base/link.h"
#include "cases.h"
#include "host/hostseg.h"
#include "job/place.h"
#include "link/chan.h"
#include "mem/layout.h"
#include "mem/region.h"
#include "mem/symmetric.h"
#include "relay/send.h"
#include "op/rings.h"

uint8_t *beyond[RB_SIDES];
struct ntb_port ports[RB_SIDES];
static struct rb_host_seg *seg;

/* Zeroed, and shared with children, which are the other PEs. */
static void *
map_shared(size_t len)
{
	void *at = mmap(NULL, len, PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	CU_ASSERT_PTR_NOT_EQUAL_FATAL(at, MAP_FAILED);
	return at;
}

static void
connect_link(enum rb_side side)
{
	beyond[side] = map_shared(rb_mem.lay.size);
	rb.link[side] =
		(struct rb_link){.port = &ports[side], .peer = beyond[side], .memory = true};
	rb.neighbour[side] = side == RB_LEFT ? 0 : 2;
	rb_chan_attach(side);
}

static void
fill_routes(const struct ring_shape *shape)
{
	unsigned int hosts = (unsigned int)shape->hosts, i;

	for (i = 0; i < hosts; i++) {
		struct rb_route r = rb_rule_route(1, i, hosts);

		if (i == 1)
			continue;
		if (shape->links == 1u << RB_RIGHT)
			r = (struct rb_route){RB_RIGHT, (i + hosts - 1) % hosts};
		rb_routes[i] = r;
	}
}

void
ring_set_up(const struct ring_shape *shape)
{
	unsigned int side;

	ring_tear_down();
	rb.env.hosts = shape->hosts;
	rb.env.host_id = 1;
	rb.env.pes = shape->hosts * shape->each;
	rb.env.pe = shape->each;
	CU_ASSERT_EQUAL_FATAL(rb_place_pes(), 0);
	rb.channels = 2;
	rb.transport = &rb_rings;
	rb.lcores = shape->lcores == 0 ? 1 : shape->lcores;
	rb.slots = shape->slots;
	rb.chunk = RING_CHUNK;
	CU_ASSERT_EQUAL_FATAL(rb_layout(RING_HEAP), 0);
	if (shape->statics)
		rb_data_find();
	CU_ASSERT_EQUAL_FATAL(rb_region_create(), 0);
	seg = map_shared(sizeof(*seg));
	seg->sides = shape->links;
	rb_flows = seg->flow;
	rb_hostseg = shape->each > 1 ? seg : NULL;
	for (side = 0; side < RB_SIDES; side++)
		if ((shape->links & 1u << side) != 0)
			connect_link(side);
	fill_routes(shape);
}

void
ring_tear_down(void)
{
	unsigned int side;

	if (seg == NULL)
		return;
	for (side = 0; side < RB_SIDES; side++) {
		if (beyond[side] != NULL)
			munmap(beyond[side], rb_mem.lay.size);
		beyond[side] = NULL;
	}
	munmap(seg, sizeof(*seg));
	seg = NULL;
	rb_hostseg = NULL;
	rb_region_free();
}
