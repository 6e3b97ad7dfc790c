/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_OP_GET_H
#define RB_OP_GET_H

/**
 * @file
 * Gets. They return -EFAULT if the remote address is not symmetric.
 */

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "base/types.h"

struct rb_target;

/** Returns when @p dst holds the data. */
int rb_get(struct rb_ctx *ctx, int pe, void *dst, const void *src, size_t len);
/** Returns when queued; @p dst is valid after rb_quiet(). */
int rb_get_nbi(struct rb_ctx *ctx, int pe, void *dst, const void *src, size_t len);

/** The same on another host, by the process that has the ports. @p pending: incremented for each
 * reply to come. */
void rb_get_rings(struct rb_ctx *ctx, struct rb_target *t, uint8_t *dst, size_t len,
		  _Atomic uint32_t *pending);

#endif /* RB_OP_GET_H */
