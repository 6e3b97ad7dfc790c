/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_BASE_PROCESS_H
#define RB_BASE_PROCESS_H

/**
 * @file
 * Which process is the PE. A child that the program forks is not a PE: it makes no calls of the
 * library, and the library does not watch how it ends.
 */

#include <stdbool.h>

/** This process is a PE from here on. */
void rb_process_claim(void);
/** Is this a child of the PE? Also one that was made without the handlers of pthread_atfork(). */
bool rb_process_child(void);

/** Mark this process as a child, from a handler of fork(). @return false: its parent is not a PE,
 *  or it is marked already */
bool rb_process_mark(void);
bool rb_process_marked(void);

#endif /* RB_BASE_PROCESS_H */
