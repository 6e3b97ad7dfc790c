/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * A fork while the process ends, after the C library has finalized its shared objects: the child
 * has static data of its own there too. exit() flushes streams last, so a stream whose write
 * function forks is that late. Threads of a program fork there when the library ends the job. Then
 * the PE is still one, and its child, which is none, is refused when it calls the library.
 *
 * Usage: fork_late_test [call]
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <shmem.h>

#include "own_data.h"

enum {
	NOT_LATE = 5, /* status: the stream was not flushed */
	CALLED = 6,   /* the child's call came back */
};

static bool calls;
static pid_t parent;
static long number;
static FILE *stream;

static int
call_in_child(void)
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0) {
		shmem_quiet();
		_exit(0);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return NO_CHILD;
	return status == 0 ? CALLED : 0;
}

static ssize_t
fork_late(void *cookie, const char *text, size_t len)
{
	(void)cookie;
	(void)text;
	/* the child that is refused flushes its streams, too */
	if (getpid() != parent)
		return (ssize_t)len;
	if (calls)
		_exit(call_in_child());
	_exit(try_child(&number));
}

/* Runs in exit(), before the shared objects are finalized; the stream is flushed after that. */
static void
leave_text(void)
{
	fputs("late", stream);
}

int
main(int argc, char **argv)
{
	const cookie_io_functions_t functions = {.write = fork_late};

	parent = getpid();
	calls = argc == 2 && strcmp(argv[1], "call") == 0;
	stream = fopencookie(NULL, "w", functions);
	if (stream == NULL || atexit(leave_text) != 0)
		return NO_CHILD;
	shmem_init();
	shmem_barrier_all();
	if (calls)
		shmem_global_exit(NOT_LATE);
	shmem_finalize();
	return NOT_LATE;
}
