/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_RELAY_POLL_H
#define RB_RELAY_POLL_H

/**
 * @file
 * The turns of polling: of service lcores, which loop here, and of application threads that wait.
 */

#include <stdatomic.h>
#include <stdbool.h>

#include "base/transport.h"

/** One turn of communication work. Also returns RB_PROGRESS_IDLE if another thread is polling. */
enum rb_progress_left rb_progress_once(void);
/** The same for the rings of one service lcore. */
enum rb_progress_left rb_progress_group(unsigned int group);

/** The loop of a service lcore until @p stop becomes true: turns for its rings, and sleep
 *  between them. */
void rb_poll_loop(unsigned int group, const _Atomic bool *stop);

#endif /* RB_RELAY_POLL_H */
