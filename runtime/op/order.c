/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "op/order.h"

#include <errno.h>
#include <stdlib.h>

#include "base/rules.h"
#include "base/state.h"
#include "base/tsan.h"
#include "base/types.h"
#include "base/wire.h"
#include "link/dma_dev.h"
#include "link/dma_queue.h"
#include "host/proxy_client.h"
#include "host/wait.h"
#include "link/cable.h"
#include "mem/fastpath.h"
#include "mem/target.h"
#include "relay/request.h"
#include "relay/send.h"

static _Atomic uint32_t next_chan;

static struct rb_ctx default_ctx;
struct rb_ctx *const rb_ctx_default = &default_ctx;

struct rb_ctx *
rb_ctx_create(void)
{
	struct rb_ctx *ctx = aligned_alloc(64, (sizeof(*ctx) + 63) & ~63ul);

	if (ctx == NULL) {
		errno = ENOMEM;
		return NULL;
	}
	*ctx = (struct rb_ctx){0};
	ctx->chan = atomic_fetch_add(&next_chan, 1) % rb.channels;
	return ctx;
}

void
rb_ctx_destroy(struct rb_ctx *ctx)
{
	rb_quiet(ctx);
	free(ctx);
}

/* Raise @p word to at least @p v. */
static void
raise_to(_Atomic uint64_t *word, uint64_t v)
{
	uint64_t old = atomic_load_explicit(word, memory_order_relaxed);

	while (old < v && !atomic_compare_exchange_weak_explicit(
				  word, &old, v, memory_order_relaxed, memory_order_relaxed))
		;
}

/* A flush covers all stores before it, so read the count first; acquire: pairs with the release in
 * count_store(). Copies that a device has not finished are not covered. */
static void
flush_direct(struct rb_ctx *ctx)
{
	unsigned int port;

	for (port = 0; port < rb.ports; port++) {
		uint64_t n = atomic_load_explicit(&ctx->direct[port], memory_order_acquire);

		if (n == atomic_load_explicit(&ctx->flushed[port], memory_order_relaxed))
			continue;
		rb_dma_wait(&ctx->copying);
		rb_cable_flush(port);
		raise_to(&ctx->flushed[port], n);
	}
}

#ifdef RB_WEAK_WINDOW
#define flush_direct(ctx) (rb_weak_skips("flush", __func__) ? (void)0 : flush_direct(ctx))
#endif

/* A copy by a device is not ordered with anything until it is complete. Over a bridge its stores
 * come from another requester, and the CPU's stores may overtake them; the flush prevents that. */
static void
fence_dma(struct rb_ctx *ctx)
{
	if (likely(!rb_dma_ready()))
		return;
	rb_dma_wait(&ctx->copying);
	flush_direct(ctx);
}

/*
 * Frames of one channel stay in order, and a store through the window arrives before any frame that
 * is committed after it. Only the reverse needs care: a store, or a put that the last relay stores,
 * would overtake a frame that the target has not executed yet. So a fence only records how many
 * such frames are under way to each host, and the next store to that host waits until they are
 * done.
 */
void
rb_fence(struct rb_ctx *ctx)
{
	uint64_t hosts;

	rb_req_flush(ctx, UINT64_MAX);
	hosts = atomic_load_explicit(&ctx->executed, memory_order_relaxed);
	if (rb.local != 0 && rb.hosts > 1)
		hosts = rb_proxy_fence(ctx);
	fence_dma(ctx);
	for (; hosts != 0; hosts &= hosts - 1) {
		int h = __builtin_ctzll(hosts);
		uint64_t issued = atomic_load_explicit(
			&rb_flows[h][ctx->chan].issued[RB_CLS_EXECUTED], memory_order_relaxed);

		if (rb_acked(h, ctx->chan, RB_CLS_EXECUTED, issued))
			continue;
		raise_to(&ctx->fenced[h], issued);
		rb_fast_close(h, ctx->chan, issued);
	}
	atomic_thread_fence(memory_order_release);
	rb_tsan_release();
}

static void
acked_wait(int host, unsigned int chan, enum rb_class cls, uint64_t issued)
{
	RB_WAIT_FOR(rb_acked(host, chan, cls, issued), .what = RB_FOR_HOST, .whom = (uint64_t)host);
}

void
rb_fence_apply(struct rb_ctx *ctx, int host)
{
	acked_wait(host, ctx->chan, RB_CLS_EXECUTED,
		   atomic_load_explicit(&ctx->fenced[host], memory_order_relaxed));
}

static void
quiet_hosts(struct rb_ctx *ctx, uint64_t hosts)
{
	hosts &= atomic_load_explicit(&ctx->dirty, memory_order_relaxed);
	for (; hosts != 0; hosts &= hosts - 1) {
		int h = __builtin_ctzll(hosts);
		unsigned int cls;

		for (cls = 0; cls < RB_CLS_MAX; cls++)
			acked_wait(h, ctx->chan, cls,
				   atomic_load_explicit(&rb_flows[h][ctx->chan].issued[cls],
							memory_order_relaxed));
	}
}

static void
complete_hosts(struct rb_ctx *ctx, uint64_t hosts)
{
	if (rb.local != 0 && rb.hosts > 1) {
		/* handing an operation over does not complete the copies of the lead's devices */
		if (!rb.flushes && *rb.env.dma == '\0')
			rb_proxy_drain();
		else
			rb_proxy_flush(ctx);
	}
	rb_req_flush(ctx, hosts);
	rb_dma_wait(&ctx->copying);
	flush_direct(ctx);
	/* the replies, which have to be polled for, before the words that only arrive */
	rb_pending_wait(&ctx->pending);
	quiet_hosts(ctx, hosts);
	/* order stores to memory that other CPUs of this host, or emulated hosts, read */
	atomic_thread_fence(memory_order_seq_cst);
	rb_tsan_release();
}

void
rb_quiet(struct rb_ctx *ctx)
{
	complete_hosts(ctx, UINT64_MAX);
}

void
rb_quiet_pe(struct rb_ctx *ctx, int pe)
{
	complete_hosts(ctx, 1ull << rb_pe_host(pe));
}
