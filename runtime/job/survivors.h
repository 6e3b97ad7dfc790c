/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_JOB_SURVIVORS_H
#define RB_JOB_SURVIVORS_H

/**
 * @file
 * Part of rb.h: how the PEs that are left agree after the loss of a host, and go on
 * (RINGBELL_LOST_HOST=error; doc/protocols.md, section 10). oshrun is the one that counts: it sees
 * each PE end, and no PE hears an answer that another one does not hear.
 */

#include <stdbool.h>
#include <stdint.h>

/** Is a lost host an error of calls, and not the end of the job? */
bool rb_survivors_may(void);

/** What a PE does while all of them agree. Each call of these is made by all PEs that are left. */
struct rb_survivors_ops {
	/** Nothing is under way anywhere: forget what was. The ring goes on behind it. */
	void (*clear)(void *arg);
	/** Communicate with the others that are left: -errno where that does not succeed. */
	int (*join)(void *arg);
	/** A host was lost meanwhile: join() will be called again. */
	void (*undo)(void *arg);
};

/**
 * Collective over all PEs that are left. No other thread of the program is in a call.
 * @return 0: all have joined, and all know of the same lost hosts. Else all get the same: -EBUSY, a
 * PE is about to leave the job; or what join() returned, which is alike on all.
 */
int rb_survivors_agree(const struct rb_survivors_ops *ops, void *arg);

/* ---- within the runtime ---- */

/** Can this job go on without a host? 0, or -ENOTSUP with words. */
int rb_survivors_check(void);

/** The last step of rb_close(), where the mode is on: wait until all PEs that are left are there.
 */
void rb_survivors_leave(void);

struct rb_ctl_msg;
/** RB_CTL_GONE, RB_CTL_AGREE. In the thread that reads the launcher's messages. */
void rb_survivors_gone(const struct rb_ctl_msg *msg);
void rb_survivors_answer(const struct rb_ctl_msg *msg);

#endif /* RB_JOB_SURVIVORS_H */
