/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
/*
 * A thread that is there before shmem_init, while static data moves. A thread of the program may
 * write to the data that move, so it is refused. A thread that the C library does not know belongs
 * to an emulator, as QEMU's user mode has one in each process, and is accepted.
 */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <shmem.h>

static char stack[64 * 1024] __attribute__((aligned(64)));
static long word = -1;

/* It has only a stack: no sanitizer and no part of the C library may expect more. */
__attribute__((no_sanitize("address", "thread", "undefined"))) static int
wait_bare(void *arg)
{
	(void)arg;
	for (;;)
		syscall(SYS_ppoll, NULL, 0, NULL, NULL, 0);
	return 0;
}

static void *
wait_for_ever(void *arg)
{
	for (;;)
		pause();
	return arg;
}

static int
start_thread(const char *kind)
{
	pthread_t thread;

	if (strcmp(kind, "program") == 0)
		return pthread_create(&thread, NULL, wait_for_ever, NULL) == 0;
	return clone(wait_bare, stack + sizeof(stack),
		     CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD |
			     CLONE_SYSVSEM,
		     NULL) > 0;
}

int
main(int argc, char **argv)
{
	int me, n, bad;

	if (argc != 2 || !start_thread(argv[1])) {
		perror("cannot start a thread");
		return 2;
	}
	shmem_init();
	me = shmem_my_pe();
	n = shmem_n_pes();
	shmem_long_p(&word, me, (me + 1) % n);
	shmem_barrier_all();
	bad = word != (me + n - 1) % n;
	if (bad)
		fprintf(stderr, "PE %d: %ld\n", me, word);
	shmem_finalize();
	return bad;
}
