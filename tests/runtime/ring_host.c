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

uint8_t *beyond[RB_RING_PORTS];
struct ntb_port ports[RB_RING_PORTS];
static struct rb_host_seg *seg;

static size_t
seg_size(void)
{
	return sizeof(*seg) + (size_t)rb.locals * sizeof(seg->bounce[0]);
}

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
connect_link(unsigned int port)
{
	beyond[port] = map_shared(rb_mem.lay.size);
	ports[port].window = beyond[port];
	rb.link[port] =
		(struct rb_link){.port = &ports[port], .peer = beyond[port], .memory = true};
	rb.neighbour[port] = port == RB_PORT_PREV ? 0 : 2;
	rb_chan_attach(port);
}

/* A cable that host 1 lacks is missing. */
static void
fill_routes(const struct ring_shape *shape)
{
	unsigned int hosts = (unsigned int)shape->hosts, h;

	rb_graph_init(&rb_cables, hosts);
	for (h = 0; h < hosts; h++)
		if (h > 1 || (shape->links & 1u << (h == 0 ? RB_PORT_PREV : RB_PORT_NEXT)) != 0)
			rb_graph_join(&rb_cables, (struct rb_end){(uint8_t)h, RB_PORT_NEXT},
				      (struct rb_end){(uint8_t)((h + 1) % hosts), RB_PORT_PREV});
	rb_route_graph();
}

void
ring_set_up(const struct ring_shape *shape)
{
	unsigned int port;

	ring_tear_down();
	rb.env.hosts = shape->hosts;
	rb.env.host_id = 1;
	rb.env.pes = shape->hosts * shape->each;
	rb.env.pe = shape->each;
	CU_ASSERT_EQUAL_FATAL(rb_place_pes(), 0);
	rb.channels = 2;
	rb.lcores = shape->lcores == 0 ? 1 : shape->lcores;
	rb.slots = shape->slots;
	rb.chunk = shape->chunk == 0 ? RING_CHUNK : shape->chunk;
	CU_ASSERT_EQUAL_FATAL(rb_layout(RING_HEAP), 0);
	if (shape->statics)
		rb_data_find();
	CU_ASSERT_EQUAL_FATAL(rb_region_create(), 0);
	seg = map_shared(seg_size());
	seg->links = shape->links;
	rb_flows = seg->flow;
	rb_hostseg = shape->each > 1 ? seg : NULL;
	for (port = 0; port < RB_RING_PORTS; port++) {
		rb.link[port].mine = (struct rb_ctl *)(rb_mem.region + rb_mem.lay.ctl[port]);
		if ((shape->links & 1u << port) != 0)
			connect_link(port);
	}
	fill_routes(shape);
}

void
ring_tear_down(void)
{
	unsigned int port;

	if (seg == NULL)
		return;
	for (port = 0; port < RB_RING_PORTS; port++) {
		if (beyond[port] != NULL)
			munmap(beyond[port], rb_mem.lay.size);
		beyond[port] = NULL;
	}
	munmap(seg, seg_size());
	seg = NULL;
	rb_hostseg = NULL;
	rb_region_free();
}
