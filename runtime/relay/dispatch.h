/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_RELAY_DISPATCH_H
#define RB_RELAY_DISPATCH_H

#include <stdint.h>

#include "base/wire.h"

/** Drain the rings of a group on both links for one bounded turn. The caller holds the group's
 *  poll_lock. */
enum rb_progress_left rb_poll_rings(unsigned int group);

/** One turn of the rings of one port. Poll, of the group. */
enum rb_progress_left rb_serve_port(unsigned int port, unsigned int group);

/** Handle a frame as one that came in on @p port by @p ring; it needs @p need free slots where it
 *  goes on. -EAGAIN: they are not there. Poll, of the group. */
int rb_dispatch_frame(unsigned int port, unsigned int ring, unsigned int need,
		      const struct rb_desc *d, const uint8_t *payload);

#endif /* RB_RELAY_DISPATCH_H */
