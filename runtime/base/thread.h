/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_BASE_THREAD_H
#define RB_BASE_THREAD_H

/**
 * @file
 * The threads of this process, and their clock. Part of rb.h.
 */

#include <stdbool.h>
#include <stdint.h>

/** CLOCK_MONOTONIC, in nanoseconds. */
uint64_t rb_now_ns(void);

/* ---- within the runtime ---- */

static inline uint64_t
rb_now_ms(void)
{
	return rb_now_ns() / 1000000;
}

/** Number of threads of this process; 0: /proc cannot be read. */
int rb_threads(void);
/** Number of threads that the C library has not started. Call it before any thread is started. */
int rb_threads_unknown(void);
/** Count @p n threads that never touch the program's variables. Before other threads run. */
void rb_threads_foreign(int n);
/** Is the calling thread the program's only one? */
bool rb_threads_alone(void);
/** Is the calling thread one of the runtime's, and not one of the program's? */
bool rb_thread_is_ours(void);
/** Start a thread of the runtime that only waits. 0, or -errno with words. */
int rb_thread_start(void *(*fn)(void *));

/** Mark the calling thread as a service lcore: it never naps in waits, because the whole ring
 *  depends on it. */
void rb_thread_service(void);
extern __thread bool rb_thread_serves __attribute__((tls_model("initial-exec")));

static inline bool
rb_thread_is_service(void)
{
	return rb_thread_serves;
}

#endif /* RB_BASE_THREAD_H */
