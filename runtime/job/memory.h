/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_JOB_MEMORY_H
#define RB_JOB_MEMORY_H

/**
 * @file
 * The memory of the PEs of this host: its layout, the region with all heaps, static data.
 */

struct rb_params;

/** Lay out the region. 0 or -errno with an error text. */
int rb_memory_lay_out(const struct rb_params *params);
/** Give all PEs of this host one region. As above. */
int rb_memory_share(void);
/** Undo rb_memory_share(), where the job does not begin. */
void rb_memory_free(void);

#endif /* RB_JOB_MEMORY_H */
