/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_SURVIVE_CUT_H
#define RB_SURVIVE_CUT_H

/**
 * @file
 * One lost cable: a ring without it is a line, on which every host still reaches every other. The
 * hosts tell each other which cable it is, and change their routes; and again when it is back
 * (doc/protocols.md, section 9).
 *
 * Losses have numbers. The next one counts only once the last one has healed; until then no other
 * cable may be lost, and losing the same one again changes nothing.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "survive/cut_word.h"
#include "base/link.h"
#include "base/rules.h"
#include "base/state.h"

/** This host's cable on @p side is lost. 0: the job goes on; -ENOTSUP: it cannot; -EBUSY: another
 *  cable was lost before, and is not whole yet. */
int rb_cut_own(enum rb_side side);

/** Look what the neighbours know of a lost cable, and pass it on. 0, or -EBUSY: it is a second
 *  one. */
int rb_cut_look(void);

/** The cut word that the neighbour on a side has stored here; 0: none. Untrusted. Acquire: pairs
 *  with the store of tell_neighbours(). */
static inline uint64_t
rb_cut_word_from(enum rb_side side)
{
	const struct rb_link *link = &rb.link[side];

	return link->port == NULL ? 0 : __atomic_load_n(&link->mine->cut, __ATOMIC_ACQUIRE);
}

/** Has a neighbour told that a cable is lost? Every poll asks, and before the first loss that is
 *  all; also for the time in which this host cannot act on it. */
static inline bool
rb_cut_any_word(void)
{
	return (rb_cut_word_from(RB_LEFT) | rb_cut_word_from(RB_RIGHT)) != 0;
}

/** Number of the last loss; 0: there was none. */
uint64_t rb_cut_number(void);

/** This host, an end of the lost cable on its @p side, has come as far as @p stage with all of its
 *  groups, for loss @p number. */
void rb_cut_reach(enum rb_side side, uint64_t number, enum rb_cut_stage stage);
/** How far has the host at the other end come, as far as this one knows? Acquire: what it did
 *  before is visible. What it says from RB_CUT_STOPPED on, all hosts have done that. */
enum rb_cut_stage rb_cut_far_stage(enum rb_side side);

/** Have both ends of the lost cable come as far as RB_CUT_PARTED, as far as this one knows? Then
 *  nobody is about to store over it. Acquire, as above. */
bool rb_cut_parted(void);

/** Nor does the host at its other end, and every host has been told: no new frames come that would
 *  cross the cable. */
static inline bool
rb_cut_all_know(enum rb_side side)
{
	return rb_cut_far_stage(side) >= RB_CUT_STOPPED;
}

/** Send a barrier word to the neighbour. A lost cable takes none, and what its word said last stays
 *  true. Where it comes back, the word is sent for this thread. Any thread. */
void rb_cut_barrier(enum rb_side side, uint64_t word);

/** Requests of the routes that this host has left are complete, for the routes of @p changes:
 *  rb_ring.changes as it was before the look. */
void rb_cut_routes_drained(uint32_t changes);
/** Are they? Acquire: pairs with rb_cut_routes_drained(). */
bool rb_cut_has_drained(void);

#endif /* RB_SURVIVE_CUT_H */
