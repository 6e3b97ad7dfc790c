/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "relay/send.h"

#include <stdbool.h>

#include "base/link.h"
#include "base/state.h"
#include "base/types.h"
#include "base/wire.h"
#include "link/copy.h"
#include "host/hostseg.h"
#include "host/wait.h"
#include "link/cable.h"
#include "link/chan.h"
#include "link/frame.h"
#include "mem/target.h"

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

void
rb_send_fill(const struct rb_tx *tx, const struct rb_desc *d, const uint8_t *payload,
	     enum rb_dist dist)
{
	if (payload != NULL)
		rb_copy_relay(rb_tx_payload(tx), payload, d->len, dist);
}

uint64_t
rb_send_note(struct rb_ctx *ctx, const struct rb_target *t, struct rb_desc *d)
{
	enum rb_class cls = class_of(t, d);
	_Atomic uint64_t *issued = &rb_flows[t->host][ctx->chan].issued[cls];
	uint64_t before;

	d->chan = (uint8_t)ctx->chan;
	rb_frame_address(d, t);
	if ((d->flags & RB_DESC_COUNTED) == 0)
		return atomic_load_explicit(issued, memory_order_relaxed);
	before = atomic_fetch_add_explicit(issued, 1, memory_order_relaxed);
	mark_host(&ctx->dirty, t->host);
	if (cls == RB_CLS_EXECUTED)
		mark_host(&ctx->executed, t->host);
	return before + 1;
}

uint32_t
rb_send_word(struct rb_ctx *ctx, int host, const _Atomic uint32_t *pending)
{
	struct rb_flow *f = &rb_flows[host][ctx->chan];
	unsigned int cls;

	if (rb_survive != NULL || pending == &ctx->pending || ctx->pending != 0)
		return 0;
	for (cls = 0; cls < RB_CLS_MAX; cls++)
		if (!rb_acked(host, ctx->chan, cls,
			      atomic_load_explicit(&f->issued[cls], memory_order_relaxed)))
			return 0;
	return RB_DESC_WORD;
}

static void
wait_for_slot(struct rb_link *link, struct rb_tx *tx)
{
	struct rb_wait w = {RB_WAIT_INNER};

	while (!rb_tx_has_room(link, tx, 1))
		rb_wait_turn(&w);
	rb_wait_end(&w);
}

/* The ring is locked and has room. Unlocks it. */
static inline void
send_locked(struct rb_ctx *ctx, const struct rb_target *to, struct rb_desc *d,
	    const uint8_t *payload)
{
	struct rb_link *link = &rb.link[to->port];
	struct rb_tx *tx = &link->tx[ctx->chan];

	rb_send_note(ctx, to, d);
	rb_send_fill(tx, d, payload, rb_dist_of(link));
	rb_tx_commit(link, tx, d);
	rb_tx_announce(link, tx);
	rb_tx_unlock(tx);
}

void
rb_send(struct rb_ctx *ctx, const struct rb_target *to, struct rb_desc *d, const uint8_t *payload)
{
	struct rb_link *link = &rb.link[to->port];
	struct rb_tx *tx = &link->tx[ctx->chan];

	if (unlikely(rb_survive != NULL)) {
		rb_survive->send(ctx, to, d, payload);
		return;
	}
	rb_tx_lock(tx);
	if (unlikely(rb_tx_free(tx, 1) == 0))
		wait_for_slot(link, tx);
	send_locked(ctx, to, d, payload);
}

bool
rb_send_try(struct rb_ctx *ctx, const struct rb_target *to, struct rb_desc *d,
	    const uint8_t *payload)
{
	struct rb_link *link = &rb.link[to->port];
	struct rb_tx *tx = &link->tx[ctx->chan];

	if (unlikely(rb_survive != NULL))
		return rb_survive->try(ctx, to, d, payload);
	/* whoever has it may be this very thread, and wait for room */
	if (atomic_flag_test_and_set_explicit(&tx->lock, memory_order_acquire))
		return false;
	if (!rb_tx_has_room(link, tx, 1)) {
		rb_tx_unlock(tx);
		return false;
	}
	send_locked(ctx, to, d, payload);
	return true;
}
