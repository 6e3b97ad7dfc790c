/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "relay/send.h"

#include <errno.h>
#include <stdbool.h>

#include "base/context.h"
#include "base/gone.h"
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
#include "link/cut.h"
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

/* Is the way of the target still that of its host? A route that has changed twice leads to the same
 * side again, but its word is another one. */
static bool
is_way(const struct rb_target *t)
{
	return rb_route_word(t->host) == t->way;
}

/* Wait for a free slot. False: the route has moved, or the ring is stopped, and no slot may come
 * any more. */
static bool
wait_for_slot(struct rb_tx *tx, const struct rb_target *t)
{
	struct rb_wait w = RB_WAIT_INNER;

	do {
		rb_count(&tx->retries, 1);
		rb_tx_doubt(&rb.link[t->side], tx);
		rb_wait_once(&w);
	} while (rb_tx_free(tx) == 0 && is_way(t) && !rb_gone_stopped());
	rb_wait_end(&w);
	return rb_tx_free(tx) != 0 && is_way(t);
}

static bool
class_complete(int host, unsigned int chan, enum rb_class cls)
{
	uint64_t issued =
		atomic_load_explicit(&rb_flows[host][chan].issued[cls], memory_order_relaxed);

	return rb_acked(host, chan, cls, issued);
}

/*
 * The route to the host has moved. Requests of a channel are executed in order, but those that left
 * the old way would be overtaken by the next one. So wait until they are complete. A sender that
 * has chosen the old way holds the lock of its ring until it has counted its request, and a later
 * one finds the new route under that lock.
 */
static void
settle_route(unsigned int chan, int host, uint64_t seen)
{
	struct rb_tx *old = &rb.link[rb_route_in(seen).side ^ 1u].tx[chan];
	struct rb_wait w = {
		.turns = 64, .inner = true, .what = RB_FOR_HOST, .whom = (uint64_t)host};
	uint64_t began = rb_now_ns();
	enum rb_class cls;

	rb_tx_lock(old);
	rb_tx_unlock(old);
	for (cls = 0; cls < RB_CLS_MAX; cls++)
		while (!class_complete(host, chan, cls) && !rb_gone_stopped())
			rb_wait_once(&w);
	rb_wait_end(&w);
	rb_loss_pause(rb_now_ns() - began);
	rb_route_settle(host, chan, seen);
}

void
rb_send_settle(unsigned int chan, int host)
{
	uint64_t way = rb_route_word(host);

	if (unlikely(rb_route_moved(way, chan)))
		settle_route(chan, host, way);
}

/* The same as settle_route(), where it has nothing to wait for. */
static void
try_settle(unsigned int chan, int host, uint64_t seen)
{
	struct rb_tx *old = &rb.link[rb_route_in(seen).side ^ 1u].tx[chan];

	if (atomic_flag_test_and_set_explicit(&old->lock, memory_order_acquire))
		return;
	rb_tx_unlock(old);
	if (class_complete(host, chan, RB_CLS_STORED) &&
	    class_complete(host, chan, RB_CLS_EXECUTED))
		rb_route_settle(host, chan, seen);
}

static bool
all_settled(void)
{
	bool all = true;
	unsigned int chan;
	uint64_t way;
	int h;

	for (h = 0; h < rb.hosts; h++) {
		way = rb_route_word(h);
		for (chan = 0; chan < rb.channels; chan++)
			if (rb_route_moved(way, chan))
				try_settle(chan, h, way);
		all &= !rb_route_unsettled(rb_route_word(h));
	}
	return all;
}

enum rb_progress_left
rb_send_look(void)
{
	uint32_t changes = rb_route_ring().changes;

	/* no bell announces an acknowledgement */
	if (!all_settled())
		return RB_PROGRESS_STALL;
	rb_cut_settled(changes);
	return RB_PROGRESS_WORK;
}

/* The ring is locked, and has a free slot. */
static inline void
send_on(struct rb_ctx *ctx, struct rb_tx *tx, const struct rb_target *t, struct rb_desc *d,
	const struct rb_lbuf *src, size_t off)
{
	struct rb_link *link = &rb.link[t->side];
	enum rb_class cls = class_of(t, d);

	d->chan = (uint8_t)ctx->chan;
	rb_frame_address(d, t);
	if (src != NULL)
		fill_slot(link, tx, src, off, d->len);
	if ((d->flags & RB_DESC_COUNTED) != 0)
		atomic_fetch_add_explicit(&rb_flows[t->host][ctx->chan].issued[cls], 1,
					  memory_order_relaxed);
	rb_tx_commit(link, tx, d);
	rb_tx_unlock(tx);
	if ((d->flags & RB_DESC_COUNTED) == 0)
		return;
	mark_host(&ctx->dirty, t->host);
	if (cls == RB_CLS_EXECUTED)
		mark_host(&ctx->executed, t->host);
}

/* Lock the ring of the target's way, with a free slot. NULL: it is not the way of its host, or its
 * channel has not left the way before. */
static struct rb_tx *
lock_way(unsigned int chan, const struct rb_target *t)
{
	struct rb_tx *tx = &rb.link[t->side].tx[chan];

	if (unlikely(rb_route_moved(t->way, chan)))
		return NULL;
	rb_tx_lock(tx);
	if (likely(is_way(t)) && (likely(rb_tx_free(tx) != 0) || wait_for_slot(tx, t)))
		return tx;
	rb_tx_unlock(tx);
	return NULL;
}

/* NULL: the ring is stopped. */
static struct rb_tx *
lock_new_way(unsigned int chan, struct rb_target *t)
{
	struct rb_tx *tx;

	do {
		rb_send_settle(chan, t->host);
		rb_target_way(t);
		tx = lock_way(chan, t);
	} while (tx == NULL && !rb_gone_stopped());
	return tx;
}

void
rb_send(struct rb_ctx *ctx, const struct rb_target *to, struct rb_desc *d,
	const struct rb_lbuf *src, size_t off)
{
	struct rb_tx *tx = lock_way(ctx->chan, to);
	struct rb_target moved;

	if (unlikely(tx == NULL)) {
		moved = *to;
		tx = lock_new_way(ctx->chan, &moved);
		if (tx == NULL) {
			rb_gone_note(to->pe);
			return;
		}
		to = &moved;
	}
	send_on(ctx, tx, to, d, src, off);
}
