/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <string.h>
#include <unistd.h>

#include "base/env.h"
#include "base/link.h"
#include "base/rules.h"
#include "base/state.h"
#include "base/wire.h"
#include "mem/layout.h"
#include "relay/dispatch.h"
#include "survive/survive.h"
#include "rig.h"

static uint32_t fed[RB_RING_PORTS][RB_MAX_RINGS];

/* Doorbells of the ports, as the neighbours see and ring them. */
uint32_t pending[RB_RING_PORTS], rung[RB_RING_PORTS];

static void
db_ring(struct ntb_port *port, uint32_t bits)
{
	rung[port - ports] |= bits;
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

static void
link_once(struct ntb_port *port)
{
	(void)port;
}

static const struct ntb_port_ops ops = {
	.link_once = link_once,
	.db_ring = db_ring,
	.db_read = db_read,
	.db_clear = db_clear,
};

static void
set_up_shape(const struct ring_shape *shape, enum rb_notify notify)
{
	unsigned int port;

	ring_set_up(shape);
	rb.notify = notify;
	rb.announce = notify == RB_NOTIFY_DOORBELL;
	for (port = 0; port < RB_RING_PORTS; port++) {
		ports[port].ops = &ops;
		pending[port] = rung[port] = 0;
	}
	memset(fed, 0, sizeof(fed));
}

void
set_up_slots(unsigned int lcores, enum rb_notify notify, uint32_t slots)
{
	set_up_shape(&(struct ring_shape){3, 1, .lcores = lcores, .slots = slots,
					  .links = RING_BOTH, .statics = true},
		     notify);
}

void
set_up_chunk(uint32_t chunk)
{
	set_up_shape(&(struct ring_shape){3, 1, .slots = 16, .links = RING_BOTH, .chunk = chunk},
		     RB_NOTIFY_MEMORY);
}

void
set_up_groups(unsigned int lcores, enum rb_notify notify)
{
	set_up_slots(lcores, notify, 8);
}

void
set_up(void)
{
	set_up_groups(1, RB_NOTIFY_MEMORY);
}

void
begin_to_survive(void)
{
	rb.env.survive = RB_SURVIVE_YES;
	CU_ASSERT_EQUAL_FATAL(rb_survive_open(), 0);
	CU_ASSERT_FATAL(rb.survives);
}

/* What the neighbour on @p port would store into our ring. */
void
feed(unsigned int port, unsigned int ring, struct rb_desc d, const void *payload)
{
	struct rb_rx *rx = &rb.link[port].rx[ring];
	uint32_t at = fed[port][ring]++ & (rb.slots - 1);
	struct rb_desc *to = (struct rb_desc *)(uintptr_t)&rx->desc[at];

	if (payload != NULL)
		memcpy((uint8_t *)(uintptr_t)rx->slot + at * rb.chunk, payload, d.len);
	d.seq = fed[port][ring];
	*to = d;
}

void
serve_one(unsigned int port, unsigned int ring, struct rb_desc d, const void *payload)
{
	feed(port, ring, d, payload);
	CU_ASSERT_EQUAL(rb_poll_rings(0), RB_PROGRESS_WORK);
}

const struct rb_desc *
out_desc(unsigned int port, unsigned int ring, uint32_t pos)
{
	return &rb.link[port].tx[ring].desc[pos & (rb.slots - 1)];
}

uint64_t
acked(unsigned int port, unsigned int target, unsigned int cls)
{
	return rb.link[port].theirs->ack[target][0][cls];
}

void
serve_all(void)
{
	while (rb_poll_rings(0) == RB_PROGRESS_WORK)
		;
}
