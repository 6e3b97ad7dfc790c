/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_HOST_FOLLOW_H
#define RB_HOST_FOLLOW_H

/** @file How the PEs without ports learn that a cable of the ring is lost, or back. */

/** Change the routes of this process where the lead has found a cable lost, or back. Costs a load.
 *  Until then its own stores through a window that it maps arrive: the window is memory. */
void rb_follow_lead(void);
/** A cable is back: @p map maps its window where this process has not got it yet. */
void rb_follow_return(void (*map)(void));

#endif /* RB_HOST_FOLLOW_H */
