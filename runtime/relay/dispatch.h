/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_RELAY_DISPATCH_H
#define RB_RELAY_DISPATCH_H

#include <stdbool.h>

#include "base/wire.h"

/** What a turn of rb_serve() left behind. */
enum rb_turn {
	RB_TURN_IDLE,  /**< nothing done, nothing waits: sleep until somebody rings */
	RB_TURN_STALL, /**< nothing done; frames or acks wait for credits, which do not ring */
	RB_TURN_WORK,
};

/** Drain the rings of a group on both links for a bounded turn. Caller holds its poll_lock. */
enum rb_turn rb_serve(unsigned int group);

/** A counted request from @p src_host that came in on @p side is complete: owe it an ack. */
void rb_ack_owe(unsigned int side, unsigned int src_host, unsigned int chan, enum rb_class cls);
/** The request that was owed for last is part of a put of which more follows. */
void rb_ack_more(unsigned int chan);
/** Pay as many owed acks of @p group as the rings take, if it is time; @p idle: the turn found
 *  nothing else to do. */
enum rb_turn rb_ack_pay(unsigned int group, bool idle);
/** An ACK frame for this host. */
void rb_ack_take(unsigned int side, const struct rb_desc *d);

/** Could a host of this program have sent it? Bounds in segments are checked apart. */
bool rb_frame_valid(const struct rb_desc *d);
bool rb_frame_amo_valid(const struct rb_desc *d);

/** A DATA or VALUE frame for this host. */
void rb_req_finish(const struct rb_desc *d, const uint8_t *payload);

#endif /* RB_RELAY_DISPATCH_H */
