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
#include <stddef.h>
#include <stdint.h>

#include "base/transport.h"
#include "base/types.h"

/** Where the user of the runtime can leave a wait and come back to it, for a turn of it: returns
 * true then, perhaps in another thread. NULL: it cannot. */
typedef bool rb_wait_leave(struct rb_wait *w);

/** One turn of a wait: poll, make progress, or let others run. */
void rb_wait_once(struct rb_wait *w);

/** The same for a caller that may leave instead: @p leave comes first. */
static inline void
rb_wait_turn(struct rb_wait *w, rb_wait_leave *leave)
{
	if (leave == NULL || !leave(w))
		rb_wait_once(w);
}

/** One turn of a wait for PEs of this host; @p here: rb_cpu_here() of a missing PE. */
void rb_wait_once_local(struct rb_wait *w, bool here);
/** After the last turn, in any case; cheap where there was none. */
void rb_wait_end(struct rb_wait *w);

/** Does a thread of this process nap in a wait? Its CPU is free then. A hint. */
bool rb_wait_napping(void);

/* ---- within the runtime ---- */

/** Operations that a waiting thread calls in a process with ports; registered before rb.booted is
 *  set. */
struct rb_wait_ops {
	enum rb_progress_left (*poll)(void); /**< drain the rings once */
	bool (*proxy)(void); /**< execute one posted operation of another PE; may wait */
	/** Take over the polling of service lcores. @p groups: those that this thread polls
	 *  already, as bits. @return these and the new ones; call again for the others */
	uint32_t (*borrow)(uint32_t groups);
	void (*give_back)(uint32_t groups);
};
void rb_wait_register(const struct rb_wait_ops *ops);
/** Call the operation `proxy`, for service lcores. */
bool rb_wait_proxy(void);

/** Has the calling thread noticed that other programs use its CPU? Then it naps where it would
 *  yield. */
bool rb_wait_shares(void);

/** Has an application thread of this process polled since the last call of this function? Then it
 *  executes requests itself. A hint. */
bool rb_wait_polling(void);

/** Note that an application thread polls. */
void rb_wait_polls(void);

#endif /* RB_HOST_WAIT_H */
