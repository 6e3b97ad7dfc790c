/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <sched.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/thread.h"
#include "mem/fork.h"
#include "cases.h"

/* Threads of the library are not the program's: also not while they end, nor in a forked child. */

/* That of ThreadSanitizer counts as the program's, and is there with the first one of ours. */
#ifdef __SANITIZE_THREAD__
enum {
	TOOL = 1
};
#else
enum {
	TOOL = 0
};
#endif

static sem_t turn;

static void *
await_turn(void *arg)
{
	while (sem_wait(&turn) < 0)
		;
	return arg;
}

static bool
stops_all(void)
{
	bool stopped = rb_threads_stop();

	if (stopped)
		rb_threads_go();
	return stopped;
}

static bool
are_alone(void)
{
	return TOOL || rb_threads_alone();
}

static void
child(void)
{
	int i, status = -1, before = rb_threads() + TOOL; /* more than one: an emulator's */

	rb_fork_in_child(NULL); /* its file has the handlers of fork() */
	sem_init(&turn, 0, 0);
	CU_ASSERT(are_alone());
	for (i = 0; i < 3; i++)
		CU_ASSERT_EQUAL_FATAL(rb_thread_start(await_turn), 0);
	CU_ASSERT_EQUAL(rb_threads(), before + 3);
	CU_ASSERT(are_alone() && stops_all());
	if (fork() == 0)
		_exit(are_alone() && stops_all() ? EXIT_SUCCESS : EXIT_FAILURE);
	CU_ASSERT(wait(&status) > 0);
	CU_ASSERT_EQUAL(status, 0);
	for (i = 0; i < 3; i++)
		sem_post(&turn);
	set_limit(30, "waits for threads to end\n");
	while (rb_threads() > before)
		sched_yield();
	CU_ASSERT(are_alone() && stops_all());
}

TEST_PROGRAM("thread", NULL, NULL, {"child", child})
