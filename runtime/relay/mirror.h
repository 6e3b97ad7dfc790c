/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_RELAY_MIRROR_H
#define RB_RELAY_MIRROR_H

/**
 * @file
 * The end of a line: where a cable is lost, frames that would cross it go back the other way
 * (doc/protocols.md, section 9).
 *
 * *Replies and acknowledgements* at once. The reply ring that led over the cable leads into memory
 * of this host, and this host is its consumer: a frame in it comes back from the side of the cable,
 * and so is relayed the other way. The reply rings of both directions and the two mirrors form one
 * cycle; a mirror has as many slots as the ring that it replaces, and the rules of entering and
 * passing are the same.
 *
 * *Requests* must not overtake those that have crossed the cable before. So they are held here, in
 * a queue with room for all that can come, until the host at the other end sends a mark behind the
 * last request that has crossed: when the mark arrives, all of these are executed.
 *
 * All functions: poll, of the group.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <rte_branch_prediction.h>

#include "base/cut_word.h"
#include "base/link.h"
#include "base/rules.h"
#include "base/wire.h"

/** Put the mirrors of a group in place, for the last loss of a cable. 0 or -ENOMEM. */
int rb_mirror_begin(enum rb_side side, unsigned int group);
void rb_mirror_close(void);
/** No cable is lost as far as the mirrors are concerned: the rings begin anew. */
void rb_mirror_forget(void);

/** How far has the group come in that loss (relay/heal.h)? -1: its mirrors are not in place. */
int rb_mirror_stage(unsigned int group);
void rb_mirror_reach(unsigned int group, enum rb_cut_stage stage);

/** Has a mirror ever been in place? Set under the poll lock of its group, so whoever holds that
 * lock later sees it. Frames ask for each ring, so that the answer of a whole ring takes no call.
 */
extern _Atomic bool rb_mirrors;

/* ---- once there is a mirror ---- */

bool rb_mirror_is_at(enum rb_side side, unsigned int group);
bool rb_mirror_ends_at(enum rb_side side, unsigned int group);

/** Does nothing of this group go over the cable of @p side? */
static inline bool
rb_mirrored(enum rb_side side, unsigned int group)
{
	return unlikely(atomic_load_explicit(&rb_mirrors, memory_order_relaxed)) &&
	       rb_mirror_is_at(side, group);
}

/** Do frames from the cable of @p side leave no room behind? */
static inline bool
rb_mirror_ends(enum rb_side side, unsigned int group)
{
	return unlikely(atomic_load_explicit(&rb_mirrors, memory_order_relaxed)) &&
	       rb_mirror_ends_at(side, group);
}

/** Replies go over the cable again. Those in the mirror stay there until they are served. */
void rb_mirror_open(unsigned int group);
/** Has everything that was turned gone on? */
bool rb_mirror_empty(unsigned int group);
/** Have all requests that were held? */
bool rb_mirror_holds_none(unsigned int group);
/** Has the cable delivered what was sent before the loss, in both directions? */
bool rb_mirror_marks(unsigned int group);

/** The mirror of the reply ring of a group. */
struct rb_rx *rb_mirror_replies(unsigned int group);

/** Hold a request. @p payload: what its slot holds, or NULL. 0, or -EAGAIN where it has to stay at
 *  the head of its ring: more may be on the way than there is room for. */
int rb_mirror_hold(enum rb_side side, unsigned int group, const struct rb_desc *d,
		   const uint8_t *payload);
/** The first request held, once the mark has arrived; NULL: none. */
const struct rb_desc *rb_mirror_held(unsigned int group, const uint8_t **payload);
void rb_mirror_release(unsigned int group);

/** Has this host still to send its mark? */
bool rb_mirror_mark_due(unsigned int group);
void rb_mirror_marked(unsigned int group);
/** The mark of the other end has arrived. */
void rb_mirror_mark(unsigned int group);

#endif /* RB_RELAY_MIRROR_H */
