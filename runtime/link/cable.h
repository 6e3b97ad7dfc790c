/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_LINK_CABLE_H
#define RB_LINK_CABLE_H

/**
 * @file
 * Cables while a job runs. A link that breaks loses the packets that were under way, even if it
 * comes up again a microsecond later, and no hardware sends them again. So the job goes on without
 * the cable, where it can (link/survive.h), and ends otherwise. A message names the cable.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/rules.h"
#include "base/weak.h"

/** The link is up on both sides. From now on a break is a loss, unless the neighbour has sent its
 *  farewell. @p breaks: rb_cable_breaks() before the last word of the handshake. */
void rb_cable_watch(enum rb_side side, uint64_t breaks);
uint64_t rb_cable_breaks(enum rb_side side);
/** Has it broken since, without the neighbour's farewell? */
bool rb_cable_broke(enum rb_side side);

/** Flush the earlier stores of this CPU through the window into the neighbour's memory. Ends the
 *  job on failure. */
void rb_cable_flush(enum rb_side side);
#ifdef RB_WEAK_WINDOW
#define rb_cable_flush(side) (rb_weak_skips("flush", __func__) ? (void)0 : rb_cable_flush(side))
#endif

/** The same where it makes no difference whether they have arrived or are lost: none is under way
 *  any more. */
void rb_cable_drain(enum rb_side side);

/** A load through the window has given ones: end the job where the neighbour's memory does not
 *  answer, or where the link has broken, because then they may be nobody's data. */
void rb_cable_doubt(enum rb_side side);

/** From now on a link that breaks stays down until the end of the job: the neighbour gets nothing
 *  that was sent after what the break has lost. If one broke before this call, that is a loss. */
void rb_cable_once(void);

/** End the job if a neighbour has ended it, and notice cables that have broken. For loops that
 * wait: reads the clock on every 64th call, and the chips once a millisecond. */
void rb_cable_look(void);
/** The same, but reads the clock at once: for use after a sleep. */
void rb_cable_check(void);

/** End the job for the sake of the cable on @p side, and say @p what happened to it. */
void rb_cable_end(enum rb_side side, const char *what) __attribute__((noreturn));

/** Announce to the neighbour that this host leaves in good order: a break after this loses nothing.
 */
void rb_cable_farewell(enum rb_side side);

/** How a cable that was out when the job started comes into use: where its link is up, @p agree
 *  returns 0 once both sides have agreed. */
void rb_cable_agree(int (*agree)(enum rb_side side));

/** Has the lost cable of @p side been up for RINGBELL_HEAL_TIME? If so, the caller is about to take
 *  it into use: from now on it counts as lost again where it breaks. */
bool rb_cable_heals(enum rb_side side);

/** This host is about to store over the cable that is back. Where a store that is lost would be
 *  missed, its link is to stay down from now on if it breaks. */
void rb_cable_rely(enum rb_side side);

#endif /* RB_LINK_CABLE_H */
