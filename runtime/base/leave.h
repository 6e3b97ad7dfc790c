/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_BASE_LEAVE_H
#define RB_BASE_LEAVE_H

/**
 * @file
 * The end of this process because the job ends.
 */

#include <stdbool.h>

/** Is this process ending because the job does? Then no thread may wait for other PEs. */
bool rb_leaving(void);
/** End this process as exit() does: the job ends. Any thread may call it; the first one ends the
 *  process. */
void rb_leave(int status) __attribute__((noreturn));
/** Flush all streams, unless the program keeps stdout or stderr locked. */
void rb_leave_flush(void);

#endif /* RB_BASE_LEAVE_H */
