/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_LINK_TURN_H
#define RB_LINK_TURN_H

/**
 * @file
 * What a host does to its own ways and links when it learns more of a lost cable: before it passes
 * that on, so that its neighbours may rely on it (link/cut.h).
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/link.h"
#include "base/route.h"
#include "base/rules.h"

/** Does this host wait for requests of ways that it has left? Set by each change of the ways. */
extern _Atomic bool rb_turn_settling;

/* One thread at a time: the holder of the lock of link/cut.c. */

/** Is the cable on @p side the one that the cut word is about? */
bool rb_turn_ends(uint64_t word, enum rb_side side);

/** This host knew @p before, and knows @p now. @return what it knows then: it may have come a stage
 *  further. */
uint64_t rb_turn_follow(uint64_t before, uint64_t now);

/** At an end of the cable: what its link is used for. */
void rb_turn_use(uint64_t word, enum rb_link_use use);

/** All requests of the ways that this host has left are complete. */
void rb_turn_settled(const struct rb_ring *ring);

#endif /* RB_LINK_TURN_H */
