/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "relay/send.h"

#include <errno.h>

#include "base/context.h"
#include "base/link.h"
#include "base/state.h"
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
		rb_copy_relay(to, src->ptr + off, len, link->memory ? RB_DIST_FAR : RB_DIST_BRIDGE);
	else
		rb_lbuf_pull(to, src, off, len);
}

static void
wait_for_slot(struct rb_tx *tx)
{
	struct rb_wait w = RB_WAIT_INNER;

	do {
		rb_count(&tx->retries, 1);
		rb_wait_once(&w);
	} while (rb_tx_free(tx) == 0);
	rb_wait_end(&w);
}

void
rb_send(struct rb_ctx *ctx, const struct rb_target *t, struct rb_desc *d, const struct rb_lbuf *src,
	size_t off)
{
	struct rb_link *link = &rb.link[t->side];
	struct rb_tx *tx = &link->tx[ctx->chan];
	enum rb_class cls = class_of(t, d);

	d->chan = (uint8_t)ctx->chan;
	rb_frame_address(d, t);
	rb_tx_lock(tx);
	if (unlikely(rb_tx_free(tx) == 0))
		wait_for_slot(tx);
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
