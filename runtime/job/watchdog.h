/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_JOB_WATCHDOG_H
#define RB_JOB_WATCHDOG_H

/**
 * @file
 * A process beside the one that owns the ports, for hosts with launchers of their own. If the owner
 * dies without announcing it, for example because it is killed, this process announces it to the
 * neighbours through the same windows.
 */

/** Start it after the links are up and before other threads work. 0 or -errno with an error text.
 */
int rb_watchdog_start(void);
/** The owner leaves in order, or has announced its end itself. */
void rb_watchdog_stop(void);

#endif /* RB_JOB_WATCHDOG_H */
