/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_JOB_LAUNCHER_WATCH_H
#define RB_JOB_LAUNCHER_WATCH_H

/** End this process when oshrun ends, whichever process is its parent. 0 or -errno with an error
 *  text. */
int rb_launcher_watch_start(void);

#endif /* RB_JOB_LAUNCHER_WATCH_H */
