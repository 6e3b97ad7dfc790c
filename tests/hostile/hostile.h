/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef HOSTILE_H
#define HOSTILE_H

#include <stdbool.h>
#include <stddef.h>

enum {
	BEFORE, /* shmem_init */
	DURING, /* between it and shmem_finalize */
	AFTER,	/* shmem_finalize */
	PHASES,
	CANNOT = 77,
	WRONG = 99,
};

/**
 * What a program does to itself, and what follows from it in each phase: "" works; NULL: there is
 * no such cell; "says " and a pattern: works, and says it; else a pattern of the one line that is
 * said, where the status is not 0. "ring: " and "one host: " before it: so only there, and it works
 * elsewhere.
 */
struct action {
	const char *name;
	int (*act)(int arg); /* 0, or the errno of what this machine or user cannot do */
	int arg;
	const char *expect[PHASES];
};

extern const struct action actions[];

/* what an action asks of the rest of the program */
extern bool talks;	       /* prints at each step */
extern size_t stack_size;      /* of the stack that the steps have; 0: the usual one */
extern bool (*unharmed)(void); /* is what belongs to the program as it left it? */
extern int phase;
extern char **words; /* of main */

int fork_child(int end);
int fork_caller(int unused);
int start_others(int times);
int become_daemon(int times);
int ignore_children(int how);
int jump_from_handlers(int flags);
int interrupt_often(int microseconds);
int block_signals(int how);
int start_thread(int kind);
int fork_in_exit(int calls);
int end_process(int how);
int end_job(int how);

/** Say that something is wrong, and end with WRONG. */
__attribute__((noreturn, format(printf, 1, 2))) void say_wrong(const char *fmt, ...);
/** Put, get, atomic, reduction, barrier, heap: with values. */
void check_calls(void);

#endif
