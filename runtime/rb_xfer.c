/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>

#include "rb_amo.h"
#include "rb_chan.h"
#include "rb_serve.h"
#include "rb_xfer.h"

int
rb_target(struct rb_target *t, int pe, const void *addr, size_t len)
{
	t->pe = pe;
	t->host = rb_pe_host(pe);
	t->side = rb.route[t->host].side;
	t->hops = rb.route[t->host].hops;
	return rb_locate(addr, len, &t->loc);
}

uint8_t *
rb_local(const struct rb_target *t)
{
	if (t->host != rb.host)
		return NULL;
	return rb_seg_at(rb.place[t->pe].local, t->loc.seg, t->loc.off);
}

uint8_t *
rb_direct(const struct rb_target *t)
{
	uint64_t base = rb_seg_base(t->loc.seg, rb.place[t->pe].local);

	if (t->hops != 1 || base == 0)
		return NULL;
	return rb.link[t->side].peer + base + t->loc.off;
}

/* Will the last relay store a put in its final place? */
static bool
placed(const struct rb_target *t)
{
	return t->hops > 1 && rb_seg_base(t->loc.seg, rb.place[t->pe].local) != 0;
}

/* Requests that a reply completes are not counted: their answer is their acknowledgement. */
static enum rb_class
class_of(const struct rb_target *t, const struct rb_desc *d)
{
	return d->op == RB_OP_PUT && placed(t) ? RB_CLS_PLACED : RB_CLS_EXECUTED;
}

void
rb_send(struct rb_ctx *ctx, const struct rb_target *t, struct rb_desc *d, const void *payload)
{
	struct rb_link *link = &rb.link[t->side];
	struct rb_tx *tx = &link->tx[ctx->chan];
	enum rb_class cls = class_of(t, d);
	struct rb_wait w = {0};

	d->chan = (uint8_t)ctx->chan;
	d->src_pe = (uint16_t)rb.pe;
	d->dst_pe = (uint16_t)t->pe;
	d->seg = (uint8_t)t->loc.seg;
	rb_tx_lock(tx);
	while (rb_tx_free(tx) == 0)
		rb_wait_turn(&w);
	if (payload != NULL)
		rb_copy(rb_tx_payload(tx), payload, d->len);
	if (d->req == 0)
		atomic_fetch_add_explicit(&rb.flow[t->host][ctx->chan].issued[cls], 1,
					  memory_order_relaxed);
	rb_tx_commit(link, tx, d);
	rb_tx_unlock(tx);
	if (d->req != 0)
		return;
	/* after issued: whoever takes the bits counts this request */
	atomic_fetch_or_explicit(&ctx->dirty, 1ull << t->host, memory_order_release);
	if (cls == RB_CLS_EXECUTED)
		atomic_fetch_or_explicit(&ctx->executed, 1ull << t->host, memory_order_release);
}

static void
put_frames(struct rb_ctx *ctx, struct rb_target *t, const uint8_t *src, size_t len)
{
	while (len > 0) {
		uint32_t n = len < rb.chunk ? (uint32_t)len : rb.chunk;
		struct rb_desc d = {.op = RB_OP_PUT, .len = n, .off = t->loc.off};

		if (n <= RB_INLINE)
			memcpy(d.arg, src, n);
		rb_send(ctx, t, &d, n <= RB_INLINE ? NULL : src);
		src += n;
		t->loc.off += n;
		len -= n;
	}
}

static void
put_direct(struct rb_ctx *ctx, const struct rb_target *t, uint8_t *to, const void *src, size_t len)
{
	rb_fence_apply(ctx, t->host);
	rb_copy(to, src, len);
	if ((atomic_load_explicit(&ctx->direct, memory_order_relaxed) & 1u << t->side) == 0)
		atomic_fetch_or_explicit(&ctx->direct, 1u << t->side, memory_order_relaxed);
}

int
rb_put(struct rb_ctx *ctx, int pe, void *dst, const void *src, size_t len)
{
	struct rb_target t;
	uint8_t *to;

	if (unlikely(len == 0))
		return 0;
	if (unlikely(rb_target(&t, pe, dst, len) < 0))
		return -EFAULT;
	to = rb_local(&t);
	if (to != NULL) {
		rb_copy(to, src, len);
		return 0;
	}
	if (rb_pe_shares(pe))
		return rb_cma_put(&t, src, len);
	to = rb_direct(&t);
	if (to != NULL) {
		put_direct(ctx, &t, to, src, len);
		return 0;
	}
	if (placed(&t))
		rb_fence_apply(ctx, t.host);
	put_frames(ctx, &t, src, len);
	return 0;
}

int
rb_put_nbi(struct rb_ctx *ctx, int pe, void *dst, const void *src, size_t len)
{
	return rb_put(ctx, pe, dst, src, len);
}

struct rb_req *
rb_req_claim(void *dst, uint32_t len, _Atomic uint32_t *pending)
{
	struct rb_wait w = {0};
	struct rb_req *req;
	void *slot;

	while (rte_ring_dequeue(rb.req_free, &slot) != 0)
		rb_wait_turn(&w);
	req = slot;
	req->dst = dst;
	req->len = len;
	req->id += 1u << 8; /* a late or forged reply to the entry's last use does not fit */
	req->pending = pending;
	atomic_fetch_add_explicit(pending, 1, memory_order_relaxed);
	return req;
}

void
rb_req_finish(const struct rb_desc *d, const uint8_t *payload)
{
	unsigned int i = d->req & 0xff;
	_Atomic uint32_t *pending;
	struct rb_req *req;

	if (i == 0 || i > RB_REQS)
		return;
	req = &rb.req[i - 1];
	if (req->id != d->req || req->len != d->len || req->pending == NULL)
		return;
	if (d->op == RB_OP_VALUE && d->len > sizeof(d->arg[0]))
		return;
	rb_copy(req->dst, d->op == RB_OP_VALUE ? (const uint8_t *)d->arg : payload, d->len);
	pending = req->pending;
	req->pending = NULL;
	rte_ring_enqueue(rb.req_free, req);
	/* last touch: a blocking caller's counter is on its stack. Pairs with rb_pending_wait() */
	atomic_fetch_sub_explicit(pending, 1, memory_order_release);
}

void
rb_pending_wait(_Atomic uint32_t *pending)
{
	struct rb_wait w = {0};

	while (atomic_load_explicit(pending, memory_order_acquire) != 0)
		rb_wait_turn(&w);
}

static void
get_frames(struct rb_ctx *ctx, struct rb_target *t, uint8_t *dst, size_t len,
	   _Atomic uint32_t *pending)
{
	while (len > 0) {
		uint32_t n = len < rb.chunk ? (uint32_t)len : rb.chunk;
		struct rb_req *req = rb_req_claim(dst, n, pending);
		struct rb_desc d = {
			.op = RB_OP_GET,
			.len = n,
			.off = t->loc.off,
			.req = req->id,
		};

		rb_send(ctx, t, &d, NULL);
		dst += n;
		t->loc.off += n;
		len -= n;
	}
}

/* Where a window load is a memory load there is nothing faster; elsewhere a load is a round trip
 * of a microsecond for each cache line, and only the shortest gets pay it. */
enum {
	GET_THROUGH_WINDOW = 64
};

static int
get(struct rb_ctx *ctx, int pe, void *dst, const void *src, size_t len, _Atomic uint32_t *pending)
{
	struct rb_target t;
	const uint8_t *from;

	if (unlikely(len == 0))
		return 0;
	if (unlikely(rb_target(&t, pe, src, len) < 0))
		return -EFAULT;
	from = rb_local(&t);
	if (from != NULL) {
		rb_copy(dst, from, len);
		return 0;
	}
	if (rb_pe_shares(pe))
		return rb_cma_get(&t, dst, len);
	from = rb_direct(&t);
	if (from != NULL && (rb.link[t.side].memory || len <= GET_THROUGH_WINDOW)) {
		rb_copy(dst, from, len);
		return 0;
	}
	get_frames(ctx, &t, dst, len, pending);
	return 0;
}

int
rb_get(struct rb_ctx *ctx, int pe, void *dst, const void *src, size_t len)
{
	_Atomic uint32_t pending = 0;
	int ret = get(ctx, pe, dst, src, len, &pending);

	rb_pending_wait(&pending);
	return ret;
}

int
rb_get_nbi(struct rb_ctx *ctx, int pe, void *dst, const void *src, size_t len)
{
	return get(ctx, pe, dst, src, len, &ctx->pending);
}

static void
amo_frame(struct rb_ctx *ctx, const struct rb_target *t, const struct rb_amo *op, uint32_t req)
{
	struct rb_desc d = {
		.op = RB_OP_AMO,
		.amo = (uint8_t)(op->op | op->size << 4),
		.off = t->loc.off,
		.req = req,
		.arg = {op->operand, op->cond},
	};

	rb_send(ctx, t, &d, NULL);
}

int
rb_amo(struct rb_ctx *ctx, int pe, void *dst, const struct rb_amo *op, void *fetch, bool nbi)
{
	_Atomic uint32_t pending = 0;
	struct rb_target t;
	uint64_t old;
	uint8_t *word;

	if (unlikely(rb_target(&t, pe, dst, op->size) < 0 || t.loc.off % op->size != 0))
		return -EFAULT;
	word = rb_local(&t);
	if (word != NULL) {
		old = rb_amo_apply(word, op);
		if (rb_amo_fetches(op->op))
			memcpy(fetch, &old, op->size);
	} else if (rb_pe_shares(pe)) {
		return -EOPNOTSUPP;
	} else if (rb_amo_fetches(op->op)) {
		_Atomic uint32_t *count = nbi ? &ctx->pending : &pending;

		amo_frame(ctx, &t, op, rb_req_claim(fetch, op->size, count)->id);
		if (!nbi)
			rb_pending_wait(&pending);
	} else {
		amo_frame(ctx, &t, op, 0);
	}
	return 0;
}

int
rb_put_signal(struct rb_ctx *ctx, int pe, void *dst, const void *src, size_t len, uint64_t *sig,
	      uint64_t val, enum rb_amo_op sig_op, bool nbi)
{
	const struct rb_amo op = {.op = sig_op, .size = sizeof(*sig), .operand = val};
	struct rb_target t;
	int ret;

	(void)nbi;
	if (rb_target(&t, pe, sig, sizeof(*sig)) < 0)
		return -EFAULT;
	ret = rb_put(ctx, pe, dst, src, len);
	if (ret < 0)
		return ret;
	/* Over a link the signal travels behind the data on the same channel, in order. On this
	 * host the atomic's own order suffices. */
	atomic_thread_fence(memory_order_release);
	return rb_amo(ctx, pe, sig, &op, NULL, false);
}
