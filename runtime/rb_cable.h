/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_CABLE_H
#define RB_CABLE_H

/**
 * @file
 * Cables while a job runs. A link that breaks loses what was under way on it, also where it is up
 * again a microsecond later, and nobody sends that again. So a job in which one broke ends, and
 * says why, instead of waiting for it or going on without.
 */

#include "rb_int.h"

/** Both sides have agreed: from here on no break is excused but those after a farewell. @p breaks
 *  is what rb_cable_breaks() said before the last word was exchanged. */
void rb_cable_watch(enum rb_side side, uint64_t breaks);
uint64_t rb_cable_breaks(enum rb_side side);

/** All earlier stores of this CPU through the window are in the neighbour's memory. Does not return
 *  where that is not known. */
void rb_cable_flush(enum rb_side side);

/** Ends the job if a cable broke. Looks at the clock now and then, and at the chips when it is
 *  time: for loops that wait. */
void rb_cable_look(void);
/** The same, and looks at the clock: for who has slept. */
void rb_cable_check(void);

/** This host leaves in good order: what follows on the link is no loss. */
void rb_cable_farewell(enum rb_side side);

#endif /* RB_CABLE_H */
