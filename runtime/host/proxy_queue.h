/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_HOST_PROXY_QUEUE_H
#define RB_HOST_PROXY_QUEUE_H

/**
 * @file
 * What the lead takes from the rings of the other PEs of its host, and tells them.
 */

#include <stdbool.h>
#include <stdint.h>

struct rb_proxy_op;

/** Make the rings, before rb_host_publish(). 0 or -errno, words. */
int rb_proxy_rings(void);
/** Take an operation from one of the PEs that have none under way. One thread at a time. */
bool rb_proxy_take(struct rb_proxy_op *h, unsigned int *local);
/** For the replies that the operation of a PE waits for: see rb_req_claim(). */
_Atomic uint32_t *rb_proxy_pending(unsigned int local);
/** It is issued; completes it at once where no reply is outstanding. */
void rb_proxy_issued(unsigned int local);
/** A reply has lowered @p pending to @p left. If @p pending is that of an operation that was handed
 *  over, and no reply is outstanding, complete the operation. */
void rb_proxy_replied(const _Atomic uint32_t *pending, uint32_t left);
/** For rb_sleep(): the futex word, and what it holds before the last look; NULL: one PE. */
uint32_t *rb_proxy_word(uint32_t *seen);
/** Ask the other PEs to ring. Full fence between this and rb_proxy_idle(). */
void rb_proxy_ask(bool sleeping);
bool rb_proxy_idle(void);

#endif /* RB_HOST_PROXY_QUEUE_H */
