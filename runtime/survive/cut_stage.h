/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_SURVIVE_CUT_STAGE_H
#define RB_SURVIVE_CUT_STAGE_H

/**
 * @file
 * What a host does to its own routes and links when it learns more of a lost cable: before it
 * passes that on, so that its neighbours may rely on it (survive/cut.h).
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/link.h"
#include "base/rules.h"

/** May requests of routes that this host has left be under way? Set by each change of the routes.
 */
extern _Atomic bool rb_cut_draining_flag;

/* One thread at a time: the holder of the lock of survive/cut.c. */

/** Is the cable on @p side the one that the cut word is about? */
bool rb_change_ends(uint64_t word, enum rb_side side);

/** This host knew @p before, and knows @p now. @return what it knows then: it may have come a stage
 *  further. */
uint64_t rb_change_follow(uint64_t before, uint64_t now);

/** At an end of the cable: what its link is used for. */
void rb_change_use(uint64_t word, enum rb_link_use use);

/** Send a barrier word to the neighbour. A lost cable takes none, and what its word said last stays
 *  true. Where it comes back, the word is sent for this thread. Any thread. */
void rb_change_barrier(enum rb_side side, uint64_t word);

#endif /* RB_SURVIVE_CUT_STAGE_H */
