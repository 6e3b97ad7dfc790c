/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "relay/send.h"

#include <errno.h>
#include <stdbool.h>

#include "base/context.h"
#include "base/link.h"
#include "base/route.h"
#include "base/state.h"
#include "base/thread.h"
#include "base/types.h"
#include "base/wire.h"
#include "copy/copy.h"
#include "copy/tune.h"
#include "host/hostseg.h"
#include "host/lbuf.h"
#include "host/wait.h"
#include "link/chan.h"
#include "link/frame.h"
#include "mem/target.h"
#include "observe/loss.h"

struct rb_flow (*rb_flows)[RB_MAX_CHANNELS];

static enum rb_class
class_of(const struct rb_target *t, const struct rb_desc *d)
{
	return d->op == RB_OP_PUT && rb_relay_stores(t) ? RB_CLS_STORED : RB_CLS_EXECUTED;
}

static void
mark_host(_Atomic uint64_t *hosts, int host)
{
	uint64_t bit = 1ull << host;

	if ((atomic_load_explicit(hosts, memory_order_relaxed) & bit) == 0)
		atomic_fetch_or_explicit(hosts, bit, memory_order_relaxed);
}

static void
fill_slot(const struct rb_link *link, const struct rb_tx *tx, const struct rb_lbuf *src, size_t off,
	  size_t len)
{
	uint8_t *to = rb_tx_payload(tx);

	if (src->pid == 0)
		rb_copy_relay(to, src->ptr + off, len, rb_dist_slot(link));
	else
		rb_lbuf_pull(to, src, off, len);
}

static bool
same_way(const struct rb_target *t)
{
	struct rb_target now = *t;

	return !rb_target_way(&now);
}

/* Wait for a free slot. False: the route has moved, and no slot may come any more. */
static bool
wait_for_slot(struct rb_tx *tx, const struct rb_target *t)
{
	struct rb_wait w = RB_WAIT_INNER;

	do {
		rb_count(&tx->retries, 1);
		rb_wait_once(&w);
	} while (rb_tx_free(tx) == 0 && same_way(t));
	rb_wait_end(&w);
	return same_way(t);
}

/*
 * The route to the host has moved. Requests of a channel are executed in order, but those that left
 * the old way would be overtaken by the next one. So wait until they are complete. A sender that
 * has chosen the old way holds the lock of its ring until it has counted its request, and a later
 * one finds the new route under that lock.
 */
static void
settle_route(unsigned int chan, const struct rb_target *t)
{
	struct rb_tx *old = &rb.link[t->side ^ 1u].tx[chan];
	struct rb_wait w = {
		.turns = 64, .inner = true, .what = RB_FOR_HOST, .whom = (uint64_t)t->host};
	uint64_t began = rb_now_ns();
	unsigned int cls;

	rb_tx_lock(old);
	rb_tx_unlock(old);
	for (cls = 0; cls < RB_CLS_MAX; cls++) {
		uint64_t issued = atomic_load_explicit(&rb_flows[t->host][chan].issued[cls],
						       memory_order_relaxed);

		while (!rb_acked(t->host, chan, cls, issued))
			rb_wait_once(&w);
	}
	rb_wait_end(&w);
	rb_route_settle(t->host, chan);
	rb_loss_pause(rb_now_ns() - began);
}

/* Lock the ring of the host's route, with a free slot. */
static struct rb_tx *
lock_way(unsigned int chan, struct rb_target *t)
{
	for (;;) {
		uint32_t moved;
		struct rb_route r = rb_route_load(t->host, &moved);
		struct rb_tx *tx;

		t->side = r.side;
		t->hops = r.hops;
		if (unlikely((moved >> chan & 1) != 0))
			settle_route(chan, t);
		tx = &rb.link[t->side].tx[chan];
		rb_tx_lock(tx);
		if (likely(same_way(t)) && (likely(rb_tx_free(tx) != 0) || wait_for_slot(tx, t)))
			return tx;
		rb_tx_unlock(tx);
	}
}

void
rb_send(struct rb_ctx *ctx, const struct rb_target *to, struct rb_desc *d,
	const struct rb_lbuf *src, size_t off)
{
	struct rb_target t = *to;
	struct rb_tx *tx = lock_way(ctx->chan, &t);
	struct rb_link *link = &rb.link[t.side];
	enum rb_class cls = class_of(&t, d);

	d->chan = (uint8_t)ctx->chan;
	rb_frame_address(d, &t);
	if (src != NULL)
		fill_slot(link, tx, src, off, d->len);
	if ((d->flags & RB_DESC_COUNTED) != 0)
		atomic_fetch_add_explicit(&rb_flows[t.host][ctx->chan].issued[cls], 1,
					  memory_order_relaxed);
	rb_tx_commit(link, tx, d);
	rb_tx_unlock(tx);
	if ((d->flags & RB_DESC_COUNTED) == 0)
		return;
	mark_host(&ctx->dirty, t.host);
	if (cls == RB_CLS_EXECUTED)
		mark_host(&ctx->executed, t.host);
}
