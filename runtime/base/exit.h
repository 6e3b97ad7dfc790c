/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_BASE_EXIT_H
#define RB_BASE_EXIT_H

/**
 * @file
 * The end of the job, from whatever side it comes, and lines for the people who wait for it.
 */

#include <stdint.h>

#include "base/launcher_msg.h"

/** End the whole job with @p status; does not return. */
void rb_abort(int status) __attribute__((noreturn));
/** Tell the launcher why this PE cannot go on (one line); it prints it with the PE's number. */
void rb_report(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* ---- within the runtime ---- */

/** Has a neighbour ended the job? Then pass it on and end this process. */
void rb_abort_check(void);
/** Tell all who may wait for this process that the job ends, and whoever watches over it. */
void rb_abort_announce(int status);
/** One line for whoever looks at the job: how it is coming up. */
void rb_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/** Tell all other hosts, which pass it on, that this one ends the job. */
void rb_abort_broadcast(int status);
/** Tell the launcher; nothing where there is none. */
void rb_ctl_send(enum rb_ctl_type type, int status, const char *text);

/** What exit.c calls when the job ends, the latest first. Rooms above it register here. */
enum rb_abort_stage {
	RB_ABORT_TELL, /**< the other PEs of this host are told */
	RB_ABORT_STOP, /**< what watches over this process stops, since it would report its end */
	RB_ABORT_STAGES
};
struct rb_abort_hook {
	void (*fn)(int status);
	struct rb_abort_hook *next; /**< of exit.c */
};
/** From the thread that opens the job; once for each @p hook, which stays. */
void rb_abort_hook(enum rb_abort_stage stage, struct rb_abort_hook *hook);

#endif /* RB_BASE_EXIT_H */
