/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_BASE_EXIT_H
#define RB_BASE_EXIT_H

#include "base/launcher_msg.h"

/** Has a neighbour ended the job? Then pass it on and end this process. So too if a cable broke. */
void rb_end_look(void);
/** Only the former. */
void rb_end_heard(void);
/** Tell all who may wait for this process that the job ends, and whoever watches over it. */
void rb_end_all(int status);
/** One line for whoever looks at the job: how it is coming up. */
void rb_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/** End this process as exit() does: the job ends. Any thread; the first one does it. */
void rb_leave(int status) __attribute__((noreturn));
/** Flush all streams, unless the program keeps stdout or stderr locked. */
void rb_leave_flush(void);
/** Tell all other hosts, which pass it on, that this one ends the job. */
void rb_end_tell(int status);
/** End this process when oshrun ends, whoever is its parent. 0 or -errno, words. */
int rb_orphan_start(void);
/** Under a PMIx launcher, leave when a PE of this host ends the job. 0 or -errno, words. */
int rb_quit_start(void);
/** Tell the PEs of this host that one ends the job. */
void rb_quit_tell(int status);
/** A thread beside the program's that only waits. 0 or -errno, words. */
int rb_watch_start(void *(*fn)(void *));
/** Tell the launcher; nothing where there is none. */
void rb_ctl_send(enum rb_ctl_type type, int status, const char *text);

#endif /* RB_BASE_EXIT_H */
