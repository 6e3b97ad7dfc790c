/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_SURVIVE_RETRANSMIT_H
#define RB_SURVIVE_RETRANSMIT_H

/**
 * @file
 * The retransmit buffer. A posted store may be lost with its cable, and with it all later ones. So
 * a producer builds each frame in memory of its own, a ring of the same slots, and copies it to the
 * window from there. A slot is filled again only when its credit has come, so what the consumer has
 * not taken is still there. When a cable is lost, its consumer takes nothing more from it, and says
 * by the other way how many frames it has taken. The producer sends the others the other way round:
 * each frame is taken once (doc/protocols.md, section 9; tests/spin/kept.pml).
 */

#include <stdint.h>

#include "base/link.h"
#include "base/rules.h"
#include "base/wire.h"

/** Keep the frames of a port: its rings lead into memory of this host first. Needs the links, and
 *  that nothing was sent. 0 or -ENOMEM. */
int rb_retx_open(unsigned int port);
void rb_retx_close(void);

/** In place of rb_tx_commit(). Holder of the ring's lock, or poll. */
void rb_retx_commit(struct rb_link *link, struct rb_tx *tx, const struct rb_desc *d);

/* Poll. */

/** This host stores no frame over the cable any more. It takes none either: the caller
 *  does not look at these rings again. There is one service lcore in a job that survives. */
void rb_retx_freeze(unsigned int port);

/** How many frames this host has taken from each ring of the cable, for the far end, in the order
 * of the rings' numbers. Returns the bytes of @p words. */
uint32_t rb_retx_taken(unsigned int port, uint32_t words[RB_MAX_RINGS]);

/** The far end has taken so many: all others have to go the other way. @p words are untrusted. 0;
 *  -EAGAIN: a sender still has the lock of its ring; -EPROTO: these frames were not sent, or are
 *  not here any more. */
int rb_retx_peer_count(unsigned int port, const uint8_t *words, uint32_t len);

/** The next frame of a ring that has to go the other way; NULL: none. */
const struct rb_desc *rb_retx_head(unsigned int port, unsigned int ring, const uint8_t **payload);
void rb_retx_drop_head(unsigned int port, unsigned int ring);

#endif /* RB_SURVIVE_RETRANSMIT_H */
