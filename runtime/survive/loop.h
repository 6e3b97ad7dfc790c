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
 * All functions: poll. There is one service lcore in a job that survives.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/link.h"
#include "base/rules.h"
#include "base/wire.h"

/** Descriptors and slots, one behind the other. */
struct rb_loop_frames {
	struct rb_desc *desc;
	uint8_t *slot;
	uint32_t room;
};

/** There is one port with a loop. Owner of all fields: poll. */
struct rb_loop {
	unsigned int port;
	struct rb_loop_frames replies, requests;
	struct rb_rx rx; /**< of the replies */
	uint64_t credit;
	uint32_t first, held; /**< requests held: how many were released, and how many in all */
	bool mark_sent;	      /**< this host has sent its mark */
	bool mark_came;	      /**< and got that of the other end */
};
extern struct rb_loop rb_loop;

/** Put the loop in place. 0 or -ENOMEM. */
int rb_loop_open(unsigned int port);
void rb_loop_close(void);

/** Is the loop in place on @p port? Nothing goes over its cable then. */
bool rb_loop_at(unsigned int port);

/** Hold a request. @p payload: what its slot holds, or NULL. 1, or -EAGAIN where it has to stay at
 *  the head of its ring: more may be on the way than there is room for. */
int rb_loop_hold(unsigned int port, const struct rb_desc *d, const uint8_t *payload);
/** The first request held, once the mark has arrived; NULL: none. */
const struct rb_desc *rb_loop_held(const uint8_t **payload);

#endif /* RB_SURVIVE_LOOP_H */
