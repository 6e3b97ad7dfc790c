/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_BASE_GROUP_H
#define RB_BASE_GROUP_H

/**
 * @file
 * Groups: the rings of one service lcore, and who polls them. The notes on owners read as in
 * base/state.h: open, app, poll.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/state.h"
#include "base/wire.h"

/**
 * The work of one service lcore: the channels c with c % lcores == its number, and a transit and a
 * reply ring on each side. Frames of a channel stay within its group all the way, so that each
 * group is a ring of relays of its own, and has one consumer: the holder of its poll_lock.
 */
struct rb_group {
	atomic_flag poll_lock;
	_Atomic unsigned int waiters; /**< poll; application threads that poll inside a wait */
	bool asleep;		      /**< poll; the service lcore sleeps */
	_Atomic uint32_t
		call; /**< futex of the service lcore; counts up to wake it, and as it leaves */
	unsigned int lcore; /**< open */
	uint32_t bells;	    /**< open; doorbells of its rings */
} __attribute__((aligned(64)));

/** By service lcore. */
extern struct rb_group rb_groups[RB_MAX_LCORES];

/** The group that serves a channel, on every host. */
static inline unsigned int
rb_group_of(unsigned int chan)
{
	return rb.lcores == 1 ? 0 : chan % rb.lcores;
}

/** The group whose service lcore polls a ring: an own-request ring, or RB_RING_REPLY or
 *  RB_RING_TRANSIT of a group. */
static inline unsigned int
rb_group_of_ring(unsigned int ring)
{
	return ring < rb.channels ? rb_group_of(ring) : (ring - rb.channels) / 2;
}

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

/** Does an application thread poll the group? A hint, without poll_lock. */
static inline bool
rb_poll_borrowed(unsigned int group)
{
	return atomic_load_explicit(&rb_groups[group].waiters, memory_order_relaxed) != 0;
}

#endif /* RB_BASE_GROUP_H */
