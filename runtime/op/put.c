/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "op/put.h"

#include <errno.h>
#include <stdbool.h>

#include "base/rules.h"
#include "base/state.h"
#include "base/types.h"
#include "base/window.h"
#include "base/wire.h"
#include "link/copy.h"
#include "host/proxy_client.h"
#include "host/wait_choose.h"
#include "link/frame.h"
#include "mem/fastpath.h"
#include "mem/layout.h"
#include "mem/target.h"
#include "observe/span.h"
#include "observe/stats.h"
#include "observe/trace_file.h"
#include "op/order.h"
#include "relay/send.h"
#include "relay/turns.h"

static void
put_frames(struct rb_ctx *ctx, struct rb_target *t, const uint8_t *src, size_t len)
{
	uint32_t piece = rb_rule_piece(len, rb.chunk, !rb_waiting.crowded);
	size_t done = 0;

	while (done < len) {
		uint32_t n = len - done < piece ? (uint32_t)(len - done) : piece;
		struct rb_desc d =
			rb_frame_put(t->loc.off + done, n,
				     RB_DESC_COUNTED | (done + n < len ? RB_DESC_MORE : 0));

		if (n <= RB_INLINE)
			rb_copy(d.data, src + done, n);
		rb_turn_pace(t->port, rb_group_of(ctx->chan), n, false);
		rb_send(ctx, t, &d, n <= RB_INLINE ? NULL : src + done);
		done += n;
	}
}

/* Count bytes that went through the window. Release: pairs with the acquire in flush_direct(). A
 * thread that reads the new count also finds a device's copy counted, and waits for it before the
 * flush. */
static void
count_store(struct rb_ctx *ctx, const struct rb_target *t, size_t len)
{
	rb_stats_store(t->port, len);
	if (rb.link[t->port].memory)
		return;
	/* a flush of another thread drains the buffers of its own CPU, and a program that waits for
	 * an answer makes no later store; messages leave by themselves, and with what follows */
	if (!rb.link[t->port].messages)
		rb_win_wmb(&rb.link[t->port]);
	atomic_fetch_add_explicit(&ctx->direct[t->port], 1, memory_order_release);
}

/* By the CPU in parts, so that relays of this host get their share of the cable. */
static void
put_direct(struct rb_ctx *ctx, const struct rb_target *t, uint8_t *to, const uint8_t *src,
	   size_t len, bool nbi)
{
	enum rb_dist dist = rb_dist_of(&rb.link[t->port]);
	_Atomic uint32_t *pending = nbi ? &ctx->copying : NULL;
	bool parts = !rb_copy_by_dma(dist, len);
	size_t n;

	do {
		n = rb_turn_pace(t->port, rb_group_of(ctx->chan), len, parts);
		rb_copy_put(to, src, n, dist, pending);
		to += n;
		src += n;
		len -= n;
	} while (len > 0);
}

void
rb_put_rings(struct rb_ctx *ctx, struct rb_target *t, const uint8_t *src, size_t len, bool nbi)
{
	uint8_t *to = rb_direct(t);

	if (to == NULL && !rb_relay_stores(t)) {
		put_frames(ctx, t, src, len);
		return;
	}
	if (unlikely(rb_ctx_fenced(ctx, t->host)))
		rb_fence_apply(ctx, t->host);
	if (to == NULL) {
		put_frames(ctx, t, src, len);
		return;
	}
	rb_fast_open(t->host);
	put_direct(ctx, t, to, src, len, nbi);
	count_store(ctx, t, len);
}

static int
put_slow(struct rb_ctx *ctx, int pe, void *dst, const void *src, size_t len, bool nbi)
{
	struct rb_target t;
	void *to;

	if (unlikely(len == 0))
		return 0;
	if (unlikely(rb_target(&t, pe, dst, len) < 0))
		return -EFAULT;
	to = rb_local(&t);
	if (to != NULL) {
		rb_store(to, src, len);
		return 0;
	}
	if (rb.local != 0) {
		rb_fast_open(t.host);
		rb_proxy_put(ctx, &t, src, len, nbi);
		return 0;
	}
	rb_put_rings(ctx, &t, src, len, nbi);
	return 0;
}

/* @return 1: by the fast path; 0: by another one; or -errno */
static inline int
put_by_reach(struct rb_ctx *ctx, int pe, void *dst, const void *src, size_t len, bool nbi)
{
	void *to;

	if (unlikely(!rb_fast_at(pe, dst, len, &to)))
		return put_slow(ctx, pe, dst, src, len, nbi);
	if (len <= RB_FAST_MAX)
		rb_store(to, src, len);
	else
		rb_copy_put(to, src, len, rb_pe_host(pe) == rb.host ? RB_DIST_HOST : RB_DIST_WINDOW,
			    nbi ? &ctx->copying : NULL);
	return 1;
}

static int
put_counted(struct rb_ctx *ctx, int pe, void *dst, const void *src, size_t len, bool nbi)
{
	struct rb_span span = rb_span_begin(RB_TRACE_PUT, pe, len);
	int ret = put_by_reach(ctx, pe, dst, src, len, nbi);

	rb_stats_put(pe, len, ret > 0);
	rb_span_end(&span);
	return RTE_MIN(ret, 0);
}

static inline int
put_any(struct rb_ctx *ctx, int pe, void *dst, const void *src, size_t len, bool nbi)
{
	int ret;

	if (unlikely(rb.instrument != 0))
		return put_counted(ctx, pe, dst, src, len, nbi);
	ret = put_by_reach(ctx, pe, dst, src, len, nbi);
	return RTE_MIN(ret, 0);
}

int
rb_put(struct rb_ctx *ctx, int pe, void *dst, const void *src, size_t len)
{
	return put_any(ctx, pe, dst, src, len, false);
}

int
rb_put_nbi(struct rb_ctx *ctx, int pe, void *dst, const void *src, size_t len)
{
	return put_any(ctx, pe, dst, src, len, true);
}
