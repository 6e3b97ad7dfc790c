/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_BASE_EXIT_H
#define RB_BASE_EXIT_H

/**
 * @file
 * The end of the job, wherever it begins, and messages to the user.
 */

#include <stdbool.h>

#include "base/launcher_msg.h"

/** End the whole job with @p status; does not return. */
void rb_abort(int status) __attribute__((noreturn));
/** Send the launcher one line: why this PE cannot go on. The launcher prints it with the PE's
 *  number. */
void rb_report(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* ---- within the runtime ---- */

/** Has a neighbour ended the job? Then pass the abort word on and end this process. */
void rb_abort_check(void);
/** Announce the end of the job to all processes that may wait for this one, and to its launcher and
 *  watchdog. */
void rb_abort_announce(int status);
/** Print one line for the user, such as the progress of the start. */
void rb_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/** Store the abort word at the neighbours, which pass it on round the ring. */
void rb_abort_broadcast(int status);
/** Send a message to the launcher. @return false: there is none, or the program has closed its
 * socket
 */
bool rb_ctl_send(enum rb_ctl_type type, int status, const char *text);

/** What the rooms above do when the job ends. */
struct rb_end_ops {
	void (*announce)(int status); /**< to the other PEs of this host */
	/** what watches this process, because it would report the process's end */
	void (*stop)(void);
};
/** Set before other threads run; NULL: nothing runs yet that has to know. */
extern const struct rb_end_ops *rb_end_ops;

/*
 * The end of this process because the job ends.
 */

/** Is this process ending because the job does? Then no thread may wait for other PEs. */
bool rb_leaving(void);
/** End this process as exit() does: the job ends. Any thread may call it; the first one ends the
 *  process. */
void rb_leave(int status) __attribute__((noreturn));
/** Flush all streams, unless the program keeps stdout or stderr locked. */
void rb_leave_flush(void);

#endif /* RB_BASE_EXIT_H */
