/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_SURVIVE_CUT_DISPATCH_H
#define RB_SURVIVE_CUT_DISPATCH_H

/**
 * @file
 * What rb_survive_ops puts in the place of the relay (link/cable.h). All functions: poll.
 */

#include <stdint.h>

#include "base/rules.h"
#include "base/transport.h"
#include "base/wire.h"

/** In place of rb_poll_rings(). */
enum rb_progress_left rb_serve_rings(void);
/** In place of rb_ring_send(). */
int rb_serve_send(enum rb_side side, unsigned int ring, unsigned int need, const struct rb_desc *d,
		  const uint8_t *payload);
/** An acknowledgement that a lost cable has sent the other way round, to @p side. */
void rb_serve_ack(enum rb_side side, const struct rb_desc *d);
/** The mark of the other end of the lost cable. 0, or -EAGAIN: not yet. */
int rb_serve_mark(enum rb_side side, const struct rb_desc *d, const uint8_t *taken);

#endif /* RB_SURVIVE_CUT_DISPATCH_H */
