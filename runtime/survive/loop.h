/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_SURVIVE_LOOP_H
#define RB_SURVIVE_LOOP_H

/**
 * @file
 * The end of a line: where a cable is lost, frames that would cross it go back the other way
 * (doc/protocols.md, section 9).
 *
 * *Replies and acknowledgements* at once. The reply ring that led over the cable leads into memory
 * of this host, a *loop*, and this host is its consumer: a frame in it comes back from the side of
 * the cable, and so is relayed the other way. The reply rings of both directions and the two loops
 * form one cycle; a loop has as many slots as the ring that it replaces, and the rules of entering
 * and passing are the same.
 *
 * *Requests* must not overtake those that have crossed the cable before. So they are held here, in
 * a queue with room for all that can come, until the host at the other end sends a mark behind the
 * last request that has crossed: when the mark arrives, all of these are executed.
 *
 * All functions: poll, of the group.
 */

#include <stdbool.h>
#include <stdint.h>

#include "survive/cut_word.h"
#include "base/link.h"
#include "base/rules.h"
#include "base/wire.h"

/** Put the loop of a group in place, for the last loss of a cable. 0 or -ENOMEM. */
int rb_loop_begin(enum rb_side side, unsigned int group);
void rb_loop_close(void);

/** How far has the group come in that loss (survive/heal.h)? -1: its loop is not in place. */
int rb_loop_stage(unsigned int group);
void rb_loop_reach(unsigned int group, enum rb_cut_stage stage);

/** Does nothing of this group go over the cable of @p side? */
bool rb_loop_at(enum rb_side side, unsigned int group);

/** Replies go over the cable again. Those in the loop stay there until they are served. */
void rb_loop_open(unsigned int group);
/** Has everything that was turned gone on? */
bool rb_loop_empty(unsigned int group);
/** Have all requests that were held? */
bool rb_loop_holds_none(unsigned int group);
/** Has the cable delivered what was sent before the loss, in both directions? */
bool rb_loop_marks(unsigned int group);

/** The loop of the reply ring of a group. */
struct rb_rx *rb_loop_replies(unsigned int group);
/** Its consumer has taken a frame. */
void rb_loop_credit(unsigned int group);

/** Hold a request. @p payload: what its slot holds, or NULL. 1, or -EAGAIN where it has to stay at
 *  the head of its ring: more may be on the way than there is room for. */
int rb_loop_hold(enum rb_side side, unsigned int group, const struct rb_desc *d,
		 const uint8_t *payload);
/** The first request held, once the mark has arrived; NULL: none. */
const struct rb_desc *rb_loop_held(unsigned int group, const uint8_t **payload);
void rb_loop_release(unsigned int group);

/** Has this host still to send its mark? */
bool rb_loop_mark_due(unsigned int group);
void rb_loop_mark_sent(unsigned int group);
/** The mark of the other end has arrived. */
void rb_loop_mark(unsigned int group);

#endif /* RB_SURVIVE_LOOP_H */
