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

#include "base/wire.h"

/** A counted request from @p src_host, which came by port @p in, is complete: acknowledge it. @p
 * port: the one that it was stored through, or @p in. */
void rb_ack_add(unsigned int port, unsigned int in, unsigned int src_host, unsigned int chan,
		enum rb_class cls);
/** More of the put to which the last added request belongs follows. */
void rb_ack_more(unsigned int chan);
/** Requests of @p src_host that this host has executed, in a job that survives lost cables. */
uint64_t rb_ack_total(unsigned int src_host, unsigned int chan);
/** Send as many acks of @p group as the rings take, if they are due. @p idle: the turn found no
 *  other work. */
enum rb_progress_left rb_ack_flush(unsigned int group, bool idle);
/** Handle an ACK frame for this host. */
void rb_ack_take(unsigned int port, const struct rb_desc *d);

#endif /* RB_RELAY_ACK_H */
