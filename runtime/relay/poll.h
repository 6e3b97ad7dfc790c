/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_RELAY_POLL_H
#define RB_RELAY_POLL_H

/**
 * @file
 * The lock and the turns of polling.
 */

#include <stdbool.h>

#include "base/transport.h"
#include "link/notify.h"

/** Become the one consumer of the rings of a group. Acquire and release: the next holder sees what
 *  the last one did. */
static inline bool
rb_poll_try(unsigned int group)
{
	return !atomic_flag_test_and_set_explicit(&rb_groups[group].poll_lock,
						  memory_order_acquire);
}

static inline void
rb_poll_end(unsigned int group)
{
	atomic_flag_clear_explicit(&rb_groups[group].poll_lock, memory_order_release);
}

/** One turn of communication work. Also returns RB_PROGRESS_IDLE if another thread is polling. */
enum rb_progress_left rb_progress_once(void);
/** The same for the rings of one service lcore. */
enum rb_progress_left rb_progress_group(unsigned int group);

#endif /* RB_RELAY_POLL_H */
