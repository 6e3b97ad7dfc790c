/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_HOST_HOST_H
#define RB_HOST_HOST_H

/**
 * @file
 * The PEs of one host: a small segment in the launcher's memfd through which they find the region
 * that the first of them (the lead) creates, and meet in barriers.
 */

#include <stdbool.h>
#include <stdint.h>

/** Map the segment. 0 or -errno, words. */
int rb_host_open(void);
void rb_host_close(void);
/** Lead: let the others have the region. */
void rb_host_publish(void);
/** Others: wait for the region and map it. 0 or -errno, words. */
int rb_host_join(void);

/** Arrival of all PEs of this host. The lead then calls rb_host_release(), for which the others
 *  wait, unless this is the only host. */
void rb_host_arrive(uint64_t epoch);
void rb_host_release(uint64_t epoch);
bool rb_host_released(uint64_t epoch);
/** Wait until all PEs of this host have arrived. */
void rb_host_barrier(uint64_t epoch);
/** Have they? The PEs before @p from had at the last look. */
bool rb_host_all_arrived(uint64_t epoch, int *from);

#endif /* RB_HOST_HOST_H */
