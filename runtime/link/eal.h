/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_LINK_EAL_H
#define RB_LINK_EAL_H

#include <stdbool.h>

/** Start the EAL for this job and find the NT ports: fills rb.link[].port. 0 or -errno with an
 *  error text. */
int rb_eal_start(void);

void rb_eal_stop(void);

/** Has the EAL the pipes by which it calls its threads? A program may have closed them. */
bool rb_eal_whole(void);

#endif /* RB_LINK_EAL_H */
