/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "op/atomic.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "base/link.h"
#include "base/state.h"
#include "base/tsan.h"
#include "base/types.h"
#include "base/wire.h"
#include "host/proxy_client.h"
#include "link/frame.h"
#include "mem/fastpath.h"
#include "mem/target.h"
#include "observe/span.h"
#include "observe/stats.h"
#include "observe/trace_file.h"
#include "op/order.h"
#include "op/put.h"
#include "relay/amo.h"
#include "relay/request.h"
#include "relay/send.h"

/* A blocking fetch needs no fence, so it is not counted. */
static void
send_alone(struct rb_ctx *ctx, const struct rb_target *t, const struct rb_amo *op, uint8_t *fetch,
	   _Atomic uint32_t *pending)
{
	uint32_t req = 0, flags = RB_DESC_COUNTED;
	struct rb_desc d;

	if (rb_amo_fetches(op->op)) {
		flags = rb_send_word(ctx, t->host, pending);
		req = rb_req_claim(fetch, op->size, pending)->id;
	}
	d = rb_frame_amo(t->loc.off, op, req, flags);
	rb_send(ctx, t, &d, NULL);
}

/* For one that ctx->pending covers: fetches gather, and others behind one that went alone, without
 * a fence or quiet between. @return false: this one goes alone */
static inline bool
gather_next(struct rb_ctx *ctx, const struct rb_target *t, const struct rb_amo *op, uint8_t *fetch)
{
	bool fetches = rb_amo_fetches(op->op);

	if (!fetches &&
	    (atomic_load_explicit(&ctx->streams, memory_order_relaxed) >> t->host & 1) == 0)
		return false;
	rb_req_gather(ctx, t, op, fetches ? fetch : NULL);
	return true;
}

void
rb_amo_rings(struct rb_ctx *ctx, const struct rb_target *t, const struct rb_amo *op, void *fetch,
	     _Atomic uint32_t *pending)
{
	bool may_gather = pending == &ctx->pending;
	uint64_t streams = atomic_load_explicit(&ctx->streams, memory_order_relaxed);
	uint64_t host = 1ull << t->host;

	if (may_gather && gather_next(ctx, t, op, fetch))
		return;
	/* atomics of a context to a PE are in order (doc/memory-model.md) */
	rb_req_flush(ctx, host);
	send_alone(ctx, t, op, fetch, pending);
	/* of before the flush, which is no fence; lost stores of other threads do no harm */
	if (may_gather)
		atomic_store_explicit(&ctx->streams, streams | host, memory_order_relaxed);
}

static inline void
amo_here(void *word, const struct rb_amo *op, void *fetch)
{
	uint64_t old = rb_amo_apply(word, op);

	if (!rb_amo_fetches(op->op))
		return;
	if (op->size == sizeof(uint32_t)) /* or 8: a copy of either is one store */
		memcpy(fetch, &old, sizeof(uint32_t));
	else
		memcpy(fetch, &old, sizeof(old));
}

/* The fast path to a word of this host, as for puts and gets. That of puts and gets also covers
 * windows. */
static inline bool
word_here(int pe, const void *addr, size_t size, void **word)
{
	return rb_pe_host(pe) == rb.host && rb_fast_word(pe, addr, word) &&
	       ((uintptr_t)*word & (size - 1)) == 0; /* a power of two */
}

/* The word of another host, where the CPU's atomics reach it. They come behind the earlier puts and
 * atomics of @p ctx (doc/memory-model.md): the host has executed all of them. */
static void *
word_near(struct rb_ctx *ctx, const struct rb_target *t)
{
	uint64_t issued;

	if (!rb_fast_atomic(t->host) || !rb_proxy_handed(ctx))
		return NULL;
	rb_req_flush(ctx, 1ull << t->host);
	issued = atomic_load_explicit(&rb_flows[t->host][ctx->chan].issued[RB_CLS_EXECUTED],
				      memory_order_relaxed);
	if (!rb_acked(t->host, ctx->chan, RB_CLS_EXECUTED, issued))
		return NULL;
	rb_fast_open(t->host);
	return rb_direct(t);
}

/* A function of its own, so that the fast path saves no registers for it. */
static __attribute__((noinline)) int
amo_slow(struct rb_ctx *ctx, int pe, void *dst, const struct rb_amo *op, void *fetch, bool nbi)
{
	_Atomic uint32_t pending = 0;
	struct rb_target t;
	void *word;

	if (unlikely(rb_target(&t, pe, dst, op->size) < 0 || (t.loc.off & (op->size - 1)) != 0))
		return -EFAULT;
	word = t.host == rb.host ? rb_local(&t) : word_near(ctx, &t);
	if (word != NULL) {
		amo_here(word, op, fetch);
		return 0;
	}
	if (rb.local != 0) {
		rb_proxy_amo(ctx, &t, op, fetch);
		return 0;
	}
	if (nbi &&
	    gather_next(ctx, &t, op, fetch)) /* of a stream or a batch, by the shortest way */
		return 0;
	rb_amo_rings(ctx, &t, op, fetch, nbi ? &ctx->pending : &pending);
	rb_pending_wait(&pending);
	return 0;
}

/* The next of a batch of fetches goes by a way that calls nothing and keeps its target in
 * registers. */
static __attribute__((noinline)) int
amo_far(struct rb_ctx *ctx, int pe, void *dst, const struct rb_amo *op, void *fetch, bool nbi)
{
	struct rb_target t;

	if (nbi && rb_amo_fetches(op->op) && rb_target(&t, pe, dst, op->size) == 0 &&
	    (t.loc.off & (op->size - 1)) == 0 && rb_req_gather_next(ctx, &t, op, fetch))
		return 0;
	return amo_slow(ctx, pe, dst, op, fetch, nbi);
}

static inline int
amo_any(struct rb_ctx *ctx, int pe, void *dst, const struct rb_amo *op, void *fetch, bool nbi)
{
	void *word;

	if (unlikely(!word_here(pe, dst, op->size, &word)))
		return amo_far(ctx, pe, dst, op, fetch, nbi);
	amo_here(word, op, fetch);
	return 0;
}

static __attribute__((noinline)) int
amo_counted(struct rb_ctx *ctx, int pe, void *dst, const struct rb_amo *op, void *fetch, bool nbi)
{
	bool waits = !nbi && rb_amo_fetches(op->op);
	struct rb_span span = rb_span_begin(waits ? RB_TRACE_AMO : RB_TRACE_AMO_NBI, pe, op->size);
	int ret = amo_any(ctx, pe, dst, op, fetch, nbi);

	rb_count(&rb_stats_mine()->amos, 1);
	rb_span_end(&span);
	return ret;
}

int
rb_amo(struct rb_ctx *ctx, int pe, void *dst, const struct rb_amo *op, void *fetch, bool nbi)
{
	return likely(rb.instrument == 0) ? amo_any(ctx, pe, dst, op, fetch, nbi)
					  : amo_counted(ctx, pe, dst, op, fetch, nbi);
}

int
rb_put_signal(struct rb_ctx *ctx, int pe, void *dst, const void *src, size_t len, uint64_t *sig,
	      uint64_t val, enum rb_amo_op sig_op, bool nbi)
{
	const struct rb_amo op = {.op = sig_op, .size = sizeof(*sig), .operand = val};
	struct rb_target t;
	void *to, *s;
	int ret;

	/* An aligned 8-byte store is one store to every CPU of the target, and does not tear the
	 * atomics of these CPUs. Release: orders the data before it. */
	if (sig_op == RB_AMO_SET && rb_fast_at(pe, dst, len, &to) &&
	    rb_fast_at(pe, sig, sizeof(*sig), &s) && (uintptr_t)s % sizeof(*sig) == 0) {
		if (unlikely(rb.instrument != 0)) {
			rb_put(ctx, pe, dst, src, len);
			atomic_thread_fence(memory_order_release);
			return rb_put(ctx, pe, sig, &val, sizeof(val));
		}
		rb_store(to, src, len);
		rb_tsan_release();
		__atomic_store_n((uint64_t *)s, val, __ATOMIC_RELEASE);
		return 0;
	}
	if (rb_target(&t, pe, sig, sizeof(*sig)) < 0)
		return -EFAULT;
	ret = nbi ? rb_put_nbi(ctx, pe, dst, src, len) : rb_put(ctx, pe, dst, src, len);
	if (ret < 0)
		return ret;
	/* Over a link the signal follows the data on the same channel, in order. On this host the
	 * order of the atomic itself is enough. Copies by a device are not in either order. */
	if (*rb.env.dma != '\0')
		rb_fence(ctx);
	atomic_thread_fence(memory_order_release);
	return rb_amo(ctx, pe, sig, &op, NULL, false);
}
