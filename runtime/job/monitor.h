/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_JOB_MONITOR_H
#define RB_JOB_MONITOR_H

/**
 * @file
 * The threads that wait for the end of the job, in each PE: for a message or the end of oshrun, or,
 * where rb_exchange brought the PEs together, for the word of another PE of this host, and for what
 * that says. They read what places and ports there are: after rb_ring_choose().
 */

/** 0 or -errno with an error text. */
int rb_monitor_start(void);

#endif /* RB_JOB_MONITOR_H */
