/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_LINK_HANDSHAKE_H
#define RB_LINK_HANDSHAKE_H

/** @file The handshake of neighbours when a job starts. */

#include "base/rules.h"

/** Draw the tokens, and on host 0 also the nonce. Call it before the neighbours may read anything.
 */
int rb_handshake_init(void);
/** Do the handshake on all links. Where the job survives a lost cable, one may be out: its link is
 *  not up then. 0 or -errno with an error text. */
int rb_handshake(void);
/** One look at a link. 0: both sides have agreed; -EAGAIN: not yet; other: an error. Both with an
 *  error text. */
int rb_session_look(enum rb_side side);
/** The link of a lost cable, before it is opened: begin again, and let the neighbour prove once
 *  more that its stores arrive. */
void rb_session_anew(enum rb_side side);
/** Both links are up, and the first barrier waits for hosts beyond the neighbours: name these from
 *  time to time. */
void rb_handshake_note_beyond(const struct rb_arrivals *seen);

#endif /* RB_LINK_HANDSHAKE_H */
