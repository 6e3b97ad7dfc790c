/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_HOST_HOST_H
#define RB_HOST_HOST_H

/**
 * @file
 * The PEs of one host. Through a small segment in the launcher's memfd they find the region that
 * the first of them (the lead) creates, and synchronize in barriers.
 */

#include <stdbool.h>
#include <stdint.h>

#include "host/wait.h"

/** Map the segment. 0 or -errno, words. */
int rb_host_open(void);
/** Leave it. The region stays: the program may end in any thread. */
void rb_host_close(void);
/** Lead: its time limit for the neighbours begins @p now, in ns. The others wait longer than that.
 */
void rb_host_greets(uint64_t now);
/** Lead: publish the region to the others. */
void rb_host_publish(void);
/** Others: wait for the region and map it. 0 or -errno, words. */
int rb_host_join(void);

/** Arrive at the barrier; returns on the lead, and on a single host, when all PEs of this host have
 *  arrived. The lead then calls rb_host_release(), for which the others wait, unless this is the
 *  only host. */
void rb_host_arrive(uint64_t epoch);
void rb_host_release(uint64_t epoch);
bool rb_host_released(uint64_t epoch);
/** Have all arrived? @p from: PEs before it had arrived at the last call. */
bool rb_host_all_arrived(uint64_t epoch, int *from);

#endif /* RB_HOST_HOST_H */
