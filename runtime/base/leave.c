/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "base/leave.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/save.h"
#include "base/thread.h"

/*
 * Any thread may find the end of the job, while the other threads go on. The first one that finds
 * it ends the process as exit() does: handlers run, streams are flushed (OpenSHMEM 1.6, 9.1.4). If
 * the process hangs in them, the launcher ends it by a signal.
 */

enum {
	FLUSH_MS = 200 /* longest wait for a stream that a thread of the program has locked */
};

/* The thread that ends this process, 0: none. Once; it only decides, and orders nothing. */
static _Atomic int leaver;

bool
rb_leaving(void)
{
	return atomic_load_explicit(&leaver, memory_order_relaxed) != 0 || rb_save_begun();
}

static bool
flush_stream(FILE *stream)
{
	const struct timespec moment = {.tv_nsec = 1000000};
	int i;

	for (i = 0; i < FLUSH_MS; i++) {
		if (ftrylockfile(stream) == 0) {
			fflush_unlocked(stream);
			funlockfile(stream);
			return true;
		}
		nanosleep(&moment, NULL);
	}
	return false;
}

void
rb_leave_flush(void)
{
	bool out = flush_stream(stdout), err = flush_stream(stderr);

	/* fflush(NULL) waits for the locks of all streams */
	if (out && err)
		fflush(NULL);
}

void
rb_leave(int status)
{
	int other = 0, me = (int)gettid();

	rb_save_before_end(!rb_thread_is_ours());
	if (!atomic_compare_exchange_strong_explicit(&leaver, &other, me, memory_order_relaxed,
						     memory_order_relaxed)) {
		if (other == me) /* a handler of exit() ends the job once more */
			_exit(status);
		for (;;)
			pause();
	}
	/* before the handlers: these may crash while other threads run */
	flush_stream(stdout);
	flush_stream(stderr);
	exit(status);
}
