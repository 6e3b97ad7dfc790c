/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_LINK_EAL_INIT_H
#define RB_LINK_EAL_INIT_H

/**
 * @file
 * rte_eal_init() that always returns.
 */

/** May this process have @p count threads more, all at once? 0 or -errno. */
int rb_eal_try_threads(unsigned int count);
/** As rte_eal_init(); also where that panics: -1, and rte_errno is EAGAIN. */
int rb_eal_init(int argc, char **argv);

#endif /* RB_LINK_EAL_INIT_H */
