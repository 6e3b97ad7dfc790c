/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_LINK_SESSION_H
#define RB_LINK_SESSION_H

/** @file The handshake on one link. */

#include <stdbool.h>

#include "base/rules.h"

/** Draw the tokens, and on host 0 also the nonce. 0 or -errno with an error text. */
int rb_session_init(void);

/** One look at a link. 0: both sides have agreed; -EAGAIN: not yet; other: an error. Both with an
 *  error text. */
int rb_session_look(enum rb_side side);
/** Was the link down at the last look? */
bool rb_session_down(enum rb_side side);

/** The link of a lost cable, before it is opened: begin again, and let the neighbour prove once
 *  more that its stores arrive. */
void rb_session_anew(enum rb_side side);
/** Tell the neighbour that this host gives up. */
void rb_session_gone(enum rb_side side);

#endif /* RB_LINK_SESSION_H */
