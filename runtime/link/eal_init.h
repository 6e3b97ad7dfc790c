/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_LINK_EAL_INIT_H
#define RB_LINK_EAL_INIT_H

/**
 * @file
 * The call of rte_eal_init(), and what this process needs around it: a folder, no log of a start
 * that succeeds, descriptors that no child inherits, and that the call returns.
 */

#include <stdbool.h>

/** Start the EAL, which reorders @p argv. @p shares: it has files that other processes find. 0 or
 *  -errno with an error text. */
int rb_eal_init(int argc, char **argv, bool shares);
/** Are its pipes still those that it opened? */
bool rb_eal_init_whole(void);
/** The first error that the EAL logged while it started; "": none. */
const char *rb_eal_reason(void);

#endif /* RB_LINK_EAL_INIT_H */
