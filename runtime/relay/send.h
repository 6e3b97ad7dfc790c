/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_RELAY_SEND_H
#define RB_RELAY_SEND_H

#include <stddef.h>

#include "base/state.h"
#include "base/types.h"

struct rb_desc;
struct rb_target;

/** Send one request frame and count it. Waits for a free slot. d->len bytes of payload come from @p
 *  src + @p off; @p src may be NULL. */
void rb_send(struct rb_ctx *ctx, const struct rb_target *t, struct rb_desc *d,
	     const struct rb_lbuf *src, size_t off);

#endif /* RB_RELAY_SEND_H */
