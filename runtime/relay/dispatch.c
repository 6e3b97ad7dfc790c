/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "relay/dispatch.h"

#include <errno.h>
#include <stdbool.h>

#include <rte_common.h>

#include "base/link.h"
#include "base/route.h"
#include "base/rules.h"
#include "base/shares.h"
#include "base/state.h"
#include "base/tsan.h"
#include "base/types.h"
#include "base/wire.h"
#include "link/copy.h"
#include "link/cable.h"
#include "link/chan.h"
#include "link/frame.h"
#include "mem/fastpath.h"
#include "mem/layout.h"
#include "mem/target.h"
#include "observe/span.h"
#include "observe/trace_file.h"
#include "relay/ack.h"
#include "relay/amo.h"
#include "relay/request.h"
#include "relay/turns.h"

/*
 * Why the ring of relays cannot deadlock (doc/protocols.md has the proof, tests/spin the models): a
 * request enters a transit ring from an own-request ring only while two slots are free there, and
 * moves from transit to transit while one slot is free. The transit rings of one direction form a
 * cycle. So the cycle always has a free slot, and some frame can move. A reply enters the reply
 * rings under the same two-slot rule, and its destination always consumes it. So replies always
 * drain, and a request that waits for room for its answer waits only for replies.
 */
/* The frame stays at the head of its ring until there is room. */
#define STALL (-EAGAIN)

/*
 * Order the copies of frames. Call it before each copy into memory that a program may poll. One
 * thread copies the frames of a channel one after the other. The source may have called a fence
 * between two of them, but that fence ran on another CPU, so this one orders the copies here. It
 * pairs with the acquire of a wait on the last word of the later copy, which may be any of its
 * bytes. It costs nothing on x86, which keeps stores in order.
 */
static void
order_copies(void)
{
	atomic_thread_fence(memory_order_release);
	rb_tsan_release(); /* a PE without ports reads a flag, and posts its data to this process */
}

static void serve_words(unsigned int group);

/* Copy what a frame moves. Behind each part words have a turn. */
static void
copy_parts(const struct rb_link *link, const struct rb_desc *d, uint8_t *to, const uint8_t *from)
{
	uint32_t len = d->len, n;

	do {
		n = RTE_MIN(len, (uint32_t)RB_SPLIT);
		rb_copy_relay(to, from, n, rb_dist_of(link));
		if (n >= RB_PIECE_MIN)
			serve_words(rb_group_of(d->chan));
		to += n;
		from += n;
		len -= n;
	} while (len > 0);
}

/* Words that have a turn amid the copy go to other rings: the slot is this frame's until the
 * commit. */
static int
send_frame(unsigned int port, unsigned int ring, unsigned int need, const struct rb_desc *d,
	   const uint8_t *payload)
{
	return rb_ring_send(port, ring, need, d, rb_frame_slot(d) ? payload : NULL, copy_parts);
}

/* Where the last relay stores a put, in a heap: no second bypass slot, no work for the target's
 * lcore. NULL: it does not. */
static uint8_t *
place_beyond(unsigned int out, const struct rb_desc *d)
{
	struct rb_link *link = &rb.link[out];
	uint64_t base = rb_seg_shown(d->seg, rb.place[d->dst_pe].local);

	if (d->op != RB_OP_PUT || base == 0 || link->port == NULL ||
	    rb_route_beyond(link) != rb_pe_host(d->dst_pe))
		return NULL;
	return link->peer + base + d->off;
}

static void
store_put(unsigned int in, unsigned int out, uint8_t *to, const struct rb_desc *d,
	  const uint8_t *payload)
{
	struct rb_link *link = &rb.link[out];

	order_copies();
	copy_parts(link, d, to, rb_frame_data(d, payload));
	/* another thread may send the ack, and its flush does not drain the buffers of this CPU */
	rb_win_wmb(link);
	rb_count(&link->relayed[rb_group_of(d->chan)].stored, 1);
	rb_count(&link->relayed[rb_group_of(d->chan)].stored_bytes, d->len);
	rb_ack_add(out, in, rb_pe_host(d->src_pe), d->chan, RB_CLS_STORED);
	if ((d->flags & RB_DESC_MORE) != 0)
		rb_ack_more(d->chan);
}

/* If the get allows it, the requester's neighbour stores the reply in its final place. The frame
 * that follows says so. It cannot overtake the data on the same link. */
static int
send_reply(unsigned int port, unsigned int ring, unsigned int need, const struct rb_desc *d,
	   const uint8_t *payload)
{
	struct rb_link *link = &rb.link[port];
	struct rb_desc stored = *d;

	if (d->op != RB_OP_GET_REPLY || (d->flags & RB_DESC_REMOTE_STORE) == 0 ||
	    link->port == NULL || rb_route_beyond(link) != rb_pe_host(d->dst_pe) ||
	    !rb_region_public(d->reply_off, d->len) || rb_tx_free(&link->tx[ring], need) < need)
		return send_frame(port, ring, need, d, payload);
	order_copies();
	copy_parts(link, d, link->peer + d->reply_off, payload);
	rb_count(&link->relayed[rb_group_of(d->chan)].stored, 1);
	rb_count(&link->relayed[rb_group_of(d->chan)].stored_bytes, d->len);
	stored.flags = RB_DESC_STORED;
	return rb_ring_send(port, ring, need, &stored, NULL, NULL);
}

static int
count_forwarded(unsigned int port, const struct rb_desc *d, int ret)
{
	if (ret == 0)
		rb_count(&rb.link[port].relayed[rb_group_of(d->chan)].forwarded_bytes,
			 rb_desc_bytes(d));
	return ret;
}

/* A request of others goes on. A word waits behind other words at most; the others take turns. */
static int
send_on(unsigned int port, unsigned int out, unsigned int need, const struct rb_desc *d,
	const uint8_t *payload)
{
	unsigned int group = rb_group_of(d->chan);
	uint8_t *to = place_beyond(out, d);
	int ret;

	if ((d->flags & RB_DESC_WORD) != 0)
		return count_forwarded(port, d,
				       rb_ring_send(out, RB_RING_WORD(group), need, d, NULL, NULL));
	if (!rb_turn_may(group, out, need, to != NULL))
		return STALL;
	if (to != NULL) {
		store_put(port, out, to, d, payload);
		ret = 0;
	} else {
		ret = count_forwarded(port, d,
				      send_frame(out, RB_RING_TRANSIT(group), need, d, payload));
	}
	if (ret == 0)
		rb_turn_went(group, out, need, to != NULL, d);
	return ret;
}

/* @p need: free slots in the next ring. */
static int
forward_frame(unsigned int port, unsigned int ring, unsigned int need, const struct rb_desc *d,
	      const uint8_t *payload)
{
	struct rb_hop hop = rb_hops[port][rb_pe_host(d->dst_pe)];
	unsigned int g = rb_group_of(d->chan), out = hop.port;
	int ret = likely(rb_survive == NULL) ? 1 : rb_survive->stray(port, ring, d, payload);

	if (ret <= 0)
		return count_forwarded(port, d, ret);
	if (unlikely(out == RB_PORT_DEAD)) {
		rb_count(&rb.link[port].relayed[g].dropped, 1);
		return 0;
	}
	need = RTE_MAX(need, hop.need);
	if (rb_ring_replies(ring))
		return count_forwarded(port, d, send_reply(out, ring, need, d, payload));
	return send_on(port, out, need, d, payload);
}

/* The frame and its bounds were checked. Only the process that polls receives frames for its host,
 * so memory that was not remapped is its own. */
static uint8_t *
target_memory(const struct rb_desc *d)
{
	return rb_seg_at(rb.place[d->dst_pe].local, d->seg, d->off);
}

static unsigned int
ring_of_reply(const struct rb_desc *d)
{
	unsigned int group = rb_group_of(d->chan);

	return (d->flags & RB_DESC_WORD) != 0 ? RB_RING_ANSWER(group) : RB_RING_REPLY(group);
}

static int
answer_get(unsigned int port, const struct rb_desc *d)
{
	bool word = (d->flags & RB_DESC_WORD) != 0;
	const uint8_t *from = target_memory(d);
	const struct rb_desc r = word ? rb_frame_word_reply(d, from) : rb_frame_get_reply(d);

	return send_reply(rb_backs[port][rb_pe_host(d->src_pe)], ring_of_reply(d),
			  rb_rule_need(true), &r, from);
}

static int
execute_amo(unsigned int port, const struct rb_desc *d, const uint8_t *payload)
{
	unsigned int ring = ring_of_reply(d);
	unsigned int back = rb_backs[port][rb_pe_host(d->src_pe)];
	uint64_t old[RB_GATHER];
	struct rb_desc r;

	/* check the room for the answer first: an atomic must not run twice */
	if (d->req != 0 && rb_tx_free(&rb.link[back].tx[ring], RB_ENTER) < RB_ENTER)
		return STALL;
	if (!rb_amo_execute(d, (const uint64_t *)payload, old))
		return -EPROTO;
	if ((d->flags & RB_DESC_COUNTED) != 0)
		rb_ack_add(port, port, rb_pe_host(d->src_pe), d->chan, RB_CLS_EXECUTED);
	if (d->req == 0)
		return 0;
	r = rb_frame_amo_reply(d, *old);
	if (d->len != 0)
		r.len = d->len / RB_PART * (unsigned int)sizeof(*old);
	return send_frame(back, ring, rb_rule_need(true), &r, (const uint8_t *)old);
}

/* Execute a request for this host. -EPROTO: no correct host sends it. */
static int
execute_request(unsigned int port, const struct rb_desc *d, const uint8_t *payload)
{
	bool inside = rb_inside(d->off, d->len, rb_seg_size(d->seg));
	int ret = likely(rb_survive == NULL) ? 0 : rb_survive->admit(port, d, payload);

	if (unlikely(ret != 0))
		return RTE_MIN(ret, 0);
	switch (d->op) {
	case RB_OP_PUT:
		order_copies();
		if (inside)
			rb_store(target_memory(d), rb_frame_data(d, payload), d->len);
		rb_ack_add(port, port, rb_pe_host(d->src_pe), d->chan, RB_CLS_EXECUTED);
		return 0;
	case RB_OP_GET:
		return inside ? answer_get(port, d) : -EPROTO;
	case RB_OP_AMO:
		return execute_amo(port, d, payload);
	case RB_OP_MARK:
		return rb_survive == NULL ? -EPROTO : rb_survive->take_mark(port, d, payload);
	default:
		return -EPROTO;
	}
}

static void
take_reply(unsigned int port, const struct rb_desc *d, const uint8_t *payload)
{
	if (d->op == RB_OP_ACK)
		rb_ack_take(port, d);
	else if (d->op == RB_OP_GET_REPLY || d->op == RB_OP_AMO_REPLY)
		rb_req_finish(d, payload);
}

/* Trace only frames that were handled, not those that wait for credits. */
static int
span_finish(const struct rb_span *span, int ret)
{
	if (ret == STALL)
		rb_span_drop(span);
	else
		rb_span_end(span);
	return ret;
}

static int
relay_frame(unsigned int port, unsigned int ring, unsigned int need, const struct rb_desc *d,
	    const uint8_t *payload)
{
	const struct rb_span span = rb_span_begin(RB_TRACE_RELAY, d->dst_pe, rb_desc_bytes(d));

	return span_finish(&span, forward_frame(port, ring, need, d, payload));
}

static int
serve_request(unsigned int port, const struct rb_desc *d, const uint8_t *payload)
{
	const struct rb_span span = rb_span_begin(RB_TRACE_SERVE, d->src_pe, d->len);
	int ret = execute_request(port, d, payload);

	if (unlikely(ret != STALL && ret != 0))
		rb_count(&rb.link[port].relayed[rb_group_of(d->chan)].dropped, 1);
	return span_finish(&span, ret == STALL ? ret : 0);
}

static __rte_always_inline int
handle_frame(unsigned int port, unsigned int ring, unsigned int need, const struct rb_desc *d,
	     const uint8_t *payload)
{
	/* Drop a frame that no correct host sends, without an acknowledgement; rb_cable_check()
	 * ends the job. It must not touch the state of another group, whatever its descriptor says.
	 * Check the bounds before a relay stores, too; the hello has checked that all hosts have
	 * segments of the same size. */
	if (!rb_frame_valid(d) || rb_group_of(d->chan) != rb_group_of_ring(ring) ||
	    (d->op == RB_OP_PUT && !rb_inside(d->off, d->len, rb_seg_size(d->seg)))) {
		rb_count(&rb.link[port].relayed[rb_group_of_ring(ring)].dropped, 1);
		return 0;
	}
	if (rb_pe_host(d->dst_pe) != rb.host)
		return relay_frame(port, ring, need, d, payload);
	if (!rb_ring_replies(ring))
		return serve_request(port, d, payload);
	take_reply(port, d, payload);
	return 0;
}

int
rb_dispatch_frame(unsigned int port, unsigned int ring, unsigned int need, const struct rb_desc *d,
		  const uint8_t *payload)
{
	return handle_frame(port, ring, need, d, payload);
}

static void
serve_word(unsigned int port, unsigned int ring)
{
	struct rb_link *link = &rb.link[port];
	struct rb_rx *rx = &link->rx[ring];
	struct rb_desc d;

	if (likely(!rb_rx_peek(rx, &d)) || (d.flags & RB_DESC_WORD) == 0 ||
	    rb_dispatch_frame(port, ring, rb_rule_need(ring < rb.channels), &d,
			      rb_rx_payload(rx)) == STALL)
		return;
	rb_rx_release(rx);
	rb_rx_credit(link, rx, true);
}

/* Words do not wait for the end of a copy: within it the heads of all rings have a turn, if they
 * use rings of words alone. Each ring keeps its order. The frame under copy is at the head of a
 * ring still, and half in the next one. */
static void
serve_words(unsigned int group)
{
	unsigned int port, c;

	for (port = 0; port < rb.ports; port++) {
		if (rb.link[port].port == NULL)
			continue;
		for (c = group; c < rb.channels; c += rb.lcores)
			serve_word(port, c);
		serve_word(port, RB_RING_WORD(group));
		serve_word(port, RB_RING_ANSWER(group));
	}
}

/* Is its turn not over behind so many bytes? Nothing has looked at the frame yet. */
static bool
has_turn(unsigned int port, unsigned int ring, uint64_t bytes, const struct rb_desc *d)
{
	unsigned int group = rb_group_of_ring(ring);

	if (likely(bytes < RB_LONG))
		return true;
	if (ring != RB_RING_TRANSIT(group) || !rb_frame_valid(d))
		return false;
	/* what ends here leads to RB_PORT_DEAD, which no source has passed */
	port = rb_hops[port][rb_pe_host(d->dst_pe)].port;
	return bytes < rb_share_turn(&rb.link[port].shares[group]);
}

/* @p later: set if the ring may hold more frames. */
static enum rb_progress_left
drain_ring(unsigned int port, unsigned int ring, bool *later)
{
	struct rb_link *link = &rb.link[port];
	struct rb_rx *rx = &link->rx[ring];
	/* a frame of a ring of relays leaves its own slot free */
	unsigned int need = rb_rule_need(ring < rb.channels), n;
	enum rb_progress_left left = RB_PROGRESS_IDLE;
	uint64_t bytes = 0;
	struct rb_desc d;

	for (n = 0; n < RB_BUDGET && rb_rx_peek(rx, &d) && has_turn(port, ring, bytes, &d); n++) {
		if (handle_frame(port, ring, need, &d, rb_rx_payload(rx)) == STALL) {
			left = RB_PROGRESS_STALL;
			break;
		}
		rb_rx_release(rx);
		rb_rx_credit(link, rx, false);
		bytes += d.len;
	}
	rb_rx_credit(link, rx, true);
	*later |= n == RB_BUDGET || bytes >= RB_LONG || left == RB_PROGRESS_STALL;
	return n > 0 ? RB_PROGRESS_WORK : left;
}

enum rb_progress_left
rb_serve_port(unsigned int port, unsigned int group)
{
	struct rb_link *link = &rb.link[port];
	uint32_t due = rb_rx_due(link, group);
	enum rb_progress_left most = RB_PROGRESS_IDLE;
	bool later = false;
	unsigned int c;

	if ((due & RB_DB_CHAN(group)) != 0) {
		/* replies first: other operations wait for them */
		for (c = RB_RING_ANSWER(group) + 1; c-- > RB_RING_TRANSIT(group);)
			most = RTE_MAX(drain_ring(port, c, &later), most);
	}
	for (c = group; c < rb.channels; c += rb.lcores) {
		if ((due & RB_DB_CHAN(c)) == 0)
			continue;
		most = RTE_MAX(drain_ring(port, c, &later), most);
		if (later)
			rb_rx_later(link, group, c);
		later = false;
	}
	return most;
}

enum rb_progress_left
rb_poll_rings(unsigned int group)
{
	enum rb_progress_left most = RB_PROGRESS_IDLE;
	unsigned int port;

	rb_turn_begin(group);
	if (unlikely(rb_survive != NULL)) {
		most = rb_survive->serve(); /* there is one group */
		return RTE_MAX(rb_req_turn(group), most);
	}
	for (port = 0; port < rb.ports; port++)
		if (rb.link[port].port != NULL)
			most = RTE_MAX(rb_serve_port(port, group), most);
	most = RTE_MAX(rb_ack_flush(group, most == RB_PROGRESS_IDLE), most);
	return RTE_MAX(rb_req_turn(group), most);
}
