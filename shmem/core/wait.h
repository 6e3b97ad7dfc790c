/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SHMEMI_WAIT_H
#define SHMEMI_WAIT_H

/**
 * @file
 * Waiting inside the library, for what other PEs do.
 */

#include "state.h"
#include "fiber.h"
#include "hang.h"
#include "unwind.h"

/** May the caller be in a fiber? Other waits pay for a load. */
static inline bool
shmemi_wait_in_fiber(void)
{
	return __builtin_expect(atomic_load_explicit(&shmemi_fibers, memory_order_relaxed) != 0, 0);
}

/** In a fiber: a turn is to give the thread back, until the fiber is resumed. False elsewhere. */
static inline bool
shmemi_wait_beside(struct rb_wait *w)
{
	return shmemi_wait_in_fiber() && shmemi_fiber_wait(w);
}

/** A host may be lost: leave the collective. */
static inline void
shmemi_wait_look(struct rb_wait *w)
{
	if (!rb_gone_ends(w))
		return;
	rb_wait_end(w);
	shmemi_unwind();
}

/** rb_wait_once(), rb_wait_once_local() and rb_wait_end() in waits for what other PEs do. */
static inline void
shmemi_wait_once(struct rb_wait *w)
{
	if (!shmemi_wait_beside(w)) {
		if (shmemi.check)
			shmemi_hang_wait();
		rb_wait_once(w);
	}
	shmemi_wait_look(w);
}

static inline void
shmemi_wait_once_local(struct rb_wait *w, bool missing_here)
{
	if (!shmemi_wait_beside(w)) {
		if (shmemi.check)
			shmemi_hang_wait();
		rb_wait_once_local(w, missing_here);
	}
	shmemi_wait_look(w);
}

static inline void
shmemi_wait_end(struct rb_wait *w)
{
	if (shmemi_wait_in_fiber() && shmemi_fiber_wait_end())
		return;
	if (shmemi.check)
		shmemi_hang_wait_end();
	rb_wait_end(w);
}

/** Wait until *word >= value (as unsigned), with acquire order. Others write it. */
void shmemi_wait_ge64(const uint64_t *word, uint64_t value);

#endif /* SHMEMI_WAIT_H */
