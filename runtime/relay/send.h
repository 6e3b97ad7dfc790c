/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_RELAY_SEND_H
#define RB_RELAY_SEND_H

#include <stddef.h>

#include "base/transport.h"
#include "base/types.h"
#include "base/wire.h"
#include "host/hostseg.h"

struct rb_lbuf;
struct rb_target;

/** Send one request frame and count it. Waits for a free slot. d->len bytes of payload come from @p
 *  src + @p off; @p src may be NULL. */
void rb_send(struct rb_ctx *ctx, const struct rb_target *t, struct rb_desc *d,
	     const struct rb_lbuf *src, size_t off);

/** Before a direct store to @p host: if a request of the channel may still be under way on a longer
 *  way that its route has left, wait for it. */
void rb_send_settle(unsigned int chan, int host);

/** After a change of the routes: look, without waiting, whether the old ways have requests under
 * way yet, and say so where none has (rb_cut_settled()). Poll, of group 0. */
enum rb_progress_left rb_send_look(void);

/** By host and channel, of all PEs of this host: in the host segment where there are several. */
extern struct rb_flow (*rb_flows)[RB_MAX_CHANNELS];

#endif /* RB_RELAY_SEND_H */
