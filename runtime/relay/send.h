/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_RELAY_SEND_H
#define RB_RELAY_SEND_H

#include <stdbool.h>

#include "base/types.h"
#include "base/wire.h"
#include "link/copy.h"
#include "host/hostseg.h"

struct rb_tx;
struct rb_target;

/** Send one request frame and count it. Waits for a free slot. @p payload: d->len bytes, or NULL.
 */
void rb_send(struct rb_ctx *ctx, const struct rb_target *t, struct rb_desc *d,
	     const uint8_t *payload);

/** The same, but does not wait: false where the ring has no room or is locked. Poll. */
bool rb_send_try(struct rb_ctx *ctx, const struct rb_target *t, struct rb_desc *d,
		 const uint8_t *payload);

/** Flags of a request to @p host whose reply counts in @p pending: RB_DESC_WORD where the caller
 *  waits for it, and it can overtake nothing of @p ctx, as all before it is complete. */
uint32_t rb_send_word(struct rb_ctx *ctx, int host, const _Atomic uint32_t *pending);

/* The steps of it, with the ring locked: fill in and count the frame; its payload. */
/** @return counted requests of its class, host and channel until now */
uint64_t rb_send_note(struct rb_ctx *ctx, const struct rb_target *t, struct rb_desc *d);
void rb_send_fill(const struct rb_tx *tx, const struct rb_desc *d, const uint8_t *payload,
		  enum rb_dist dist);

/** By host and channel, of all PEs of this host: in the host segment where there are several. */
extern struct rb_flow (*rb_flows)[RB_MAX_CHANNELS];

#endif /* RB_RELAY_SEND_H */
