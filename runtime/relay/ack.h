/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_RELAY_ACK_H
#define RB_RELAY_ACK_H

/**
 * @file
 * Acknowledgements of counted requests.
 */

#include <stdbool.h>

#include "base/transport.h"
#include "base/wire.h"

/** A counted request from @p src_host, which arrived on @p side, is complete: acknowledge it. */
void rb_ack_add(unsigned int side, unsigned int src_host, unsigned int chan, enum rb_class cls);
/** More of the put to which the last added request belongs follows. */
void rb_ack_more(unsigned int chan);
/** Send as many acks of @p group as the rings take, if they are due. @p idle: the turn found no
 *  other work. */
enum rb_progress_left rb_ack_flush(unsigned int group, bool idle);
/** Send all acks of @p group on @p side once more: the last ones may be lost with the cable. */
void rb_ack_again(unsigned int side, unsigned int group);
/** A store of the far end that was late on the lost cable may have taken back what it has said by
 *  the other way since: put it back. Until then a waiter waits longer, and does no harm. While
 *  nothing is stored over the cable. */
void rb_ack_restore(unsigned int side, unsigned int group);
/** Count from 0 again: the rings begin anew. Poll, of all groups. */
void rb_ack_forget(void);
/** Handle an ACK frame for this host. */
void rb_ack_take(unsigned int side, const struct rb_desc *d);

#endif /* RB_RELAY_ACK_H */
