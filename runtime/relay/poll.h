/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_RELAY_POLL_H
#define RB_RELAY_POLL_H

/**
 * @file
 * Who polls the rings of a group, and what came of it.
 */

#include <stdbool.h>

#include "base/state.h"
#include "base/transport.h"

/** The one consumer of the rings of a group. Acquire and release: what one holder did, the next one
 *  sees. */
static inline bool
rb_poll_try(unsigned int group)
{
	return !atomic_flag_test_and_set_explicit(&rb.group[group].poll_lock, memory_order_acquire);
}

static inline void
rb_poll_end(unsigned int group)
{
	atomic_flag_clear_explicit(&rb.group[group].poll_lock, memory_order_release);
}

/** One turn of communication work. RB_PROGRESS_IDLE also where another thread is at it. */
enum rb_progress_left rb_progress_once(void);
/** The same for the rings of one service lcore. */
enum rb_progress_left rb_progress_group(unsigned int group);

#endif /* RB_RELAY_POLL_H */
