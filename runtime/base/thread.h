/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_BASE_THREAD_H
#define RB_BASE_THREAD_H

/**
 * @file
 * The threads of this process, and their clock. Part of rb.h.
 */

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** CLOCK_MONOTONIC, in nanoseconds. */
uint64_t rb_now_ns(void);

static inline uint64_t
rb_now_ms(void)
{
	return rb_now_ns() / 1000000;
}

/** Block signals, for threads that a library starts meanwhile: they inherit this mask, and a signal
 *  that the program blocks or waits for must not find them. Those of faults, and that of
 *  rb_threads_stop(), stay. @param[out] was for pthread_sigmask(SIG_SETMASK) */
void rb_signals_block(sigset_t *was);

/** Start a thread of the library that only waits. 0, or -errno with words. */
int rb_thread_start(void *(*fn)(void *));

/* ---- within the runtime ---- */

/** Number of threads of this process; 0: /proc cannot be read. */
int rb_threads(void);
/** Count @p n more threads that never touch the program's variables. Deaf ones block all signals.
 */
void rb_threads_foreign(int n, bool are_deaf);

/** Stop all threads but the calling one and deaf ones. They may hold locks of the C library until
 *  rb_threads_go(), so allocate nothing before. Calls in which they wait begin anew, or end with
 *  EINTR, as signal(7) lists them. @return false: one does not stop, and all go on */
bool rb_threads_stop(void);
void rb_threads_go(void);
/** Is the calling thread the program's only one? */
bool rb_threads_alone(void);
/** Is the calling thread one of the runtime's, and not one of the program's? */
bool rb_thread_is_ours(void);

/** Mark the calling thread as a service lcore: it never naps in waits, because the whole ring
 *  depends on it. */
void rb_thread_service(void);
extern __thread bool rb_thread_serves __attribute__((tls_model("initial-exec")));

static inline bool
rb_thread_is_service(void)
{
	return rb_thread_serves;
}

/*
 * Which process is the PE. A child that the program forks is not a PE: it makes no calls of the
 * library, and the library does not watch how it ends.
 */

/** This process is a PE from here on. */
void rb_process_claim(void);
/** Is this a child of the PE? Also one that was made without the handlers of pthread_atfork(). */
bool rb_process_child(void);

/** Mark this process as a child, from a handler of each fork(). @return false: its parent is not a
 * PE, or it is marked already */
bool rb_process_mark(void);
bool rb_process_marked(void);

/** Ask the kernel for short time slices for the calling thread: the scheduler then runs this thread
 *  sooner when it has work, and takes its CPU away sooner. */
void rb_slice_short(void);
enum {
	RB_SLICE_NS = 100 * 1000 /**< the shortest that Linux accepts */
};

/*
 * Stacks of threads in programs with much thread-local data.
 */

/** Bytes of a stack with @p room bytes in addition to the program's thread-local data. */
size_t rb_stack_size(size_t room);

/** Raise the default stack size, which DPDK's threads use, where it is too small for that data. 0,
 *  or -errno with words. */
int rb_stack_default(void);

#endif /* RB_BASE_THREAD_H */
