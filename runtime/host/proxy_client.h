/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_HOST_PROXY_CLIENT_H
#define RB_HOST_PROXY_CLIENT_H

/**
 * @file
 * How the PEs of a host that do not own the ports reach the ring: they hand operations to the
 * service lcore of the lead PE, each through an rte_ring of its own in the host segment. It does
 * those of a PE one after the other, takes one of each PE in turn, and copies straight between
 * their memory and the window: once, as for the lead itself. It waits for no reply.
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
/** Order what is handed over later behind what was before. Where this PE maps windows, its own
 *  stores could overtake either: then the lead has issued all of it on return.
 *  @return hosts that it went to, which may yet have to execute some; 0 with nothing to order */
uint64_t rb_proxy_fence(struct rb_ctx *ctx);
/** Wait until all that this PE handed over is on its way; acks are waited for as by the lead. */
void rb_proxy_drain(void);
/** The same and, where windows are not memory, until the lead has flushed them. */
void rb_proxy_flush(struct rb_ctx *ctx);

#endif /* RB_HOST_PROXY_CLIENT_H */
