/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SHMEMI_FIBER_H
#define SHMEMI_FIBER_H

/**
 * @file
 * Fibers: functions with a stack of their own, which give the thread back where they would wait for
 * other PEs (`leaves` of struct rb_wait), and go on where they are resumed, in this or another
 * thread. So a collective needs no second algorithm in order to go on beside the program.
 *
 * A fiber may change threads in each such wait. Code that waits there must not use thread-local
 * variables on both sides of the wait: a compiler may keep the address of one. Functions called in
 * between may use them.
 */

#include <stdatomic.h>
#include <stdbool.h>

struct rb_wait;
struct shmemi_fiber;

/** @return NULL: no memory */
struct shmemi_fiber *shmemi_fiber_new(void);
void shmemi_fiber_free(struct shmemi_fiber *fiber); /**< runs nothing; NULL: does nothing */

/** Begin @p fn(@p arg) in a fiber that runs nothing, @return as shmemi_fiber_resume(). */
bool shmemi_fiber_begin(struct shmemi_fiber *fiber, void (*fn)(void *arg), void *arg);
/** Go on until the fiber waits, or its function returns. One thread at a time; what it does is
 *  ordered behind what the last one did by the caller. @return whether the function has returned */
bool shmemi_fiber_resume(struct shmemi_fiber *fiber);
/** Go on until its function has returned: the thread would wait anyway, so the fiber keeps it where
 *  it waits. Other fibers may be resumed in such a wait. */
void shmemi_fiber_finish(struct shmemi_fiber *fiber);
/** Has a wait of the fiber ended, or its function, since this was asked last? */
bool shmemi_fiber_moved(struct shmemi_fiber *fiber);

/** Is the caller in a fiber? */
bool shmemi_fiber_inside(void);
/** Is it in one that gives the thread back where it waits? */
bool shmemi_fiber_leaves(void);
/** In such a fiber: give the thread back; returns when the fiber is resumed, maybe in another
 * thread. So no function on its stack may use a thread-local variable itself before and behind it:
 * a compiler keeps its place (AArch64). A call of a function of another file is right.
 *  For rb_wait_leave_by(). @return false: in none */
bool shmemi_fiber_wait(struct rb_wait *w);

#endif /* SHMEMI_FIBER_H */
