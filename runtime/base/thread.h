/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_BASE_THREAD_H
#define RB_BASE_THREAD_H

/**
 * @file
 * The threads of this process, and their clock.
 */

#include <stdbool.h>
#include <stdint.h>

/** CLOCK_MONOTONIC, in nanoseconds. */
uint64_t rb_now_ns(void);

/** Threads of this process; 0: /proc does not say. */
int rb_threads(void);
/** Of them, those that the kernel counts and the C library has not started. To be asked first. */
int rb_threads_unknown(void);
/** So many more of them never touch what the program declared. Before other threads run. */
void rb_threads_foreign(int n);
/** Has the program no thread but the calling one? */
bool rb_threads_alone(void);
/** Start a thread beside the program's that only waits. 0 or -errno, words. */
int rb_thread_start(void *(*fn)(void *));

/** The calling thread is a service lcore: it never naps, because all of the ring waits for it. */
void rb_thread_service(void);
extern __thread bool rb_thread_serves __attribute__((tls_model("initial-exec")));

static inline bool
rb_thread_is_service(void)
{
	return rb_thread_serves;
}

#endif /* RB_BASE_THREAD_H */
