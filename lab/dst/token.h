/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef LAB_DST_TOKEN_H
#define LAB_DST_TOKEN_H

/**
 * @file
 * Which thread of the job runs: one, which has the token. It gives the token away at points.
 */

#include <time.h>

#include "seg.h"

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
	DST_CLOCK,
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
/** The same, without a point. */
void dst_gone(bool process);
/** The process with the token has ended without passing it on. */
void dst_lost(int pid);
/** The job ends here, with this verdict. */
void dst_stop(const char *why);
uint64_t dst_random(void);

/* ---- space.c: names for places in memory that processes share ---- */

/** Where an address is: number of the shared object and offset, 0 outside of all. */
uint64_t dst_place(uint64_t addr);
struct key dst_key(uint64_t addr, bool shared);
/** @p over: in place of what is mapped there, as the windows of the model are */
void dst_mapped(uint64_t from, uint64_t len, uint64_t fd, uint64_t off, bool over);
void dst_unmapped(uint64_t from, uint64_t len, bool over);

/* ---- dead.c: no word is stored by one that is called dead ---- */

/** This process says something to another one. */
void dst_said(const void *message, uint64_t len);
/** A window of this process no longer shows memory of another host. */
void dst_shut(uint64_t from, uint64_t to);
/** It shows that of host @p owner. */
void dst_opened(uint64_t from, uint64_t to, int owner);

/* ---- clock.c: virtual time ---- */

/** What clock @p id shows, in ns. */
uint64_t dst_clock(long id);
/** The virtual time at which it shows @p ns. */
uint64_t dst_due(long id, uint64_t ns);
/** The clock counter: a cycle takes 1 ns. */
uint64_t dst_tsc(void);
static inline uint64_t
dst_ns(const struct timespec *t)
{
	return (uint64_t)t->tv_sec * 1000000000 + (uint64_t)t->tv_nsec;
}

/* ---- act.c: faults ---- */

/** Those whose step has come; @p now: the next one at any rate. @return has one been made? */
bool dst_act(bool now);

/* ---- wire.c: Ethernet between hosts ---- */

/** Its calls. @return false: the socket is another one */
bool dst_wire(long *ret, long nr, const long *a);
void dst_wire_fault(const struct dst_fault *f);

/* ---- trap.c ---- */

/** Those of this thread, from here on. */
void dst_trap_on(void);

/* ---- calls.c: a system call by its number ---- */

/** @return what the kernel would. @p context: of the trap's handler */
long dst_call(long nr, const long *a, void *context);

/* ---- block.c: calls that may block. All return what the kernel would ---- */

long dst_futex(const long *a);
long dst_futex_waitv(const long *a);
long dst_sleep(bool absolute, const long *a);
long dst_poll(long nr, const long *a, uint64_t timeout_ns);
/** @p nr reads from or writes to its first argument when poll() says one of @p events. */
long dst_io(long nr, const long *a, short events, bool dont_wait);
/** fcntl(). */
long dst_lock(const long *a);
long dst_timer_set(const long *a);
void dst_timer_closed(int fd);

/* ---- process.c: processes, and signals between them ---- */

long dst_fork(long flags, long stack, long ptid, long ctid, void *context);
long dst_wait_child(const long *a);
long dst_kill(long nr, const long *a);
/** A process is killed here and now; not this one. */
void dst_end_other(int pid);
/** Or this one. */
void dst_end(int pid);
long dst_sigaction(const long *a);
long dst_sigmask(const long *a, void *context);
/** This thread takes the signals that have come. */
void dst_deliver(void);
/** Has this thread run a handler since the last call of this? */
bool dst_interrupted(void);

#endif /* LAB_DST_TOKEN_H */
