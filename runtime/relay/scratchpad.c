/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "relay/scratchpad.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/deal.h"
#include "base/env.h"
#include "base/link.h"
#include "base/route.h"
#include "base/rules.h"
#include "base/state.h"
#include "base/transport.h"
#include "base/tsan.h"
#include "base/types.h"
#include "base/window.h"
#include "base/wire.h"
#include "host/lbuf.h"
#include "host/wait.h"
#include "link/frame.h"
#include "link/chan.h"
#include "mem/fastpath.h"
#include "mem/layout.h"
#include "mem/target.h"
#include "relay/amo.h"

/*
 * Why store-and-forward relays cannot deadlock: a host has at most one request under way, which is
 * one frame at any time (the request, then its answer). So there are never more frames than hosts,
 * and the queues have room for all of them. A receiver therefore always takes a frame, and the
 * sender can continue.
 */
enum {
	QUEUE = 2 * RB_MAX_HOSTS, /* twice: for frames that no correct host sends */
};
_Static_assert((QUEUE & (QUEUE - 1)) == 0, "positions wrap");

/* A frame that waits to be sent. */
struct frame {
	struct rb_desc d;
	struct rb_lbuf src;
	uint8_t *copy; /* of a relayed payload; allocated when first needed, and kept */
};

/* Owner of all fields: poll. While busy, the neighbour has the frame at head. */
static struct out {
	struct frame q[QUEUE];
	unsigned int head, tail;
	bool busy;
} outs[RB_RING_PORTS];

enum state {
	IDLE,	/* the thread whose turn it is may write the other fields */
	POSTED, /* poll may read them */
	SENT,	/* the request is in the queue */
};

/* The request of this host. Threads post theirs in order of arrival: one that waits for a lock
 * posts the next as soon as it has its answer, and with few CPUs the PE that is to release the lock
 * would never find this free. */
static struct {
	_Atomic uint32_t next;	/* relaxed: only counts */
	_Atomic uint32_t turn;	/* release, when it passes on; acquire by who has it then */
	_Atomic uint32_t state; /* release and acquire: publish all fields below */
	unsigned int port;
	bool one_hop; /* complete when the neighbour has taken the frame */
	struct rb_desc d;
	struct rb_lbuf src, dst;
} own;

/* ---- requests ---- */

static void
post_request(const struct rb_target *t, struct rb_desc *d, const struct rb_lbuf *src,
	     const struct rb_lbuf *dst)
{
	uint32_t mine = atomic_fetch_add_explicit(&own.next, 1, memory_order_relaxed);

	RB_WAIT_FOR(atomic_load_explicit(&own.turn, memory_order_acquire) == mine, RB_WAIT_INNER);
	rb_frame_address(d, t);
	d->req = own.d.req + 1; /* an answer to an earlier request does not match */
	own.d = *d;
	own.port = t->port;
	own.one_hop = t->hops == 1 && dst == NULL;
	own.src = src == NULL ? rb_lbuf_own(&own.d.cond) : *src;
	if (dst != NULL)
		own.dst = *dst;
	/* both directions pair with serve_ports() and finish_request() */
	atomic_store_explicit(&own.state, POSTED, memory_order_release);
	RB_WAIT_FOR(atomic_load_explicit(&own.state, memory_order_acquire) == IDLE, RB_WAIT_INNER);
	atomic_store_explicit(&own.turn, mine + 1, memory_order_release);
}

static void
request_chunks(const struct rb_target *t, enum rb_op op, const struct rb_lbuf *local, size_t len)
{
	size_t done = 0;

	while (done < len) {
		uint32_t n = len - done < rb.chunk ? (uint32_t)(len - done) : rb.chunk;
		const struct rb_lbuf part = {.ptr = local->ptr + done, .pid = local->pid};
		uint64_t off = t->loc.off + done;
		struct rb_desc d =
			op == RB_OP_PUT ? rb_frame_put(off, n, 0) : rb_frame_get(off, n, 0, 0);

		post_request(t, &d, op == RB_OP_PUT ? &part : NULL, op == RB_OP_GET ? &part : NULL);
		done += n;
	}
}

static void
put_chunks(struct rb_ctx *ctx, struct rb_target *t, const struct rb_lbuf *src, size_t len, bool nbi)
{
	(void)ctx;
	(void)nbi;
	request_chunks(t, RB_OP_PUT, src, len);
}

static void
get_chunks(struct rb_ctx *ctx, struct rb_target *t, const struct rb_lbuf *dst, size_t len,
	   _Atomic uint32_t *pending)
{
	(void)ctx;
	(void)pending;
	request_chunks(t, RB_OP_GET, dst, len);
}

static void
request_amo(struct rb_ctx *ctx, const struct rb_target *t, const struct rb_amo *op,
	    const struct rb_lbuf *fetch, _Atomic uint32_t *pending)
{
	struct rb_desc d = rb_frame_amo(t->loc.off, op, 0, 0);

	d.len = op->size;
	(void)ctx;
	(void)pending;
	post_request(t, &d, NULL, rb_amo_fetches(op->op) ? fetch : NULL);
}

/* ---- sending ---- */

/* Bytes that go through the bypass buffer. The second operand of an atomic uses it too, because the
 * scratchpads have no room for it. */
static uint32_t
payload_bytes(const struct rb_desc *d)
{
	if (d->op == RB_OP_AMO)
		return sizeof(d->cond);
	if (d->op == RB_OP_GET_REPLY || (d->op == RB_OP_PUT && (d->flags & RB_DESC_STORED) == 0))
		return d->len;
	return 0;
}

/* Bytes of data that a frame delivers, including data that was stored ahead of it. */
static uint32_t
data_bytes(const struct rb_desc *d)
{
	return d->op == RB_OP_PUT ? d->len : payload_bytes(d);
}

static struct frame *
free_frame(unsigned int port)
{
	struct out *out = &outs[port];

	if (rb.link[port].port == NULL || out->tail - out->head == QUEUE)
		return NULL;
	return &out->q[out->tail % QUEUE];
}

static void
enqueue_frame(unsigned int port, const struct rb_desc *d, const struct rb_lbuf *src)
{
	struct out *out = &outs[port];
	struct frame *f = &out->q[out->tail++ % QUEUE];

	f->d = *d;
	f->src = *src;
}

static void
write_frame(unsigned int port, struct frame *f)
{
	struct rb_link *link = &rb.link[port];
	struct rb_desc *d = &f->d;
	uint64_t base = rb_seg_shown(d->seg, rb.place[d->dst_pe].local);
	uint32_t words[RB_SCRATCHPAD_WORDS];
	unsigned int i;

	if (d->op == RB_OP_PUT && base != 0 && rb_route_beyond(link) == rb_pe_host(d->dst_pe)) {
		rb_lbuf_window(link->peer + base + d->off, &f->src, d->len);
		d->flags = RB_DESC_STORED;
	} else {
		rb_lbuf_window(link->tx[0].slot, &f->src, payload_bytes(d));
	}
	rb_frame_pack(d, words);
	rb_win_port_drains(link->peer);
	for (i = 0; i < RB_SCRATCHPAD_WORDS; i++)
		link->port->ops->peer_spad_write(link->port, i, words[i]);
	rb_count(&link->tx[0].frames, 1);
	rb_count(&link->tx[0].bytes, data_bytes(d));
	rb_win_ring(link->port, RB_DB_SENT);
}

static bool
send_next(unsigned int port)
{
	struct out *out = &outs[port];

	if (out->busy || out->head == out->tail)
		return false;
	out->busy = true;
	write_frame(port, &out->q[out->head % QUEUE]);
	return true;
}

/* ---- receiving ---- */

static void
finish_request(void)
{
	atomic_store_explicit(&own.state, IDLE, memory_order_release);
}

static bool
waits_for(uint32_t req)
{
	return atomic_load_explicit(&own.state, memory_order_relaxed) == SENT && own.d.req == req;
}

static bool
is_request(const struct rb_desc *d)
{
	return d->op == RB_OP_PUT || d->op == RB_OP_GET || d->op == RB_OP_AMO;
}

static void
frame_taken(unsigned int port)
{
	struct out *out = &outs[port];
	const struct frame *f = &out->q[out->head % QUEUE];

	if (!out->busy)
		return;
	out->busy = false;
	out->head++;
	/* not an answer of this host, whose number is another host's */
	if (is_request(&f->d) && f->d.src_pe == rb.pe && waits_for(f->d.req) && own.one_hop)
		finish_request();
}

/* Take an answer. Drop it if no request of this host asked for it. */
static void
take_answer(const struct rb_desc *d, const uint8_t *buffer)
{
	bool value = d->op == RB_OP_AMO_REPLY, data = d->op == RB_OP_GET_REPLY;
	bool wants;

	if (!waits_for(d->req) || own.one_hop)
		return;
	wants = own.d.op == RB_OP_GET || (own.d.op == RB_OP_AMO && rb_amo_fetches(own.d.amo & 0xf));
	if ((value || data) != wants)
		return;
	if (wants && (d->len != own.d.len || (value && d->len > sizeof(d->value))))
		return;
	if (wants)
		rb_lbuf_write(&own.dst, 0, value ? (const uint8_t *)&d->value : buffer, d->len);
	finish_request();
}

/* Execute a request for this host. The caller has checked that the answer has room. */
static void
execute_request(unsigned int port, const struct rb_desc *d, const uint8_t *buffer)
{
	uint8_t *at = rb_seg_at(rb.place[d->dst_pe].local, d->seg, d->off);
	struct rb_desc r = {.op = RB_OP_ACK,
			    .src_pe = (uint16_t)rb.pe,
			    .dst_pe = d->src_pe,
			    .req = d->req,
			    .len = d->len};
	const struct rb_amo amo = rb_frame_amo_of(d);
	struct rb_lbuf from = rb_lbuf_own(at);
	uint64_t old;

	if (d->op == RB_OP_GET) {
		r = rb_frame_get_reply(d);
	} else if (d->op == RB_OP_AMO) {
		old = rb_amo_apply(at, &amo);
		if (rb_amo_fetches(amo.op))
			r = rb_frame_amo_reply(d, old);
	} else if ((d->flags & RB_DESC_STORED) == 0) {
		rb_copy(at, buffer, d->len);
	}
	/* a neighbour needs no ACK frame: RB_DB_TAKEN acknowledges the request */
	if (r.op != RB_OP_ACK || rb_route_neighbour(port) != rb_pe_host(d->src_pe))
		enqueue_frame(port, &r, &from);
}

static bool
in_bounds(const struct rb_desc *d)
{
	if (d->op == RB_OP_AMO)
		return rb_frame_amo_valid(d);
	if (d->op == RB_OP_PUT || d->op == RB_OP_GET)
		return rb_inside(d->off, d->len, rb_seg_size(d->seg));
	return true;
}

static void
read_frame(struct ntb_port *ntb, const uint8_t *buffer, struct rb_desc *d)
{
	uint32_t w[RB_SCRATCHPAD_WORDS];
	unsigned int i;

	for (i = 0; i < RB_SCRATCHPAD_WORDS; i++)
		w[i] = ntb->ops->spad_read(ntb, i);
	*d = rb_frame_unpack(w);
	memcpy(&d->cond, buffer, sizeof(d->cond));
}

/* Returns false when there is no room; try again later. A frame that no correct host sends is
 * dropped. */
static bool
receive_frame(unsigned int port)
{
	struct rb_link *link = &rb.link[port];
	const uint8_t *buffer = link->rx[0].slot;
	struct rb_desc d;
	struct frame *f;

	read_frame(link->port, buffer, &d);
	rb_tsan_acquire();
	if (rb_frame_valid(&d) && in_bounds(&d) && rb_pe_host(d.dst_pe) != rb.host) {
		f = free_frame(port ^ 1u);
		if (f != NULL && f->copy == NULL)
			f->copy = malloc(rb.chunk);
		if (f == NULL || f->copy == NULL)
			return false;
		d.flags = 0;
		rb_copy(f->copy, buffer, payload_bytes(&d));
		const struct rb_lbuf copy = rb_lbuf_own(f->copy);
		enqueue_frame(port ^ 1u, &d, &copy);
		rb_count(&link->relayed[0].forwarded_bytes, data_bytes(&d));
	} else if (rb_frame_valid(&d) && in_bounds(&d)) {
		if (free_frame(port) == NULL)
			return false;
		if (is_request(&d))
			execute_request(port, &d, buffer);
		else
			take_answer(&d, buffer);
	}
	rb_tsan_release();
	rb_win_ring(link->port, RB_DB_TAKEN);
	return true;
}

static enum rb_progress_left
serve_ports(unsigned int group)
{
	enum rb_progress_left left = RB_PROGRESS_IDLE;
	unsigned int port;

	(void)group;
	if (atomic_load_explicit(&own.state, memory_order_acquire) == POSTED &&
	    free_frame(own.port) != NULL) {
		enqueue_frame(own.port, &own.d, &own.src);
		atomic_store_explicit(&own.state, SENT, memory_order_relaxed);
	}
	for (port = 0; port < rb.ports; port++) {
		struct rb_link *link = &rb.link[port];
		uint32_t due;

		if (link->port == NULL)
			continue;
		due = rb_notify_due(link, 0);
		if ((due & RB_DB_TAKEN) != 0)
			frame_taken(port);
		if ((due & RB_DB_SENT) != 0 && !receive_frame(port)) {
			link->due[0] = RB_DB_SENT;
			left = left == RB_PROGRESS_IDLE ? RB_PROGRESS_STALL : left;
		} else if (due != 0) {
			left = RB_PROGRESS_WORK;
		}
	}
	for (port = 0; port < rb.ports; port++)
		if (send_next(port))
			left = RB_PROGRESS_WORK;
	return left;
}

const struct rb_transport rb_scratchpad = {
	.name = "scratchpad",
	.lcores = 1, /* one request at a time */
	.serve = serve_ports,
	.put = put_chunks,
	.get = get_chunks,
	.amo = request_amo,
	.bells = RB_DB_SENT | RB_DB_TAKEN,
};
