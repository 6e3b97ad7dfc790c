/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SHMEM_STUCK_H
#define SHMEM_STUCK_H

/**
 * @file
 * Checked mode: who waits inside a collective call for whom. Each PE keeps in symmetric memory what
 * collective it is in; a thread of each that has been in one for long reads those of the others.
 */

#include "shmemi.h"

/** Its symmetric words, and in checked mode the thread. 0 or a negative errno, with words. */
int shmemi_stuck_open(const char *call);
/** After the first barrier: end the job unless all PEs are in checked mode, or none. */
void shmemi_stuck_alike(const char *call);
void shmemi_stuck_close(void);
size_t shmemi_stuck_bytes(void); /**< what it takes from the heap */

/** Around what waits for other PEs; checked mode only. They nest. */
void shmemi_stuck_enter(const char *call) __attribute__((cold));
void shmemi_stuck_leave(void) __attribute__((cold));

/** Turns of waits for other PEs; checked mode only. */
void shmemi_stuck_turn(void) __attribute__((cold));
void shmemi_stuck_turn_end(void) __attribute__((cold));

/** rb_wait_turn(), rb_wait_turn_for() and rb_wait_end() in waits for what other PEs do. */
static inline void
shmemi_wait_turn(struct rb_wait *w)
{
	if (shmemi.check)
		shmemi_stuck_turn();
	rb_wait_turn(w);
}

static inline void
shmemi_wait_turn_for(struct rb_wait *w, bool missing_here)
{
	if (shmemi.check)
		shmemi_stuck_turn();
	rb_wait_turn_for(w, missing_here);
}

static inline void
shmemi_wait_end(struct rb_wait *w)
{
	if (shmemi.check)
		shmemi_stuck_turn_end();
	rb_wait_end(w);
}

#endif /* SHMEM_STUCK_H */
