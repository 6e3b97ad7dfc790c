/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_HOST_WAIT_H
#define RB_HOST_WAIT_H

/**
 * @file
 * Waits: see struct rb_wait.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/transport.h"
#include "base/types.h"

void rb_wait_turn(struct rb_wait *w);
/** A turn of such a wait; @p here: rb_cpu_here() of a PE that is missing. */
void rb_wait_turn_for(struct rb_wait *w, bool here);
/** After the last turn, in any case; cheap where there was none. */
void rb_wait_end(struct rb_wait *w);

/* ---- within the runtime ---- */

/** What a waiting thread of a process with ports calls; set before rb.booted is. */
struct rb_wait_ops {
	enum rb_progress_left (*poll)(void); /**< drain the rings once */
	bool (*proxy)(void);		     /**< do one operation of another PE; it may wait */
	/** Poll from here on, in place of the service lcores. @p groups: those that this thread
	 * polls, as bits. @return those, and what it got: try again for the others */
	uint32_t (*borrow)(uint32_t groups);
	void (*give_back)(uint32_t groups);
};
void rb_wait_register(const struct rb_wait_ops *ops);
/** The operation `proxy`, for service lcores. */
bool rb_wait_proxy(void);

/** Has the calling thread seen that others use its CPU? It naps where it would yield. */
bool rb_wait_shares(void);

/** Does a thread of this process nap in a wait? Its CPU is free then. A hint. */
bool rb_wait_napping(void);

/** Has an application thread of this process polled since the last time that this was asked? It
 *  serves by itself then. A hint. */
bool rb_wait_polling(void);

/** It polls. */
void rb_wait_polls(void);

#endif /* RB_HOST_WAIT_H */
