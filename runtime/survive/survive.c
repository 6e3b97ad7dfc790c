/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "survive/survive.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/env.h"
#include "base/error.h"
#include "base/link.h"
#include "base/route.h"
#include "base/state.h"
#include "base/transport.h"
#include "host/ring_state.h"
#include "link/cable.h"
#include "link/chan.h"
#include "link/copy.h"
#include "link/frame.h"
#include "relay/ack.h"
#include "relay/dispatch.h"
#include "survive/cut.h"
#include "survive/loop.h"
#include "survive/reroute.h"
#include "survive/retransmit.h"

/* ---- what stands in the place of the relay; poll ---- */

/* In place of rb_ring_send(). */
static int
serve_send(unsigned int port, unsigned int ring, unsigned int need, const struct rb_desc *d,
	   const uint8_t *payload)
{
	struct rb_link *link = &rb.link[port];
	struct rb_tx *tx = &link->tx[ring];

	if (unlikely(rb_loop_at(port)) && ring == RB_RING_TRANSIT(0))
		return rb_loop_hold(port, d, payload);
	if (!rb_tx_has_room(link, tx, need))
		return -EAGAIN;
	if (payload != NULL)
		rb_copy_relay(rb_tx_payload(tx), payload, d->len, RB_DIST_HOST);
	rb_retx_commit(link, tx, d);
	return 0;
}

/* Only the host at the other end of the lost cable sends a mark, and it comes the other way round.
 */
static int
serve_mark(unsigned int port, const struct rb_desc *d, const uint8_t *taken)
{
	unsigned int lost = port ^ 1u;
	int ret;

	if (!rb_loop_at(lost) || rb_route_neighbour(lost) != rb_pe_host(d->src_pe))
		return 0;
	ret = rb_retx_peer_count(lost, taken, d->len);
	if (ret == -EPROTO)
		rb_cable_end(lost, "its other end has taken frames that were not sent");
	if (ret == 0)
		rb_loop.mark_came = true;
	return ret;
}

/* Nothing is taken from the lost cable any more: say behind what crossed it how much was taken. */
static void
send_mark(unsigned int port)
{
	unsigned int ring = RB_RING_TRANSIT(0);
	uint32_t taken[RB_MAX_RINGS], len = rb_retx_taken(port, taken);
	const struct rb_desc mark = rb_frame_mark(rb_route_neighbour(port), len);

	if (rb_cut_all_know(port) &&
	    serve_send(port ^ 1u, ring, RB_ENTER, &mark, (const uint8_t *)taken) == 0)
		rb_loop.mark_sent = true;
}

/* An acknowledgement that goes back the other way counts in the word of the lost port. */
static int
dispatch_turned(unsigned int port, unsigned int need, struct rb_desc *d, const uint8_t *payload)
{
	if (d->op == RB_OP_ACK)
		d->flags ^= RB_DESC_TURNED;
	return rb_dispatch_frame(port, RB_RING_REPLY(0), need, d, payload);
}

/* Frames of a ring over the lost cable that its other end has not taken. */
static enum rb_progress_left
resend_ring(unsigned int port, unsigned int ring)
{
	const struct rb_desc *head;
	const uint8_t *payload;
	unsigned int n;
	int ret;

	for (n = 0; n < RB_BUDGET && (head = rb_retx_head(port, ring, &payload)) != NULL; n++) {
		struct rb_desc d = *head;

		ret = ring == RB_RING_REPLY(0)
			      ? dispatch_turned(port, RB_ENTER, &d, payload)
			      : rb_dispatch_frame(port, RB_RING_TRANSIT(0), RB_ENTER, &d, payload);
		if (ret == -EAGAIN)
			return n > 0 ? RB_PROGRESS_WORK : RB_PROGRESS_STALL;
		rb_retx_drop_head(port, ring);
	}
	return n > 0 ? RB_PROGRESS_WORK : RB_PROGRESS_IDLE;
}

/* Replies that would have crossed the lost cable come back from it. */
static enum rb_progress_left
turn_replies(unsigned int port)
{
	unsigned int ring = RB_RING_REPLY(0), n;
	enum rb_progress_left left = resend_ring(port, ring);
	struct rb_rx *rx = &rb_loop.rx;
	struct rb_desc d;

	for (n = 0; n < RB_BUDGET && rb_rx_peek(rx, &d); n++) {
		if (dispatch_turned(port, rb_rule_need(false), &d, rb_rx_payload(rx)) == -EAGAIN)
			return n > 0 ? RB_PROGRESS_WORK : RTE_MAX(left, RB_PROGRESS_STALL);
		rx->pos++;
		rb_loop.credit = rx->pos;
	}
	return n > 0 ? RB_PROGRESS_WORK : left;
}

/* The same for requests, once all that have crossed it are complete: first those that were lost
 * with it, then those that came later. */
static enum rb_progress_left
turn_requests(unsigned int port)
{
	enum rb_progress_left left = resend_ring(port, RB_RING_TRANSIT(0));
	const struct rb_desc *d;
	const uint8_t *payload;
	unsigned int n;

	for (n = 0; n < rb.channels; n++)
		left = RTE_MAX(resend_ring(port, n), left);
	if (left != RB_PROGRESS_IDLE)
		return left;
	for (n = 0; n < RB_BUDGET && (d = rb_loop_held(&payload)) != NULL; n++) {
		if (rb_dispatch_frame(port, RB_RING_TRANSIT(0), RB_ENTER, d, payload) == -EAGAIN)
			return n > 0 ? RB_PROGRESS_WORK : RB_PROGRESS_STALL;
		rb_loop.first++;
	}
	return n > 0 ? RB_PROGRESS_WORK : RB_PROGRESS_IDLE;
}

/* The cable is lost: from here on this host sends nothing over it, and takes nothing from it. */
static void
stop_end(unsigned int port)
{
	rb_retx_freeze(port);
	if (rb_loop_open(port) < 0)
		rb_cable_end(port, "no memory to go on without it");
	rb_cut_stopped(port);
}

static enum rb_progress_left
serve_end(unsigned int port)
{
	if (unlikely(!rb_loop_at(port)))
		stop_end(port);
	if (unlikely(!rb_loop.mark_sent))
		send_mark(port);
	return RTE_MAX(turn_replies(port), turn_requests(port));
}

/* What was not taken from a lost cable comes by the other way. */
static enum rb_progress_left
serve_port(unsigned int port)
{
	return likely(!rb_link_lost(&rb.link[port])) ? rb_serve_port(port, 0) : serve_end(port);
}

static void
end_of_line(void)
{
	rb_cable_end(rb_link_lost(&rb.link[RB_PORT_PREV]) ? RB_PORT_PREV : RB_PORT_NEXT,
		     "a second cable of the ring is lost");
}

/* In place of rb_poll_rings(). */
static enum rb_progress_left
serve_rings(void)
{
	enum rb_progress_left most = RB_PROGRESS_IDLE;
	unsigned int port;

	if (unlikely(rb_cut_look() < 0))
		end_of_line();
	for (port = 0; port < rb.ports; port++)
		if (rb.link[port].port != NULL)
			most = RTE_MAX(serve_port(port), most);
	return RTE_MAX(rb_ack_flush(0, most == RB_PROGRESS_IDLE), most);
}

/* ---- start and end ---- */

bool
rb_survive_wanted(void)
{
	return rb.hosts > 1 && rb.env.survive == RB_SURVIVE_YES && rb.transport->rings &&
	       rb.lcores == 1 && rb.env.barrier == RB_BARRIER_TWOWAY;
}

/* With two ways round; and a link that broke stays down, so that nothing lands behind what was
 * lost. */
static bool
ports_suit(void)
{
	unsigned int port;

	for (port = 0; port < rb.ports; port++) {
		const struct ntb_port *ntb = rb.link[port].port;

		if (ntb == NULL || ntb->ops->link_once == NULL)
			return false;
	}
	return true;
}

int
rb_survive_open(void)
{
	static const struct rb_survive_ops ops = {
		.lose = rb_cut_own,
		.send = rb_reroute_send,
		.ring_send = serve_send,
		.serve = serve_rings,
		.take_mark = serve_mark,
	};

	rb.survives = rb_survive_wanted() && ports_suit();
	rb_ring_survives(rb.survives);
	if (!rb.survives)
		return 0;
	if (rb_retx_open(RB_PORT_PREV) < 0 || rb_retx_open(RB_PORT_NEXT) < 0)
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
