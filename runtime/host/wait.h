/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_HOST_WAIT_H
#define RB_HOST_WAIT_H

/**
 * @file
 * How a thread waits: for a word, for a condition, or in a loop of the caller's own.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/types.h"

enum {
	RB_WAIT_BARE = 32 /**< first turns of a wait, which only poll */
};

/** Around what a port waits for while it polls. */
void rb_wait_port_begin(void);
void rb_wait_port_end(void);
/** Of a service lcore that shares the CPU of its PE, while that polls: a fraction of the time that
 * it has polled, since *@p since. 0: it begins now. */
void rb_wait_nap(uint64_t *since);

/** Threads of this process that may leave a wait (rb_wait_leave_by()). */
#pragma GCC visibility push(hidden)
extern _Atomic unsigned int rb_wait_leavers;
#pragma GCC visibility pop

/** Do other programs keep this CPU, so that a yield lasts for milliseconds? @p now: ns */
bool rb_yield_shares(uint64_t now);
/** Yield, and mostly do not read the clock. @return false: other programs may keep this CPU, so it
 *  did not */
bool rb_yield_quick(void);
/** Let others run in a loop that waits: yield, or nap. */
void rb_yield(void);
/** The same of a service lcore that has had no work since @p since (ns); 0: from now on. */
void rb_yield_idle(uint64_t *since);

/** What follows the first turns, and the first one itself. */
void rb_wait_turn_on(struct rb_wait *w);

/** One turn of a wait: poll, make progress, or let others run. */
static inline void
rb_wait_turn(struct rb_wait *w)
{
	/* relaxed: a thread that may leave has counted itself */
	if (w->turns - 1 < RB_WAIT_BARE - 1 &&
	    atomic_load_explicit(&rb_wait_leavers, memory_order_relaxed) == 0)
		w->turns++;
	else
		rb_wait_turn_on(w);
}
/** After the last turn, in any case; cheap where there was none. */
void rb_wait_end(struct rb_wait *w);

/** In place of both where no turn was needed: what others did comes before what follows, for
 *  ThreadSanitizer (base/tsan.h). */
#ifdef __SANITIZE_THREAD__
void rb_wait_none(void);
#else
static inline void
rb_wait_none(void)
{
}
#endif

/** Wait until @p condition holds; the rest sets fields of struct rb_wait. */
#define RB_WAIT_FOR(condition, ...)                    \
	do {                                           \
		struct rb_wait wait_;                  \
                                                       \
		if (condition) {                       \
			rb_wait_none();                \
			break;                         \
		}                                      \
		wait_ = (struct rb_wait){__VA_ARGS__}; \
		do {                                   \
			rb_wait_turn(&wait_);          \
		} while (!(condition));                \
		rb_wait_end(&wait_);                   \
	} while (0)

/** Wait until *@p word >= @p value, with acquire order. Others write it. */
static inline void
rb_wait_until(const uint64_t *word, uint64_t value, struct rb_wait w)
{
	if (__atomic_load_n(word, __ATOMIC_ACQUIRE) >= value) {
		rb_wait_none();
		return;
	}
	do {
		rb_wait_turn(&w);
	} while (__atomic_load_n(word, __ATOMIC_ACQUIRE) < value);
	rb_wait_end(&w);
}

/** @p leave is called in each turn of a wait with `leaves` while rb_wait_leavers is not 0. Returns
 *  true where it left the thread and has come back, perhaps in another one; else the turn goes on
 *  here. NULL: none. */
void rb_wait_leave_by(bool (*leave)(struct rb_wait *w));

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

/** Has an application thread of this process polled since the last call of this function? Then it
 *  executes requests itself. A hint. */
bool rb_wait_polling(void);

/** Note that an application thread polls. */
void rb_wait_polls(void);

#endif /* RB_HOST_WAIT_H */
