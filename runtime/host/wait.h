/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_HOST_WAIT_H
#define RB_HOST_WAIT_H

#include <stdbool.h>
#include <stdint.h>

#include "relay/dispatch.h"

/** One turn of communication work. RB_TURN_IDLE also where another thread is at it. */
enum rb_turn rb_turn(void);
/** The same for the rings of one service lcore. */
enum rb_turn rb_turn_of(unsigned int group);

/** The calling thread is the service lcore: it never naps, because all of the ring waits for it. */
void rb_wait_service(void);
bool rb_wait_is_service(void);

/** Open: is there a CPU for each PE, so that a long yield is due to other programs? */
void rb_wait_learn(bool on);
/** Has the calling thread seen that others use its CPU? It naps where it would yield. */
bool rb_wait_shares(void);

/** Does a thread of this process nap in a wait? Its CPU is free then. A hint. */
bool rb_wait_napping(void);

/** Has an application thread of this process polled since the last time that this was asked? It
 *  serves by itself then. A hint. */
bool rb_wait_polling(void);

uint64_t rb_now_ns(void);

#endif /* RB_HOST_WAIT_H */
