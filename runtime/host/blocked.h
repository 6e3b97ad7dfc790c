/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_HOST_BLOCKED_H
#define RB_HOST_BLOCKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/types.h"
#include "observe/blocked_table.h"

/** @file How this PE writes the table of long waits (observe/blocked_table.h). */

/** Map the table that oshrun gave, where it did. @p caller: as in struct rb_params. 0 or -errno,
 *  words. */
int rb_block_open(void (*caller)(char *name, size_t size));
/** @p missing: rb_barrier_missing() */
void rb_block_barrier(bool (*missing)(int *local, int *host));
/** The host segment is there, or goes away: without oshrun the table is in it. */
void rb_block_host(bool there);
void rb_block_state(enum rb_blocked_state state);

/** A wait has lasted for some turns: note it once it lasts long. */
void rb_block_look(struct rb_wait *w);
/** A noted wait is over. */
void rb_block_end(struct rb_wait *w);

/** The entries of a PE of this host; NULL where nobody here can see them. */
const struct rb_blocked_pe *rb_block_of(int pe);

/** Seconds that a PE waits for others to come; 0: no limit. */
int rb_block_limit(void);
/** Has one that waits since @p began, of CLOCK_MONOTONIC in ns, waited @p grace seconds longer?
 *  Never while oshrun still starts some. */
bool rb_block_late(uint64_t began, int grace);

#endif /* RB_HOST_BLOCKED_H */
