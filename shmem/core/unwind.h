/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SHMEMI_UNWIND_H
#define SHMEMI_UNWIND_H

/**
 * @file
 * Collectives end where a host is lost and the job goes on without it (runtime/base/gone.h). Their
 * algorithms wait in many places, and cannot go on without what they wait for. So such a wait
 * leaves the whole collective by longjmp(). Memory that the collective had allocated is lost with
 * it; a job survives so few hosts that this does not count. No lock is held in such a wait.
 */

#include <setjmp.h>

#include "state.h"

struct shmemi_guard {
	jmp_buf at;
	struct shmemi_guard *outer;
};

/** Where @p guard->at has been set, waits of this thread lead back there from here on. */
void shmemi_guard_begin(struct shmemi_guard *guard);
/** The collective of the last guard is over. 0, or -1 where the ring has stopped. */
int shmemi_guard_end(void);

/** The guards of this thread are those from @p guard outwards from now on. @return those until now
 */
struct shmemi_guard *shmemi_guard_swap(struct shmemi_guard *guard);

/** A wait, which has ended, will not get what it waits for. */
void shmemi_unwind(void) __attribute__((noreturn));

#endif /* SHMEMI_UNWIND_H */
