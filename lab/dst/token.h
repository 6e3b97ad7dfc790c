/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef LAB_DST_TOKEN_H
#define LAB_DST_TOKEN_H

/**
 * @file
 * Which thread of the job runs: one, which has the token. It gives the token away at points.
 */

#include "seg.h"

#define NEVER UINT64_MAX

/** Kinds of points, for the hash. System calls are DST_CALL + their number. */
enum dst_kind {
	DST_LOAD = 1,
	DST_STORE,
	DST_RMW,
	DST_FENCE,
	DST_PLAIN,
	DST_PAUSE,
	DST_SWITCH,
	DST_TIME,
	DST_START,
	DST_END,
	DST_LOCK,
	DST_CALL = 64,
};

/** The slot of this thread; NULL: not simulated. */
extern __thread struct slot *dst_self __attribute__((tls_model("initial-exec")));

/** Something that another thread may see happens: perhaps another one runs first. */
void dst_point(enum dst_kind kind, uint64_t where, uint64_t value);
/** A shared word gets another value. */
void dst_changed(void);
/** Wait as @p state says, and give the token away. The caller has set what it waits for. */
void dst_wait(enum slot_state state, uint64_t deadline);
/** This thread has nothing to do until a word changes. */
void dst_pause(void);
/** @return a slot of a thread that is to come; @p proc: slot of its process, or NULL: a new one */
struct slot *dst_slot_new(const struct slot *proc);
/** The first turn of a thread whose slot is @p s: waits for the token. */
void dst_enter(struct slot *s);
/** This thread, or its process, is about to end. Its token is gone when this returns. */
void dst_leave(bool process);
/** All threads of a process but @p left are no more. */
void dst_bury(int pid, const struct slot *left);
/** The process with the token has ended without passing it on. */
void dst_lost(int pid);
/** The job ends here, with this verdict. */
void dst_stop(const char *why);
uint64_t dst_random(void);

#endif /* LAB_DST_TOKEN_H */
