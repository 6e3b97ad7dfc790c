/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_HOST_BACKGROUND_H
#define RB_HOST_BACKGROUND_H

/**
 * @file
 * Part of rb.h: work that goes on beside the calls of the program. The user of the runtime has it,
 * as in a collective that was posted and not completed, and registers a function that advances all
 * of it. Threads that wait here call that function in their turns, and so does the service lcore of
 * group 0, which makes progress while the program computes. So the function is called by several
 * threads at once, and it may issue operations, but not wait for other PEs.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum rb_background_sleep {
	RB_BACKGROUND_AWAKE,
	RB_BACKGROUND_SLEEPS, /**< until it is called, or is about to */
	/** A thread calls it, or has: the others need not. It may take long to get a CPU. */
	RB_BACKGROUND_CALLED,
	/** It looks again by itself, within 0.1 ms: so it sleeps while something is under way, and
	 *  for some time after. Posts in a row need no call, which costs microseconds. */
	RB_BACKGROUND_NAPS
};

struct rb_background {
	/** Bits that the user gives a meaning; 0: nothing is under way. The user sets a bit before
	 *  rb_background_wake(), both in seq_cst order: a service lcore stores `sleeps` before its
	 * last look at this word. One of the two sees the other's store
	 * (tests/spin/background.pml). */
	_Alignas(64) _Atomic uint64_t pending;
	_Atomic uint32_t sleeps; /**< service lcore of group 0: enum rb_background_sleep */
	/** NULL: none. Stored and loaded in seq_cst order against service lcores (background.c).
	 * Relaxed in threads of the program: it changes only at start and end of the job, and the
	 * program has ordered these with its threads' calls. */
	bool (*turn)(bool service);
};
#pragma GCC visibility push(hidden)
extern struct rb_background rb_background;
/** How the service lcore is called; set before service lcores run. */
extern void (*rb_background_call)(void);
#pragma GCC visibility pop

/** @p turn advances what is under way, in a bounded time. @p service: in a service lcore, while
 *  the program may be computing. @return whether something has gone on. NULL: none; when this
 *  returns, service lcores do not call the former one any more. */
void rb_background_register(bool (*turn)(bool service));

/** Something is under way that may have to go on without the program. Costs a load where the
 *  service lcore is awake or called, or where this process has none. */
static inline void
rb_background_wake(void)
{
	uint32_t sleeps = RB_BACKGROUND_SLEEPS;

	/* seq_cst: see struct rb_background. Noted before the call: a note that came behind it
	 * might hide from the next post that the service lcore sleeps again. */
	if (__builtin_expect(atomic_load_explicit(&rb_background.sleeps, memory_order_seq_cst) ==
				     RB_BACKGROUND_SLEEPS,
			     0) &&
	    atomic_compare_exchange_strong_explicit(&rb_background.sleeps, &sleeps,
						    RB_BACKGROUND_CALLED, memory_order_seq_cst,
						    memory_order_seq_cst))
		rb_background_call();
}

/** Does this process have a service lcore, which calls the function? */
static inline bool
rb_background_served(void)
{
	return rb_background_call != NULL;
}

/* ---- within the runtime ---- */

/** One turn of an application thread. */
bool rb_background_turn(void);
/** One turn of a service lcore. @p crowded: it may have taken the CPU of a thread that is about to
 *  wait, and would then run the collective itself. Then it leaves alone what is new. */
bool rb_background_serve(bool crowded);
/** The service lcore is about to sleep. @return whether for a nap only */
bool rb_background_sleep(void);
void rb_background_woke(void);

static inline bool
rb_background_pending(void)
{
	return __builtin_expect(
		atomic_load_explicit(&rb_background.pending, memory_order_relaxed) != 0, 0);
}

#endif /* RB_HOST_BACKGROUND_H */
