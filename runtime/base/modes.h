/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_BASE_MODES_H
#define RB_BASE_MODES_H

/**
 * @file
 * The modes that a variable of the environment, or an option of oshrun, chooses by a word. Each
 * table has the value of the enum and its word, so both always match and everyone who reads or
 * prints a mode has the same words:
 *
 *     static const char *const words[] = {RB_NOTIFY_MODES(RB_MODE_WORD)};
 */

#define RB_MODE_VALUE(value, word) value,
#define RB_MODE_WORD(value, word) word,

/** How a thread waits, RINGBELL_WAIT. */
#define RB_WAIT_MODES(MODE)          \
	MODE(RB_WAIT_AUTO, "auto")   \
	MODE(RB_WAIT_SPIN, "spin")   \
	MODE(RB_WAIT_YIELD, "yield") \
	MODE(RB_WAIT_SLEEP, "sleep")

/** How a receiver learns of a new frame, RINGBELL_NOTIFY and --notify. memory: it polls the
 *  descriptors in its memory. doorbell: it polls the doorbell register, and reads the rings that
 *  the register names. */
#define RB_NOTIFY_MODES(MODE)            \
	MODE(RB_NOTIFY_MEMORY, "memory") \
	MODE(RB_NOTIFY_DOORBELL, "doorbell")

/** How other PEs reach static data, RINGBELL_STATIC. remap: it moves to shared memory. none: it
 *  is not symmetric, and PEs may run different programs. */
#define RB_STATICS_MODES(MODE)          \
	MODE(RB_STATICS_REMAP, "remap") \
	MODE(RB_STATICS_NONE, "none")

/** Does the job go on without a cable that is lost, RINGBELL_SURVIVE and --survive? yes: by frames
 *  alone, which stay in a retransmit buffer until they are taken. */
#define RB_SURVIVE_MODES(MODE)    \
	MODE(RB_SURVIVE_NO, "no") \
	MODE(RB_SURVIVE_YES, "yes")

enum rb_wait_mode {
	RB_WAIT_MODES(RB_MODE_VALUE)
};
enum rb_notify {
	RB_NOTIFY_MODES(RB_MODE_VALUE)
};
enum rb_survive {
	RB_SURVIVE_MODES(RB_MODE_VALUE)
};
enum rb_statics {
	RB_STATICS_MODES(RB_MODE_VALUE)
};

#endif /* RB_BASE_MODES_H */
