/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_RELAY_PROGRESS_H
#define RB_RELAY_PROGRESS_H

/** One bounded turn of communication work in the calling thread. Call it while waiting. */
void rb_progress(void);

/** The same, of a call that tests: the thread may give its CPU to others, but does not sleep. */
void rb_progress_tested(void);

#endif /* RB_RELAY_PROGRESS_H */
