/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_BASE_STACK_H
#define RB_BASE_STACK_H

/**
 * @file
 * Stacks of threads in programs with much thread-local data.
 */

#include <stddef.h>

/** Bytes of a stack with @p room bytes in addition to the program's thread-local data. */
size_t rb_stack_size(size_t room);

/** Raise the default stack size, which DPDK's threads use, where it is too small for that data. 0,
 *  or -errno with words. */
int rb_stack_default(void);

#endif /* RB_BASE_STACK_H */
