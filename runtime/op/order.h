/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_OP_ORDER_H
#define RB_OP_ORDER_H

/**
 * @file
 * Contexts, which are domains of ordering and completion.
 */

#include <stdbool.h>

#include "base/types.h"

extern struct rb_ctx *const rb_ctx_default;

/** @return a context, or NULL with errno. @p private: used by one thread only. */
struct rb_ctx *rb_ctx_create(bool private);
void rb_ctx_destroy(struct rb_ctx *ctx); /**< quiets it first */

void rb_fence(struct rb_ctx *ctx);	      /**< orders puts and AMOs per target PE */
void rb_quiet(struct rb_ctx *ctx);	      /**< completes every operation of @p ctx everywhere */
void rb_quiet_pe(struct rb_ctx *ctx, int pe); /**< the same, for one target */

/* ---- within the runtime ---- */

/** Before a store that may overtake frames: wait for those a fence put before it. */
void rb_fence_apply(struct rb_ctx *ctx, int host);

#endif /* RB_OP_ORDER_H */
