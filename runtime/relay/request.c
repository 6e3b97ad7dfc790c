/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "relay/request.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include <rte_branch_prediction.h>
#include <rte_common.h>

#include "base/state.h"
#include "base/types.h"
#include "base/wire.h"
#include "host/proxy_queue.h"
#include "host/wait.h"
#include "link/frame.h"
#include "mem/fastpath.h"
#include "mem/target.h"
#include "relay/amo.h"
#include "relay/send.h"

struct rb_requests rb_requests;

/* Lock-free: a thread that loses its CPU between its load and its exchange holds up no other. */
static struct rb_req *
take_entry(void)
{
	unsigned int w;

	for (w = 0; w < RTE_DIM(rb_requests.claimed); w++) {
		uint64_t seen = atomic_load_explicit(&rb_requests.claimed[w], memory_order_relaxed);

		while (~seen != 0) {
			uint64_t bit = ~seen & (seen + 1);

			/* acquire: pairs with the release in give_entry() */
			if (atomic_compare_exchange_weak_explicit(&rb_requests.claimed[w], &seen,
								  seen | bit, memory_order_acquire,
								  memory_order_relaxed))
				return &rb_requests
						.req[64 * w + (unsigned int)__builtin_ctzll(bit)];
		}
	}
	return NULL;
}

static void
give_entry(const struct rb_req *req)
{
	unsigned int i = (unsigned int)(req - rb_requests.req);

	atomic_fetch_and_explicit(&rb_requests.claimed[i / 64], ~(1ull << i % 64),
				  memory_order_release);
}

struct rb_req *
rb_req_claim(uint8_t *dst, uint32_t len, _Atomic uint32_t *pending)
{
	struct rb_req *req;

	RB_WAIT_FOR((req = take_entry()) != NULL, RB_WAIT_INNER);
	req->dst = dst;
	req->len = len;
	req->remote_store = false;
	req->under_way = NULL;
	req->parts = 0;
	/* a late or forged reply to the last use of the entry does not match */
	req->id = ((req->id >> 8) + 1) << 8 | (uint32_t)(req - rb_requests.req + 1);
	atomic_fetch_add_explicit(pending, 1, memory_order_relaxed);
	__atomic_store_n(&req->pending, pending, __ATOMIC_RELAXED);
	return req;
}

/* Nothing of the reply is outstanding any more. */
static void
finish_entry(struct rb_req *req)
{
	_Atomic uint32_t *pending = req->pending, *under_way = req->under_way;
	uint32_t left;

	__atomic_store_n(&req->pending, NULL, __ATOMIC_RELAXED);
	give_entry(req);
	/* pairs with rb_req_gather(): it sees this, or this turn of poll sees what it holds */
	if (under_way != NULL)
		atomic_fetch_sub_explicit(under_way, 1, memory_order_seq_cst);
	/* last access: the counter of a blocking caller is on its stack. Release: pairs with
	 * rb_pending_wait(); acquire: host/proxy_queue.c */
	left = atomic_fetch_sub_explicit(pending, 1, memory_order_acq_rel) - 1;
	rb_proxy_replied(pending, left);
}

static void
fill_parts(const struct rb_req *req, const uint8_t *old)
{
	unsigned int i;

	for (i = 0; i < req->parts; i++)
		memcpy(req->to[i], old + i * sizeof(uint64_t),
		       (req->wide >> i & 1) != 0 ? sizeof(uint64_t) : sizeof(uint32_t));
}

/* Does the reply have what was asked for? */
static bool
reply_suits(const struct rb_req *req, const struct rb_desc *d)
{
	if ((d->flags & RB_DESC_STORED) != 0)
		return req->remote_store;
	if (req->parts > 1)
		return d->op == RB_OP_AMO_REPLY;
	return d->op == RB_OP_GET_REPLY || !rb_frame_slot(d);
}

void
rb_req_finish(const struct rb_desc *d, const uint8_t *payload)
{
	unsigned int i = d->req & 0xff;
	struct rb_req *req;

	if (i == 0 || i > RB_REQS)
		return;
	req = &rb_requests.req[i - 1];
	if (req->id != d->req || req->len != d->len ||
	    __atomic_load_n(&req->pending, __ATOMIC_ACQUIRE) == NULL)
		return;
	if (!reply_suits(req, d))
		return;
	if (req->parts > 1)
		fill_parts(req, payload);
	else if ((d->flags & RB_DESC_STORED) == 0)
		rb_copy(req->dst, d->op == RB_OP_AMO_REPLY ? (const uint8_t *)&d->value : payload,
			d->len);
	finish_entry(req);
}

void
rb_pending_wait(_Atomic uint32_t *pending)
{
	RB_WAIT_FOR(atomic_load_explicit(pending, memory_order_acquire) == 0, RB_WAIT_POLL);
}

/* ---- atomics that wait to become one ---- */

struct rb_gather rb_gathers[RB_MAX_HOSTS][RB_MAX_CHANNELS];
_Atomic uint32_t rb_req_held;

/* One alone has no payload, nor has its answer. Counted, as rb_fence() looks at no replies. */
static struct rb_desc
gathered_frame(const struct rb_gather *g, uint32_t n)
{
	struct rb_desc d = rb_frame_of_part(g->part[0]);
	struct rb_req *req = g->req;

	d.flags = RB_DESC_COUNTED;
	d.req = req->id;
	d.len = n > 1 ? n * RB_PART : 0;
	req->parts = n;
	req->dst = req->to[0];
	req->len = n > 1 ? n * (uint32_t)sizeof(uint64_t) : d.amo >> 4;
	return d;
}

/* With the lock. @return false: it would have to wait, and must not */
static bool
send_gathered(struct rb_gather *g, bool waits)
{
	uint32_t n = atomic_load_explicit(&g->count, memory_order_relaxed);
	struct rb_desc d = gathered_frame(g, n);
	const uint8_t *from = n > 1 ? (const uint8_t *)g->part : NULL;

	atomic_fetch_add_explicit(&g->under_way, 1, memory_order_relaxed);
	if (waits) {
		rb_send(g->ctx, &g->first, &d, from);
	} else if (!rb_send_try(g->ctx, &g->first, &d, from)) {
		atomic_fetch_sub_explicit(&g->under_way, 1, memory_order_relaxed);
		g->req->len = UINT32_MAX;
		return false;
	}
	if (g->counted)
		rb_req_held--;
	g->counted = false;
	atomic_store_explicit(&g->count, 0, memory_order_relaxed);
	return true;
}

static void
begin_gather(struct rb_gather *g, struct rb_ctx *ctx, const struct rb_target *t)
{
	/* no reply has that length */
	g->req = rb_req_claim(NULL, UINT32_MAX, &ctx->pending);
	g->req->under_way = &g->under_way;
	g->req->wide = 0;
	g->ctx = ctx;
	g->first = *t;
	/* for rb_req_flush(), before any is sent */
	atomic_fetch_or_explicit(&ctx->dirty, 1ull << t->host, memory_order_relaxed);
}

/* Two in turn without a result, of one kind and word, are one: what the second would do to the word
 * is done to the operand of the first. */
static bool
combine_last(struct rb_gather *g, uint32_t n, const uint64_t *part, const struct rb_amo *op)
{
	uint64_t *last = n > 0 ? g->part[n - 1] : NULL;

	if (last == NULL || last[0] != part[0] || last[1] != part[1])
		return false;
	rb_amo_apply(&last[2], op);
	return true;
}

/* @return how many there are now */
static uint32_t
add_part(struct rb_gather *g, const struct rb_target *t, const struct rb_amo *op, uint8_t *fetch)
{
	uint32_t i = atomic_load_explicit(&g->count, memory_order_relaxed);

	if (fetch == NULL) {
		rb_frame_part(g->part[i], t, op);
		if (combine_last(g, i, g->part[i], op))
			return i;
		fetch = (uint8_t *)&g->req->nowhere;
	}
	rb_gather_add(g, i, t, op, fetch);
	return i + 1;
}

void
rb_req_gather(struct rb_ctx *ctx, const struct rb_target *t, const struct rb_amo *op,
	      uint8_t *fetch)
{
	struct rb_gather *g = &rb_gathers[t->host][ctx->chan];
	uint32_t n;

	RB_WAIT_FOR(rb_gather_lock(g), RB_WAIT_INNER);
	if (unlikely(g->count != 0 && g->ctx != ctx))
		send_gathered(g, true);
	if (g->count == 0)
		begin_gather(g, ctx, t);
	n = add_part(g, t, op, fetch);
	if (!g->counted && g->under_way != 0) {
		g->counted = true;
		rb_req_held++;
	}
	if (n == RB_GATHER || g->under_way == 0)
		send_gathered(g, true);
	atomic_flag_clear_explicit(&g->lock, memory_order_release);
}

void
rb_req_flush_held(struct rb_ctx *ctx, uint64_t hosts)
{
	hosts &= atomic_load_explicit(&ctx->dirty, memory_order_relaxed);
	for (; hosts != 0; hosts &= hosts - 1) {
		struct rb_gather *g = &rb_gathers[__builtin_ctzll(hosts)][ctx->chan];

		RB_WAIT_FOR(rb_gather_lock(g), RB_WAIT_INNER);
		if (g->count != 0 && g->ctx == ctx)
			send_gathered(g, true);
		atomic_flag_clear_explicit(&g->lock, memory_order_release);
	}
}

/* Where somebody else has the lock, the next turn looks again. */
static enum rb_progress_left
turn_of(struct rb_gather *g)
{
	enum rb_progress_left left = RB_PROGRESS_IDLE;

	if (g->count == 0 || g->under_way != 0)
		return RB_PROGRESS_IDLE;
	if (!rb_gather_lock(g))
		return RB_PROGRESS_STALL;
	if (g->count != 0 && g->under_way == 0)
		left = send_gathered(g, false) ? RB_PROGRESS_WORK : RB_PROGRESS_STALL;
	atomic_flag_clear_explicit(&g->lock, memory_order_release);
	return left;
}

static enum rb_progress_left
turn_of_all(unsigned int group)
{
	enum rb_progress_left most = RB_PROGRESS_IDLE, one;
	unsigned int host, chan;

	for (host = 0; host < (unsigned int)rb.hosts; host++) {
		for (chan = group; chan < rb.channels; chan += rb.lcores) {
			one = turn_of(&rb_gathers[host][chan]);
			most = RTE_MAX(one, most);
		}
	}
	return most;
}

enum rb_progress_left
rb_req_turn(unsigned int group)
{
	return likely(rb_req_held == 0) ? RB_PROGRESS_IDLE : turn_of_all(group);
}
