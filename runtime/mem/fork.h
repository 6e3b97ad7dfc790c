/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_MEM_FORK_H
#define RB_MEM_FORK_H

/**
 * @file
 * Children that the program forks. A child is no PE: it has static data of its own, shares the heap
 * with its parent, and makes no calls of the library. What it does when it ends is its own
 * business.
 */

#include <stdbool.h>

/** Static data has moved: forked children need a copy of it. 0 or -errno, words. */
int rb_fork_data_moved(void);

#endif /* RB_MEM_FORK_H */
