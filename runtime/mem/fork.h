/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_MEM_FORK_H
#define RB_MEM_FORK_H

/**
 * @file
 * Children that the program forks. A child is not a PE: it has static data of its own, shares the
 * heap with its parent, and makes no calls of the library. The library does not watch how it ends.
 */

/** Static data has moved: from now on each forked child gets a copy. 0, or -errno with words in
 *  rb_error(). */
int rb_fork_data_moved(void);

/** @p in_child of struct rb_params. Before this process is a PE. */
void rb_fork_in_child(void (*in_child)(void));

#endif /* RB_MEM_FORK_H */
