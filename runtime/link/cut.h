/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_LINK_CUT_H
#define RB_LINK_CUT_H

/**
 * @file
 * One lost cable: a ring without it is a line, on which every host still reaches every other. The
 * hosts tell each other which cable it is, and change their routes (doc/protocols.md, section 9).
 *
 * A job survives where all windows are memory: what was stored before the loss has arrived then,
 * because each host keeps a mapping of its neighbours' regions of its own. Nothing is stored over
 * the cable any more once a host knows.
 */

#include <stdbool.h>

#include "base/link.h"
#include "base/rules.h"

/** Find out whether the job survives a loss, and keep the windows for it. Call it when all links
 * are up, before any frame is sent. */
void rb_cut_prepare(void);

/** This host's cable on @p side is lost. 0: the job goes on; -ENOTSUP: it cannot; -EBUSY: another
 *  cable was lost before. */
int rb_cut_own(enum rb_side side);

/** Look what the neighbours know of a lost cable, and pass it on. 0, or -EBUSY: it is a second
 *  one. */
int rb_cut_look(void);

/** Has a neighbour told that a cable is lost? For the time in which this host cannot act on it. */
bool rb_cut_told(void);

/** This host sends no frames of relays over its lost cable any more. */
void rb_cut_stopped(void);

/** Nor does the host at its other end, and every host has been told: no new frames come that would
 *  cross the cable. Acquire: what came over the cable is visible. */
bool rb_cut_all_told(enum rb_side side);

/** Is the cable of a link lost? Relaxed: a store that still goes out over it arrives. */
static inline bool
rb_cut_is(const struct rb_link *link)
{
	return atomic_load_explicit(&link->cut, memory_order_relaxed);
}

#endif /* RB_LINK_CUT_H */
