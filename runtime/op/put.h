/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_OP_PUT_H
#define RB_OP_PUT_H

/**
 * @file
 * Puts. They return -EFAULT if the remote address is not symmetric.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/types.h"

struct rb_target;

/** Returns when @p src may be reused. A length of zero is valid with any address. Aligned 4 and 8
 *  bytes from an aligned source are one store. */
int rb_put(struct rb_ctx *ctx, int pe, void *dst, const void *src, size_t len);
/** Returns when queued; @p src must stay until rb_quiet(). */
int rb_put_nbi(struct rb_ctx *ctx, int pe, void *dst, const void *src, size_t len);

/** The same on another host, by the process that has the ports. */
void rb_put_rings(struct rb_ctx *ctx, struct rb_target *t, const uint8_t *src, size_t len,
		  bool nbi);

#endif /* RB_OP_PUT_H */
