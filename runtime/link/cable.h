/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_LINK_CABLE_H
#define RB_LINK_CABLE_H

/**
 * @file
 * Cables while a job runs. A link that breaks loses the packets that were under way, even if it is
 * up again a microsecond later, and nothing retransmits them. So the job ends and names the cable.
 */

#include <stdint.h>

#include "base/rules.h"

/** The link is up on both sides: from here on a break ends the job, unless the neighbour has said
 *  farewell. @p breaks is rb_cable_breaks() from before the last word of the handshake. */
void rb_cable_watch(enum rb_side side, uint64_t breaks);
uint64_t rb_cable_breaks(enum rb_side side);

/** Flush this CPU's earlier stores through the window into the neighbour's memory. Ends the job if
 *  that fails. */
void rb_cable_flush(enum rb_side side);

/** End the job if a neighbour ended it, or if a cable broke. For loops that wait: reads the clock
 * on every 64th call, and the chips once a millisecond. */
void rb_cable_look(void);
/** The same, but reads the clock at once: after a sleep. */
void rb_cable_check(void);

/** Tell the neighbour that this host leaves in good order: a break that follows loses nothing. */
void rb_cable_farewell(enum rb_side side);

#endif /* RB_LINK_CABLE_H */
