/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_JOB_WATCHDOG_H
#define RB_JOB_WATCHDOG_H

/**
 * @file
 * A process beside the one that owns the ports, for hosts that have launchers of their own. When
 * the owner dies without a word, killed for example, it tells the neighbours over the same windows.
 */

/** Start it: links are up, no other thread is at work. 0 or -errno, words. */
int rb_watchdog_start(void);
/** The owner leaves in order, or has told the neighbours itself. */
void rb_watchdog_stop(void);

#endif /* RB_JOB_WATCHDOG_H */
