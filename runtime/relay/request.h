/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_RELAY_REQUEST_H
#define RB_RELAY_REQUEST_H

/**
 * @file
 * Requests that wait for a reply, and atomics that share one, nonblocking or without a result:
 * while the answer to earlier ones of a channel and host is under way, later ones gather. They
 * leave when it comes, when they fill a frame, or at a fence or quiet. One with nothing under way
 * leaves at once. One without a result begins that only where another came before it without a
 * fence or quiet between: alone it needs no answer.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <rte_branch_prediction.h>

#include "base/types.h"
#include "base/wire.h"
#include "link/frame.h"
#include "mem/target.h"

/** A get or fetching AMO that waits for its reply. Claimed by app, finished by poll. */
struct rb_req {
	uint8_t *dst;
	uint32_t len;
	uint32_t id;		   /**< generation << 8 | index; what the reply must carry */
	bool remote_store;	   /**< the reply may say RB_DESC_STORED */
	_Atomic uint32_t *pending; /**< decremented (release) when dst is filled */
	/* of atomics that were gathered; where they are several, in place of dst */
	_Atomic uint32_t *under_way; /**< decremented before `pending` is; NULL: this is not one */
	uint32_t parts, wide;	     /**< how many; of which are of 8 bytes, as bits */
	uint8_t *to[RB_GATHER];
	uint64_t nowhere; /**< old values that nobody asked for */
};
_Static_assert(RB_GATHER <= 32, "wide has a bit for each");
enum {
	RB_REQS = 128
};

extern struct rb_requests {
	struct rb_req req[RB_REQS];
	_Atomic uint64_t claimed[RB_REQS / 64]; /**< app, poll: a bit for each */
} rb_requests;

/** Claim a request entry; waits until one is free. */
struct rb_req *rb_req_claim(uint8_t *dst, uint32_t len, _Atomic uint32_t *pending);
/** Wait until @p pending is 0. */
void rb_pending_wait(_Atomic uint32_t *pending);
/** Handle a GET_REPLY or AMO_REPLY frame for this host. */
void rb_req_finish(const struct rb_desc *d, const uint8_t *payload);

/**
 * Atomics of one context for one host that have not left. The lock guards all but the atomics:
 *
 * count: how many they are. Written with the lock.
 *
 * under_way: their frames that were not answered. Poll decrements it and then looks at
 * `rb_req_held`; who gathers increments `rb_req_held` and then looks at under_way. All four are
 * sequentially consistent, so one of the two sees the other's, and sends. So what has not left is
 * in `rb_req_held`, which is decremented behind the frame: rb_req_flush() finds nothing only where
 * all of it was sent.
 */
struct rb_gather {
	atomic_flag lock;
	_Atomic uint32_t count, under_way;
	bool counted; /**< in `rb_req_held` */
	struct rb_ctx *ctx;
	struct rb_req *req;
	struct rb_target first; /**< where the first one goes */
	uint64_t part[RB_GATHER][RB_PART / sizeof(uint64_t)];
} __attribute__((aligned(64)));

extern struct rb_gather rb_gathers[RB_MAX_HOSTS][RB_MAX_CHANNELS]
	__attribute__((visibility("hidden")));

static inline bool
rb_gather_lock(struct rb_gather *g)
{
	return !atomic_flag_test_and_set_explicit(&g->lock, memory_order_acquire);
}

/** With the lock: one more, behind @p i others. */
static inline void
rb_gather_add(struct rb_gather *g, uint32_t i, const struct rb_target *t, const struct rb_amo *op,
	      uint8_t *fetch)
{
	rb_frame_part(g->part[i], t, op);
	g->req->to[i] = fetch;
	g->req->wide |= (op->size >> 3) << i; /* 4 or 8 */
	atomic_store_explicit(&g->count, i + 1, memory_order_relaxed);
}

/** rb_req_gather() of one that is neither the first nor the last of a frame, which poll looks for
 *  already. Inline: before a locked instruction all earlier stores have to be done, so the short
 * way is the one that stores little. @return false: nothing was done */
static inline bool
rb_req_gather_next(struct rb_ctx *ctx, const struct rb_target *t, const struct rb_amo *op,
		   uint8_t *fetch)
{
	struct rb_gather *g = &rb_gathers[t->host][ctx->chan];
	bool between;
	uint32_t n;

	if (atomic_load_explicit(&g->count, memory_order_relaxed) == 0 || !rb_gather_lock(g))
		return false;
	n = atomic_load_explicit(&g->count, memory_order_relaxed);
	between = n < RB_GATHER - 1 && g->ctx == ctx && g->counted && g->under_way != 0;
	if (likely(between))
		rb_gather_add(g, n, t, op, fetch);
	atomic_flag_clear_explicit(&g->lock, memory_order_release);
	return between;
}

/** Send the atomic @p op to @p t, alone or with others. The old value comes to @p fetch, memory of
 *  this process or NULL, and counts in ctx->pending until then. */
void rb_req_gather(struct rb_ctx *ctx, const struct rb_target *t, const struct rb_amo *op,
		   uint8_t *fetch);
void rb_req_flush_held(struct rb_ctx *ctx, uint64_t hosts);
/** How many hosts and channels have atomics that wait for an answer to others. */
extern _Atomic uint32_t rb_req_held __attribute__((visibility("hidden")));

/** Send what was gathered of @p ctx for @p hosts, as bits. Inline for quiet. */
static inline void
rb_req_flush(struct rb_ctx *ctx, uint64_t hosts)
{
	if (atomic_load_explicit(&ctx->streams, memory_order_relaxed) != 0)
		atomic_store_explicit(&ctx->streams, 0, memory_order_relaxed);
	if (unlikely(rb_req_held != 0))
		rb_req_flush_held(ctx, hosts);
}
/** Send what was gathered and has nothing under way any more. Poll, of the group. */
enum rb_progress_left rb_req_turn(unsigned int group);

#endif /* RB_RELAY_REQUEST_H */
