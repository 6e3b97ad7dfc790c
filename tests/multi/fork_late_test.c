/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * A fork while the process ends, after the C library has finalized its shared objects: the child
 * has static data of its own there too. exit() flushes streams last, so a stream whose write
 * function forks is that late. Threads of a program fork there when the library ends the job.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <shmem.h>

#include "own_data.h"

enum {
	NOT_LATE = 5, /* status: the stream was not flushed */
};

static long number;
static FILE *stream;

static ssize_t
fork_late(void *cookie, const char *text, size_t len)
{
	(void)cookie;
	(void)text;
	(void)len;
	_exit(try_child(&number));
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
