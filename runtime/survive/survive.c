/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "survive/survive.h"

#include <errno.h>

#include "base/env.h"
#include "base/error.h"
#include "base/link.h"
#include "base/state.h"
#include "base/transport.h"
#include "host/ring_state.h"
#include "link/cable.h"
#include "survive/cut.h"
#include "survive/loop.h"
#include "survive/reroute.h"
#include "survive/retransmit.h"
#include "survive/cut_dispatch.h"
#include "survive/heal.h"

bool
rb_survive_wanted(void)
{
	return rb.hosts > 1 && rb.env.survive == RB_SURVIVE_YES && rb.transport->turns &&
	       rb.lcores == 1 && rb.env.barrier == RB_BARRIER_TWOWAY;
}

/* With two ways round; and a link that broke stays down, so that nothing lands behind what was
 * lost. */
static bool
ports_suit(void)
{
	enum rb_side side;

	for (side = RB_LEFT; side < RB_SIDES; side++) {
		const struct ntb_port *port = rb.link[side].port;

		if (port == NULL || port->ops->link_once == NULL)
			return false;
	}
	return true;
}

int
rb_survive_open(void)
{
	static const struct rb_survive_ops ops = {
		.lose = rb_cut_own,
		.watch = rb_heal_watch,
		.send = rb_reroute_send,
		.ring_send = rb_serve_send,
		.serve = rb_serve_rings,
		.ack_turns = rb_loop_at,
		.take_ack = rb_serve_ack,
		.take_mark = rb_serve_mark,
		.barrier = rb_cut_barrier,
	};

	rb.survives = rb_survive_wanted() && ports_suit();
	rb_ring_survives(rb.survives);
	if (!rb.survives)
		return 0;
	if (rb_retx_open(RB_LEFT) < 0 || rb_retx_open(RB_RIGHT) < 0)
		return rb_fail(-ENOMEM, "no memory for the retransmit buffer");
	rb_reroute_init();
	rb_survive = &ops;
	return 0;
}

void
rb_survive_close(void)
{
	rb_survive = NULL;
	rb_loop_close();
	rb_retx_close();
}
