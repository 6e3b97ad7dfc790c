/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_JOB_MONITOR_H
#define RB_JOB_MONITOR_H

/**
 * @file
 * The thread that waits for the end of the job, in each PE: for a message or the end of oshrun, or,
 * under a PMIx launcher, for the word of another PE of this host.
 */

/** 0 or -errno with an error text. */
int rb_monitor_start(void);

#endif /* RB_JOB_MONITOR_H */
