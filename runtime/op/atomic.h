/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_OP_ATOMIC_H
#define RB_OP_ATOMIC_H

/**
 * @file
 * Atomics, and puts with a signal. They return -EFAULT if the remote address is not symmetric.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/types.h"

struct rb_target;

/** Non-fetching operations return when queued; with @p nbi they may go with others. Fetching ones
 *  write the old value, @p op->size bytes, to @p fetch: before they return, or with @p nbi by
 *  rb_quiet() at the latest. */
int rb_amo(struct rb_ctx *ctx, int pe, void *dst, const struct rb_amo *op, void *fetch, bool nbi);
/** Put, and update the 8-byte word @p sig (RB_AMO_SET or RB_AMO_ADD with @p val) once the data is
 *  visible to the target. @p src is reusable on return; with @p nbi, after rb_quiet(). */
int rb_put_signal(struct rb_ctx *ctx, int pe, void *dst, const void *src, size_t len, uint64_t *sig,
		  uint64_t val, enum rb_amo_op sig_op, bool nbi);

/** The same on another host, by the process that has the ports. @p pending: incremented for each
 * reply to come. */
void rb_amo_rings(struct rb_ctx *ctx, const struct rb_target *t, const struct rb_amo *op,
		  void *fetch, _Atomic uint32_t *pending);

#endif /* RB_OP_ATOMIC_H */
