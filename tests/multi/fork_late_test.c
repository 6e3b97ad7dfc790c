/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * A fork while the process ends, after the C library has finalized its shared objects: the child
 * has static data of its own there too. exit() flushes streams last, so a stream whose write
 * function forks is that late. Threads of a program fork there when the library ends the job.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <shmem.h>

enum {
	SHARED = 3, /* status: the child's store has arrived here */
	NO_CHILD = 4,
	NOT_LATE = 5, /* the stream was not flushed */
	LIMIT_S = 20
};

static long number;
static FILE *stream;

static ssize_t
fork_late(void *cookie, const char *text, size_t len)
{
	int status = 0;
	pid_t pid;

	(void)cookie;
	(void)text;
	(void)len;
	pid = fork();
	if (pid == 0) {
		number = -1;
		_exit(0);
	}
	/* the signal ends this process where the child does not end */
	alarm(LIMIT_S);
	if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0)
		_exit(NO_CHILD);
	_exit(number == 0 ? 0 : SHARED);
}

/* Runs in exit(), before the shared objects are finalized; the stream is flushed after that. */
static void
leave_text(void)
{
	fputs("late", stream);
}

int
main(void)
{
	const cookie_io_functions_t functions = {.write = fork_late};

	stream = fopencookie(NULL, "w", functions);
	if (stream == NULL || atexit(leave_text) != 0)
		return NO_CHILD;
	shmem_init();
	shmem_barrier_all();
	shmem_finalize();
	return NOT_LATE;
}
