/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_SERVE_H
#define RB_SERVE_H

#include <stdbool.h>

#include "rb_wire.h"

/** Drain the rings of both links for a bounded turn. @return true where anything was done.
 *  Caller holds rb.poll_lock. */
bool rb_serve(void);

/** A counted request from @p src_host that came in on @p side is complete: owe it an ack. */
void rb_ack_owe(unsigned int side, unsigned int src_host, unsigned int chan, enum rb_class cls);
/** Pay as many owed acks as the rings take. @return true where anything was sent */
bool rb_ack_pay(void);
/** An ACK frame for this host. */
void rb_ack_take(unsigned int side, const struct rb_desc *d);

/** A DATA or VALUE frame for this host. */
void rb_req_finish(const struct rb_desc *d, const uint8_t *payload);

#endif /* RB_SERVE_H */
