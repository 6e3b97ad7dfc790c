/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_RELAY_POLL_H
#define RB_RELAY_POLL_H

/**
 * @file
 * The turns of polling: of service lcores, and of application threads that wait or test.
 */

/** One bounded turn of communication work in the calling thread. Call it while waiting. */
void rb_progress(void);

/** The same, of a call that tests: the thread may give its CPU to others, but does not sleep. */
void rb_progress_tested(void);

/* ---- within the runtime ---- */

/** One turn at the rings. Also returns RB_PROGRESS_IDLE if another thread is polling. */
enum rb_progress_left rb_progress_once(void);

/** Start and stop the service lcores. */
int rb_lcore_start(void);
void rb_lcore_stop(void);

#endif /* RB_RELAY_POLL_H */
