/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "survive/survive.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include "base/env.h"
#include "base/error.h"
#include "base/graph.h"
#include "base/link.h"
#include "base/route.h"
#include "base/state.h"
#include "host/ring_state.h"
#include "link/cable.h"
#include "link/chan.h"
#include "link/copy.h"
#include "link/frame.h"
#include "mem/target.h"
#include "relay/ack.h"
#include "relay/dispatch.h"
#include "relay/send.h"
#include "survive/cut.h"
#include "survive/hold.h"
#include "survive/reroute.h"
#include "survive/retransmit.h"

/* ---- what stands in the place of the relay; poll ---- */

/* Of the routes of another epoch, by the kind of ring that they go on in. */
static struct rb_hold_list strayed[2];
/* Requests that have come too early, by source and channel, and how many there are. */
static struct rb_hold_list early[RB_MAX_HOSTS][RB_MAX_CHANNELS];
static unsigned int n_early;
/* The epoch in which the host at the other end of a lost cable was told of this end last. */
static uint32_t marked[RB_MAX_PORTS];

/* In place of rb_ring_send(). */
static int
serve_send(unsigned int port, unsigned int ring, unsigned int need, const struct rb_desc *d,
	   const uint8_t *payload)
{
	struct rb_link *link = &rb.link[port];
	struct rb_tx *tx = &link->tx[ring];
	struct rb_desc now = *d;

	if (link->port == NULL || !rb_tx_has_room(link, tx, need))
		return -EAGAIN;
	now.epoch = rb_epoch;
	if (payload != NULL)
		rb_copy_relay(rb_tx_payload(tx), payload, d->len, RB_DIST_HOST);
	rb_retx_commit(link, tx, &now);
	return 0;
}

/* A frame that is in no ring: as if it were issued here. */
static int
send_anew(unsigned int ring, const struct rb_desc *d, const uint8_t *payload)
{
	int host = rb_pe_host(d->dst_pe);
	unsigned int port = ring == RB_RING_REPLY(0) ? rb_backs[0][host] : rb_reroute_port(host);

	return serve_send(port, ring, RB_ENTER, d, rb_frame_slot(d) ? payload : NULL);
}

/* In place of rb_send_try(). Poll fills no ring of requests of its own here, since a sender may
 * wait for the lock of one whose route has changed. The turn brings the request behind those
 * before. */
static bool
serve_try(struct rb_ctx *ctx, const struct rb_target *to, struct rb_desc *d, const uint8_t *payload)
{
	struct rb_link *link = &rb.link[rb_reroute_port(to->host)];

	if (link->port == NULL || !rb_tx_has_room(link, &link->tx[RB_RING_TRANSIT(0)], RB_ENTER))
		return false;
	d->turn = rb_send_note(ctx, to, d);
	return send_anew(RB_RING_TRANSIT(0), d, payload) == 0;
}

/* A frame of an older epoch, or of one that this host does not know yet, must not take a slot that
 * those of this one wait for: it leaves the ring of slots. */
static int
serve_stray(unsigned int port, unsigned int ring, const struct rb_desc *d, const uint8_t *payload)
{
	bool replies = ring == RB_RING_REPLY(0);

	if (d->epoch == rb_epoch && rb_hops[port][rb_pe_host(d->dst_pe)].port != RB_PORT_DEAD)
		return 1;
	if (ring < rb.channels)
		return send_anew(RB_RING_TRANSIT(0), d, payload);
	rb_hold_add(&strayed[replies], port, d, payload);
	return 0;
}

/* Is it the turn of this request? @return 0; 1: it is kept until then; -EPROTO: it was executed */
static int
serve_admit(unsigned int port, const struct rb_desc *d, const uint8_t *payload)
{
	int host = rb_pe_host(d->src_pe);
	int64_t ahead = (int64_t)(rb_hold_before(d) - rb_ack_total((unsigned int)host, d->chan));

	if (d->op == RB_OP_MARK)
		return 0;
	if (host == rb.host)
		return -EPROTO;
	if (unlikely(ahead > 0)) {
		rb_hold_sort(&early[host][d->chan], port, d, payload);
		n_early++;
		return 1;
	}
	return ahead < 0 && (d->flags & RB_DESC_COUNTED) != 0 ? -EPROTO : 0;
}

/* Of the host at the other end of a lost cable. It may come before this host knows of the loss. */
static int
serve_mark(unsigned int port, const struct rb_desc *d, const uint8_t *taken)
{
	unsigned int lost = (unsigned int)d->off;
	int ret;

	(void)port;
	if (d->off >= rb.ports || rb.link[lost].port == NULL ||
	    rb_route_neighbour(lost) != rb_pe_host(d->src_pe))
		return -EPROTO;
	if (!rb_link_lost(&rb.link[lost]))
		return -EAGAIN;
	ret = rb_retx_peer_count(lost, taken, d->len);
	if (ret == -EPROTO)
		rb_cable_end(lost, "its other end has taken frames that were not sent");
	return ret;
}

/* Nothing is taken from the lost cable any more: say how much was. In each epoch anew: two marks
 * may each be kept at a cable that the other one is about. */
static void
send_mark(unsigned int port)
{
	uint32_t taken[RB_MAX_RINGS], len = rb_retx_taken(port, taken);
	const struct rb_desc mark = rb_frame_mark(rb_route_neighbour(port), rb.far[port], len);

	if (send_anew(RB_RING_TRANSIT(0), &mark, (const uint8_t *)taken) == 0)
		marked[port] = rb_epoch;
}

/* Frames of a ring over the lost cable that its other end has not taken. */
static enum rb_progress_left
resend_ring(unsigned int port, unsigned int ring)
{
	unsigned int on = ring == RB_RING_REPLY(0) ? ring : RB_RING_TRANSIT(0), n;
	const struct rb_desc *head;
	const uint8_t *payload;

	for (n = 0; n < RB_BUDGET && (head = rb_retx_head(port, ring, &payload)) != NULL; n++) {
		if (send_anew(on, head, payload) == -EAGAIN)
			return n > 0 ? RB_PROGRESS_WORK : RB_PROGRESS_STALL;
		rb_retx_drop_head(port, ring);
	}
	return n > 0 ? RB_PROGRESS_WORK : RB_PROGRESS_IDLE;
}

static enum rb_progress_left
serve_lost(unsigned int port)
{
	enum rb_progress_left most = RB_PROGRESS_IDLE;
	unsigned int ring;

	if (unlikely(marked[port] != rb_epoch))
		send_mark(port);
	for (ring = 0; ring < RB_SLOT_RINGS; ring++)
		most = RTE_MAX(resend_ring(port, ring), most);
	return marked[port] == rb_epoch ? most : RTE_MAX(most, RB_PROGRESS_STALL);
}

static enum rb_progress_left
send_strayed(bool replies)
{
	unsigned int ring = replies ? RB_RING_REPLY(0) : RB_RING_TRANSIT(0), n;
	struct rb_hold *h;

	for (n = 0; n < RB_BUDGET && (h = TAILQ_FIRST(&strayed[replies])) != NULL; n++) {
		if (send_anew(ring, &h->d, h->payload) == -EAGAIN)
			return n > 0 ? RB_PROGRESS_WORK : RB_PROGRESS_STALL;
		rb_hold_drop(&strayed[replies]);
	}
	return n > 0 ? RB_PROGRESS_WORK : RB_PROGRESS_IDLE;
}

/* Those of a source and channel whose turn has come. @return was there one? */
static bool
execute_early(unsigned int host, unsigned int chan)
{
	struct rb_hold *h = TAILQ_FIRST(&early[host][chan]);

	if (h == NULL || rb_hold_before(&h->d) > rb_ack_total(host, chan) ||
	    rb_dispatch_frame(rb_reroute_port((int)host), RB_RING_TRANSIT(0), RB_ENTER, &h->d,
			      h->payload) == -EAGAIN)
		return false;
	rb_hold_drop(&early[host][chan]);
	n_early--;
	return true;
}

static enum rb_progress_left
serve_early(void)
{
	enum rb_progress_left left = RB_PROGRESS_STALL;
	unsigned int host, chan;

	if (likely(n_early == 0))
		return RB_PROGRESS_IDLE;
	for (host = 0; host < (unsigned int)rb.hosts; host++)
		for (chan = 0; chan < rb.channels; chan++)
			while (execute_early(host, chan))
				left = RB_PROGRESS_WORK;
	return left;
}

/* In place of rb_poll_rings(). */
static enum rb_progress_left
serve_rings(void)
{
	enum rb_progress_left most = RB_PROGRESS_IDLE, one;
	unsigned int port;

	rb_cut_look();
	for (port = 0; port < rb.ports; port++) {
		if (rb.link[port].port == NULL)
			continue;
		one = likely(!rb_link_lost(&rb.link[port])) ? rb_serve_port(port, 0)
							    : serve_lost(port);
		most = RTE_MAX(one, most);
	}
	most = RTE_MAX(send_strayed(true), most);
	most = RTE_MAX(send_strayed(false), most);
	most = RTE_MAX(serve_early(), most);
	return RTE_MAX(rb_ack_flush(0, most == RB_PROGRESS_IDLE), most);
}

/* ---- start and end ---- */

bool
rb_survive_wanted(void)
{
	return rb.hosts > 1 && rb.env.survive == RB_SURVIVE_YES && rb.lcores == 1;
}

/* A link that broke stays down, so that nothing lands behind what was lost. */
static bool
ports_suit(void)
{
	unsigned int port;

	for (port = 0; port < rb.ports; port++) {
		const struct ntb_port *ntb = rb.link[port].port;

		if (ntb != NULL && ntb->ops->link_once == NULL)
			return false;
	}
	return true;
}

static void
empty_lists(void)
{
	unsigned int h, c;

	TAILQ_INIT(&strayed[0]);
	TAILQ_INIT(&strayed[1]);
	for (h = 0; h < RB_MAX_HOSTS; h++)
		for (c = 0; c < RB_MAX_CHANNELS; c++)
			TAILQ_INIT(&early[h][c]);
}

static int
keep_frames(void)
{
	unsigned int port;

	for (port = 0; port < rb.ports; port++)
		if (rb.link[port].port != NULL && rb_retx_open(port) < 0)
			return rb_fail(-ENOMEM, "no memory for the retransmit buffer");
	return 0;
}

int
rb_survive_open(void)
{
	static const struct rb_survive_ops ops = {
		.lose = rb_cut_own,
		.send = rb_reroute_send,
		.try = serve_try,
		.ring_send = serve_send,
		.serve = serve_rings,
		.stray = serve_stray,
		.admit = serve_admit,
		.take_mark = serve_mark,
	};

	rb.survives = rb_survive_wanted();
	rb_ring_survives(rb.survives && ports_suit());
	if (!rb.survives)
		return 0;
	empty_lists();
	rb_reroute();
	rb_survive = &ops;
	return keep_frames();
}

void
rb_survive_close(void)
{
	rb_survive = NULL;
	rb_retx_close();
}
