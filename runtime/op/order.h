/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_OP_ORDER_H
#define RB_OP_ORDER_H

/**
 * @file
 * Contexts: domains of ordering and completion.
 */

#include "base/types.h"

extern struct rb_ctx *const rb_ctx_default;

/** @return a context, or NULL with errno */
struct rb_ctx *rb_ctx_create(void);
void rb_ctx_destroy(struct rb_ctx *ctx); /**< completes its operations first */

void rb_fence(struct rb_ctx *ctx);	      /**< orders puts and AMOs per target PE */
void rb_quiet(struct rb_ctx *ctx);	      /**< completes every operation of @p ctx everywhere */
void rb_quiet_pe(struct rb_ctx *ctx, int pe); /**< the same, for one target */

/* ---- within the runtime ---- */

/** Call before a store that may overtake frames, where rb_ctx_fenced(): waits for the frames that a
 *  fence ordered before it. */
void rb_fence_apply(struct rb_ctx *ctx, int host);

#endif /* RB_OP_ORDER_H */
