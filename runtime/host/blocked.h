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

/** @file Part of rb.h: how this PE writes the table of long waits (observe/blocked_table.h). */

/** Map the table of oshrun, if there is one. @p caller: as in struct rb_params. 0, or -errno with
 *  words. */
int rb_block_open(void (*caller)(char *name, size_t size));
/** @p missing: rb_barrier_missing() */
void rb_block_barrier(bool (*missing)(int *local, int *host));
/** The host segment is mapped now, or is unmapped next: without oshrun it holds the table. */
void rb_block_host(bool there);
void rb_block_state(enum rb_blocked_state state);

/** For each wait, every few turns: notes the wait once it has lasted for 0.1 s. */
void rb_block_look(struct rb_wait *w);
/** A noted wait is over. */
void rb_block_end(struct rb_wait *w);

/** Since when this PE is in the longest of its noted waits (CLOCK_MONOTONIC, ns); 0: in none. */
uint64_t rb_block_since(void);
/** The entries of a PE of this host. */
const struct rb_blocked_pe *rb_block_of(int pe);

/** Seconds that a PE waits for others to come; 0: no limit. */
int rb_block_limit(void);
/** Has a wait since @p began (CLOCK_MONOTONIC, ns) exceeded that limit by @p grace seconds? False
 *  while oshrun still starts PEs. */
bool rb_block_late(uint64_t began, int grace);

#endif /* RB_HOST_BLOCKED_H */
