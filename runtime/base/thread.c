/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "base/thread.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/single_threaded.h>
#include <time.h>

#include "base/error.h"
#include "base/limit.h"
#include "base/stack.h"

enum {
	STACK = 8 << 20 /* address space, without thread-local data: handlers of exit() may run
			   there */
};

static int foreign; /* an emulator's threads, libpmix's, and those of rb_thread_start() */

__thread bool rb_thread_serves __attribute__((tls_model("initial-exec")));

uint64_t
rb_now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000ull + (uint64_t)t.tv_nsec;
}

int
rb_threads(void)
{
	char line[64];
	FILE *f = fopen("/proc/self/status", "re");
	int n = 0;

	if (f == NULL)
		return 0;
	while (fgets(line, sizeof(line), f) != NULL)
		if (sscanf(line, "Threads: %d", &n) == 1)
			break;
	fclose(f);
	return n;
}

/* An emulator, such as QEMU's user mode, has threads of its own in the process. They never touch
 * the program's variables. */
int
rb_threads_unknown(void)
{
	int n = __libc_single_threaded ? rb_threads() : 0;

	return n > 1 ? n - 1 : 0;
}

void
rb_thread_service(void)
{
	rb_thread_serves = true;
}

void
rb_threads_foreign(int n)
{
	foreign += n;
}

bool
rb_threads_alone(void)
{
	return rb_threads() == 1 + foreign;
}

static __thread bool ours;

bool
rb_thread_is_ours(void)
{
	return ours || rb_thread_is_service();
}

static void *
run_ours(void *fn)
{
	ours = true;
	return ((void *(*)(void *))(uintptr_t)fn)(NULL);
}

int
rb_thread_start(void *(*fn)(void *))
{
	pthread_attr_t attr;
	sigset_t all, old;
	pthread_t thread;
	int err;

	/* signals are for the program's own threads */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	pthread_attr_setstacksize(&attr, rb_stack_size(STACK));
	err = pthread_create(&thread, &attr, run_ours, (void *)(uintptr_t)fn);
	pthread_attr_destroy(&attr);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	foreign += err == 0;
	return err == 0 ? 0
			: rb_fail(-err, "cannot start a thread: %s%s", strerror(err),
				  rb_limit_words());
}
