/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_HOST_PROXY_CLIENT_H
#define RB_HOST_PROXY_CLIENT_H

/**
 * @file
 * How the PEs of a host that do not own the ports reach the ring: they post operations to the lead
 * PE, each through an rte_ring of its own in the host segment. The lead's service lcore executes
 * the operations of one PE in order, takes one operation of each PE in turn, and copies directly
 * between the PE's symmetric memory and the window: one copy, as for its own operations. It does
 * not wait for replies.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/types.h"

struct rb_target;

void rb_proxy_put(struct rb_ctx *ctx, const struct rb_target *t, const void *src, size_t len,
		  bool nbi);
void rb_proxy_get(struct rb_ctx *ctx, const struct rb_target *t, void *dst, size_t len, bool nbi);
void rb_proxy_amo(struct rb_ctx *ctx, const struct rb_target *t, const struct rb_amo *op,
		  void *fetch);
/** Has the lead issued all operations that were posted for @p ctx? */
bool rb_proxy_handed(const struct rb_ctx *ctx);
/** Order operations posted later after those posted before. Where this PE maps windows, its own
 *  stores could overtake posted operations: then the lead has issued all of these on return.
 *  @return hosts that may still have to execute some of them, as bits; 0: nothing to order */
uint64_t rb_proxy_fence(struct rb_ctx *ctx);
/** Wait until the lead has issued all operations of this PE. Acknowledgements are awaited as on the
 *  lead. */
void rb_proxy_drain(void);
/** Wait for that and, where windows are not memory, until the lead has flushed them. */
void rb_proxy_flush(struct rb_ctx *ctx);

#endif /* RB_HOST_PROXY_CLIENT_H */
