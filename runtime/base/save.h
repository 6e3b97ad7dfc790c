/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_BASE_SAVE_H
#define RB_BASE_SAVE_H

/**
 * @file
 * Part of rb.h: a program may have a function that saves its data where a lost PE or cable ends the
 * job. It runs in the first thread of the program that waits in a call, so that the program's data
 * are those of a call and not of any moment. It has some seconds. Then the process ends.
 *
 * The launcher says what is lost (RB_CTL_LOST), and waits as long.
 */

#include <stdbool.h>

#include "base/launcher_msg.h"

/** What ended the job. */
struct rb_lost {
	int pe;	   /**< that is dead, or has found its cable lost */
	int host;  /**< its host */
	bool dead; /**< else it has found a cable lost */
	int status;
	char reason[RB_CTL_TEXT]; /**< a line */
};

struct rb_saver {
	void (*call)(const struct rb_lost *lost, const struct rb_saver *s);
	void (*fn)(void); /**< for call() */
	void *arg;
	int seconds;
};

/* ---- within the runtime ---- */

/** s->call(lost, s) is to be called where the job ends for a loss; NULL: no more. @return whether
 *  that is something new */
bool rb_save_set(const struct rb_saver *s);

/** Something is lost, and the job ends. The first call decides. */
void rb_save_note(const struct rb_lost *lost);
/** The job ends for another reason. */
void rb_save_none(void);

/** Is it time for a thread of the program to leave, by rb_leave(rb_save_status())? */
bool rb_save_due(void);
int rb_save_status(void);

/** The calling thread is about to end the process: save first, or wait until that is done. Bounded.
 *  @p own: a thread of the program, not of the library */
void rb_save_before_end(bool own);
/** Does the program's function run, or has it run? */
bool rb_save_begun(void);

#endif /* RB_BASE_SAVE_H */
