/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_SURVIVE_CUT_WORD_H
#define RB_SURVIVE_CUT_WORD_H

/**
 * @file
 * The word in which hosts tell each other of a lost cable, rb_ctl.cut (doc/protocols.md, section
 * 9). A change here is one of the wire: raise RB_VERSION.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/rules.h"

/** The cut word: the cable; how far each of its two ends has come, at RB_CUT_STAGE plus
 *  RB_CUT_STAGE_BITS for the end that has it on its right side; and which loss of the job it is,
 *  counted from 1. */
enum {
	RB_CUT_CABLE = 0xff,
	RB_CUT_STAGE = 8,
	RB_CUT_STAGE_BITS = 4,
	RB_CUT_NUMBER = 16,
};

/** How far the host at an end of a lost cable has come; doc/protocols.md, section 9. */
enum rb_cut_stage {
	RB_CUT_LEFT,	/**< its own requests go the other way round */
	RB_CUT_STOPPED, /**< it sends nothing over the cable any more */
	RB_CUT_PARTED,	/**< its requests of the old ways are complete */
	RB_CUT_READY,	/**< it takes frames from the cable again */
	RB_CUT_ENTER,	/**< frames that were turned need the room of new ones */
	RB_CUT_OPEN,	/**< it sends over the cable again */
	RB_CUT_BACK,	/**< nothing is turned any more */
	RB_CUT_DONE,	/**< the other end has come as far */
};

static inline uint64_t
rb_cut_number_of(uint64_t word)
{
	return word >> RB_CUT_NUMBER;
}

static inline unsigned int
rb_cut_cable_of(uint64_t word)
{
	return word & RB_CUT_CABLE;
}

/** Of the end of the cable that has it on that side. */
static inline unsigned int
rb_cut_shift_of(enum rb_side side)
{
	return RB_CUT_STAGE + RB_CUT_STAGE_BITS * (unsigned int)side;
}

static inline enum rb_cut_stage
rb_cut_stage_of(uint64_t word, enum rb_side side)
{
	return (enum rb_cut_stage)(word >> rb_cut_shift_of(side) & ((1u << RB_CUT_STAGE_BITS) - 1));
}

static inline uint64_t
rb_cut_with_stage(uint64_t word, enum rb_side side, enum rb_cut_stage stage)
{
	uint64_t bits = ((1ull << RB_CUT_STAGE_BITS) - 1) << rb_cut_shift_of(side);

	return (word & ~bits) | (uint64_t)stage << rb_cut_shift_of(side);
}

/** Have both ends come as far? */
static inline bool
rb_cut_both(uint64_t word, enum rb_cut_stage stage)
{
	return rb_cut_stage_of(word, RB_LEFT) >= stage && rb_cut_stage_of(word, RB_RIGHT) >= stage;
}

/** Two words of one loss. */
static inline uint64_t
rb_cut_merge(uint64_t a, uint64_t b)
{
	enum rb_side side;

	for (side = RB_LEFT; side < RB_SIDES; side++)
		if (rb_cut_stage_of(b, side) > rb_cut_stage_of(a, side))
			a = rb_cut_with_stage(a, side, rb_cut_stage_of(b, side));
	return a;
}

#endif /* RB_SURVIVE_CUT_WORD_H */
