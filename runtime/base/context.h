/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_BASE_CONTEXT_H
#define RB_BASE_CONTEXT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/deal.h"
#include "base/rules.h"

struct rb_ctx {
	unsigned int chan;
	/* Nothing here is ever taken back, so that threads which complete or order operations of
	 * one context at the same time cannot hide them from each other. Relaxed: calls of
	 * different threads are ordered by the program, if at all. */
	_Atomic uint64_t dirty;		       /**< hosts that counted requests went to */
	_Atomic uint64_t executed;	       /**< of which the target executes some */
	_Atomic uint64_t fenced[RB_MAX_HOSTS]; /**< executed requests before the last fence */
	_Atomic uint64_t direct[RB_SIDES];     /**< stores through windows that need a flush */
	_Atomic uint64_t flushed[RB_SIDES];    /**< of which are flushed */
	_Atomic uint32_t copying; /**< operations of dmadevs; acquire pairs with copy/dma_queue.c */
	_Atomic uint32_t pending; /**< non-blocking gets and fetches; acquire pairs with poll's */
	/* of a PE without ports: tickets of host/proxy_client.c */
	_Atomic uint64_t handed;  /**< of the last operation posted to the lead */
	_Atomic uint64_t ordered; /**< of the last fence posted to it */
};

/** Does a store to @p host have to wait for frames that a fence ordered before it
 *  (rb_fence_apply())? */
static inline bool
rb_ctx_fenced(const struct rb_ctx *ctx, int host)
{
	return atomic_load_explicit(&ctx->fenced[host], memory_order_relaxed) != 0;
}

#endif /* RB_BASE_CONTEXT_H */
