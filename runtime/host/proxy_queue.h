/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_HOST_PROXY_QUEUE_H
#define RB_HOST_PROXY_QUEUE_H

/**
 * @file
 * The lead's side of the rings: it takes the operations of the other PEs of its host, and completes
 * them.
 */

#include <stdbool.h>
#include <stdint.h>

struct rb_proxy_op;

/** Make the rings, before rb_host_publish(). 0 or -errno, words. */
int rb_proxy_rings(void);
/** Take an operation of a PE that has none under way. One thread at a time. */
bool rb_proxy_take(struct rb_proxy_op *h, unsigned int *local);
/** The counter of replies that a PE's operation waits for: see rb_req_claim(). */
_Atomic uint32_t *rb_proxy_pending(unsigned int local);
/** The operation of a PE is issued; completes it where no reply is outstanding. */
void rb_proxy_issued(unsigned int local);
/** A reply has decremented @p pending to @p left. If @p pending belongs to a posted operation
 *  without outstanding replies, complete that operation. */
void rb_proxy_replied(const _Atomic uint32_t *pending, uint32_t left);
/** For rb_sleep(): the futex word, and its value before the last poll; NULL: one PE. */
uint32_t *rb_proxy_word(uint32_t *seen);
/** Ask the other PEs to ring the bell. The caller puts a full fence between this and
 *  rb_proxy_idle(). */
void rb_proxy_ask(bool sleeping);
/** Is there nothing to take? A hint. */
bool rb_proxy_idle(void);

#endif /* RB_HOST_PROXY_QUEUE_H */
