/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_LINK_EAL_INIT_H
#define RB_LINK_EAL_INIT_H

/**
 * @file
 * A wrapper of rte_eal_init() that always returns.
 */

/** Can this process start @p count more threads, all at once? 0 or -errno. */
int rb_eal_try_threads(unsigned int count);
/** As rte_eal_init(), but returns -1 where that panics or exits; rte_errno is then EAGAIN or
 *  EINVAL. */
int rb_eal_init(int argc, char **argv);

#endif /* RB_LINK_EAL_INIT_H */
