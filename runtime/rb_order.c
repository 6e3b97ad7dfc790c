/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "rb_chan.h"
#include "rb_agent.h"
#include "rb_xfer.h"

#include <errno.h>
#include <stdlib.h>

static struct rb_ctx default_ctx;
struct rb_ctx *const rb_ctx_default = &default_ctx;

struct rb_ctx *
rb_ctx_create(bool private)
{
	struct rb_ctx *ctx = aligned_alloc(64, (sizeof(*ctx) + 63) & ~63ul);

	(void)private;
	if (ctx == NULL) {
		errno = ENOMEM;
		return NULL;
	}
	*ctx = (struct rb_ctx){0};
	ctx->chan = atomic_fetch_add(&rb.next_chan, 1) % rb.channels;
	return ctx;
}

void
rb_ctx_destroy(struct rb_ctx *ctx)
{
	rb_quiet(ctx);
	free(ctx);
}

void
rb_flow_wait(int host, unsigned int chan, enum rb_class cls)
{
	const uint64_t *ack = &rb.link[rb.route[host].side].mine->ack[host][chan][cls];
	uint64_t issued =
		atomic_load_explicit(&rb.flow[host][chan].issued[cls], memory_order_relaxed);
	struct rb_wait w = {0};

	/* acquire: pairs with the release of whoever acknowledges (rb_ack.c) */
	while ((int64_t)(__atomic_load_n(ack, __ATOMIC_ACQUIRE) - issued) < 0)
		rb_wait_turn(&w);
}

/*
 * Frames of one channel stay in order, and a store through the window arrives before any frame
 * committed after it. Only the reverse needs care: a store, or a put that the last relay places,
 * would overtake a frame that the target has yet to execute. So a fence only remembers which
 * hosts have such frames, and the first store towards one of them waits.
 */
void
rb_fence(struct rb_ctx *ctx)
{
	uint64_t hosts = atomic_load_explicit(&ctx->executed, memory_order_relaxed);

	if (rb.local != 0 && rb.hosts > 1)
		rb_agent_fence(ctx);
	if (hosts != 0) {
		hosts = atomic_exchange_explicit(&ctx->executed, 0, memory_order_acquire);
		atomic_fetch_or_explicit(&ctx->fenced, hosts, memory_order_relaxed);
	}
	if (rb.link[RB_LEFT].wc || rb.link[RB_RIGHT].wc)
		rte_wmb();
	atomic_thread_fence(memory_order_release);
}

void
rb_fence_apply(struct rb_ctx *ctx, int host)
{
	uint64_t bit = 1ull << host;

	if (likely((atomic_load_explicit(&ctx->fenced, memory_order_relaxed) & bit) == 0))
		return;
	rb_flow_wait(host, ctx->chan, RB_CLS_EXECUTED);
	atomic_fetch_and_explicit(&ctx->fenced, ~bit, memory_order_relaxed);
}

static void
flush_direct(struct rb_ctx *ctx)
{
	uint32_t sides = atomic_load_explicit(&ctx->direct, memory_order_relaxed);
	unsigned int side;

	if (rb.local != 0 && rb.hosts > 1) {
		if (rb.link[RB_LEFT].memory && rb.link[RB_RIGHT].memory)
			rb_agent_drain();
		else
			rb_agent_flush(ctx);
	}
	if (sides == 0)
		return;
	sides = atomic_exchange_explicit(&ctx->direct, 0, memory_order_relaxed);
	for (side = 0; side < RB_SIDES; side++)
		if ((sides & 1u << side) != 0 && !rb.link[side].memory)
			ntb_flush(rb.link[side].port);
}

static void
quiet_hosts(struct rb_ctx *ctx, uint64_t hosts)
{
	/* The bits go before issued is read: a request of another thread that sets its bit later
	 * stays marked, one that set it earlier is waited for. */
	hosts &= atomic_fetch_and_explicit(&ctx->dirty, ~hosts, memory_order_acquire);
	if (hosts == 0)
		return;
	atomic_fetch_and_explicit(&ctx->executed, ~hosts, memory_order_relaxed);
	atomic_fetch_and_explicit(&ctx->fenced, ~hosts, memory_order_relaxed);
	while (hosts != 0) {
		int host = __builtin_ctzll(hosts);

		rb_flow_wait(host, ctx->chan, RB_CLS_PLACED);
		rb_flow_wait(host, ctx->chan, RB_CLS_EXECUTED);
		hosts &= hosts - 1;
	}
}

void
rb_quiet(struct rb_ctx *ctx)
{
	flush_direct(ctx);
	if (atomic_load_explicit(&ctx->dirty, memory_order_relaxed) != 0)
		quiet_hosts(ctx, UINT64_MAX);
	rb_pending_wait(&ctx->pending);
	/* stores to memory that other CPUs of this host, or emulated hosts, look at */
	atomic_thread_fence(memory_order_seq_cst);
}

void
rb_quiet_pe(struct rb_ctx *ctx, int pe)
{
	flush_direct(ctx);
	quiet_hosts(ctx, 1ull << rb_pe_host(pe));
	rb_pending_wait(&ctx->pending);
	atomic_thread_fence(memory_order_seq_cst);
}
