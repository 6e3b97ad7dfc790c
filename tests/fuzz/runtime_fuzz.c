/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <string.h>

#include "base/env.h"
#include "base/link.h"
#include "base/route.h"
#include "base/rules.h"
#include "base/state.h"
#include "base/wire.h"
#include "input.h"
#include "job/place.h"
#include "link/chan.h"
#include "link/hello.h"
#include "mem/layout.h"
#include "relay/dispatch.h"
#include "relay/request.h"

/* Two hostile neighbours write what the runtime reads from windows and doorbells. This
 * process is host 1 of 3, with memory beside its region in place of the memory beyond the windows.
 * AddressSanitizer reports accesses outside of the three regions. This program checks that nothing
 * changes inside of them that no frame may change. */

enum {
	HEAP = 65536,
	PUT_LEN = 40, /* bytes of outstanding gets */
};

static uint8_t *region, *beyond[RB_RING_PORTS];
static struct ntb_port ports[RB_RING_PORTS];
static uint32_t pending[RB_RING_PORTS];
static uint8_t reply[PUT_LEN];
static _Atomic uint32_t waits_for;

static void
db_ring(struct ntb_port *port, uint32_t bits)
{
	(void)port;
	(void)bits;
}

static uint32_t
db_read(struct ntb_port *port)
{
	return pending[port - ports];
}

static void
db_clear(struct ntb_port *port, uint32_t bits)
{
	pending[port - ports] &= ~bits;
}

static const struct ntb_port_ops ops = {
	.db_ring = db_ring,
	.db_read = db_read,
	.db_clear = db_clear,
};

static void
join_hosts(void)
{
	rb_graph_init(&rb_cables, 3);
	for (uint8_t h = 0; h < 3; h++)
		rb_graph_join(&rb_cables, (struct rb_end){h, RB_PORT_NEXT},
			      (struct rb_end){(uint8_t)((h + 1) % 3), RB_PORT_PREV});
	rb_route_graph();
}

static void
set_up_once(void)
{
	rb.env.hosts = 3;
	rb.env.host_id = 1;
	rb.env.pes = 3;
	rb.env.pe = 1;
	HOLDS(rb_place_pes() == 0);
	rb.channels = 2;
	rb.lcores = 1;
	rb.slots = 4;
	rb.chunk = 4096;
	rb_groups[0].bells = RB_DB_CHAN(0) | RB_DB_CHAN(1);
	join_hosts();
	HOLDS(rb_layout(HEAP) == 0);
	region = aligned_alloc(RB_PAGE, rb_mem.lay.size);
	HOLDS(region != NULL);
	for (unsigned int port = 0; port < RB_RING_PORTS; port++) {
		beyond[port] = aligned_alloc(RB_PAGE, rb_mem.lay.size);
		HOLDS(beyond[port] != NULL);
	}
}

/* Page 0 and what lies between the heap's end and the region's is never touched. */
static void
paint(uint8_t *r)
{
	memset(r, 0xA5, RB_PAGE);
	memset(r + RB_PAGE, 0, rb_mem.lay.heap - RB_PAGE);
	memset(r + rb_mem.lay.heap + HEAP, 0xA5, RB_PAGE);
}

static void
painted(const uint8_t *r)
{
	for (unsigned int i = 0; i < RB_PAGE; i += 8)
		HOLDS(r[i] == 0xA5 && r[rb_mem.lay.heap + HEAP + i] == 0xA5);
}

static void
set_up(enum rb_notify notify)
{
	rb.notify = notify;
	rb.announce = notify == RB_NOTIFY_DOORBELL;
	rb_mem.region = region;
	rb_mem.heap = region + rb_mem.lay.heap;
	paint(region);
	for (unsigned int port = 0; port < RB_RING_PORTS; port++) {
		paint(beyond[port]);
		ports[port] = (struct ntb_port){.ops = &ops};
		rb.link[port].port = &ports[port];
		rb.link[port].peer = beyond[port];
		rb.link[port].memory = true;
		rb.neighbour[port] = port == RB_PORT_PREV ? 0 : 2;
		rb.link[port].due[0] = 0;
		rb_chan_attach(port);
	}
	memset(pending, 0, sizeof(pending));
	memset(&rb_requests, 0, sizeof(rb_requests));
}

/* A get of this PE that waits for its reply: id 0x101. */
static void
outstanding(void)
{
	atomic_store(&waits_for, 1);
	rb_requests.claimed[0] = 1;
	rb_requests.req[0] =
		(struct rb_req){.dst = reply, .len = PUT_LEN, .id = 0x101, .pending = &waits_for};
}

static void
frame(struct input *in)
{
	uint8_t where = (uint8_t)take(in, 1), shape = (uint8_t)take(in, 1);
	struct rb_link *link = &rb.link[where & 1];
	unsigned int ring = (where >> 1) % RB_RINGS;
	struct rb_rx *rx = &link->rx[ring];
	struct rb_desc d = {0};
	uint8_t *p = (uint8_t *)&d;

	if (shape & 1) {
		for (size_t i = 0; i < offsetof(struct rb_desc, seq); i++)
			p[i] = (uint8_t)take(in, 1);
	} else {
		d.op = shape >> 1 & 7;
		d.chan = shape >> 4 & 1;
		d.amo = (uint8_t)take(in, 1);
		d.src_pe = (uint16_t)(take(in, 1) % 4);
		d.dst_pe = (uint16_t)(take(in, 1) % 4);
		d.len = (uint32_t)take(in, 2);
		d.off = shape & 0x20 ? HEAP - take(in, 2) % 8192 : take(in, 2);
		d.req = shape & 0x40 ? 0x101 : (uint32_t)take(in, 2);
		d.flags = shape >> 7;
		d.arg[0] = take(in, 2);
	}
	d.seq = rx->pos + 1;
	*(struct rb_desc *)(uintptr_t)&rx->desc[rx->pos & (rb.slots - 1)] = d;
	pending[where & 1] |= 1u << (shape >> 6);
}

/* Words that a neighbour may write at any time. */
static void
control(struct input *in)
{
	uint8_t where = (uint8_t)take(in, 1);
	struct rb_ctl *c = rb.link[where & 1].mine;
	uint64_t v = take(in, where & 2 ? 8 : 1);

	switch (where >> 2 & 3) {
	case 0:
		c->credit[(where >> 4) % RB_RINGS] = v;
		break;
	case 1:
		c->need_bell[0] = v;
		break;
	case 2:
		c->ack[(where >> 4) % 3][where >> 6 & 1][where >> 7] = v;
		break;
	default:
		c->barrier = v;
		break;
	}
}

static void
hello(struct input *in)
{
	const struct rb_hello me = {.host = 1,
				    .hosts = 3,
				    .port = RB_PORT_PREV,
				    .peer = "",
				    .settings_hash = 7,
				    .job = 9};
	uint32_t words[RB_SPAD_COUNT];
	struct rb_hello_result result;
	int ret;

	rb_hello_words(&me, RB_HELLO_HERE, words);
	for (unsigned int i = 0; i < RB_SPAD_COUNT; i++)
		words[i] ^= (uint32_t)take(in, 4);
	ret = rb_hello_judge(&me, words, &result);
	HOLDS(ret == 0 || ret == -EAGAIN || ret == -EPROTO ||
	      (ret == -ECANCELED && (words[RB_SPAD_ID] & 0xf) == RB_HELLO_GONE));
}

static void
step(struct input *in)
{
	uint8_t op = (uint8_t)take(in, 1);

	switch (op & 7) {
	case 0:
		control(in);
		break;
	case 1:
		pending[op >> 7] |= (uint32_t)take(in, 2);
		break;
	case 3:
		outstanding();
		break;
	case 4:
		hello(in);
		break;
	case 5: /* the neighbour takes all that was sent to it */
		for (unsigned int r = 0; r < RB_RINGS; r++)
			rb.link[op >> 7].mine->credit[r] = rb.link[op >> 7].tx[r].pos;
		break;
	default:
		frame(in);
		break;
	}
}

static void
serve(void)
{
	enum rb_progress_left turn;

	turn = rb_poll_rings(0);
	HOLDS(turn == RB_PROGRESS_IDLE || turn == RB_PROGRESS_STALL || turn == RB_PROGRESS_WORK);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = {data, size < 4096 ? size : 4096};

	if (region == NULL)
		set_up_once();
	set_up((enum rb_notify)(take(&in, 1) % 2));
	while (in.left != 0) {
		step(&in);
		serve();
		painted(region);
		painted(beyond[RB_PORT_PREV]);
		painted(beyond[RB_PORT_NEXT]);
	}
	return 0;
}
