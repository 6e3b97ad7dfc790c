/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
/*
 * A thread, and children of it, print while shmem_init() runs; then the last line of each stream
 * says how much there was. Usage: words
 */
#include <pthread.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <shmem.h>

static _Atomic int begun, ended;
static int thread_words, child_words;

/* Into both streams. With an environment of its own: drivers that the EAL loads call setenv(),
 * which may free the array that a thread of the program passes on. */
static void
child(void)
{
	char *const no_variables[] = {NULL};
	static char shell[] = "sh", option[] = "-c", words[] = "echo child; echo child >&2";
	char *const argv[] = {shell, option, words, NULL};
	int status = -1;
	pid_t pid;

	if (posix_spawn(&pid, "/bin/sh", NULL, NULL, argv, no_variables) != 0 ||
	    waitpid(pid, &status, 0) != pid || status != 0)
		abort();
	child_words++;
}

static void *
speak(void *arg)
{
	static const char word[] = "thread\n";
	const struct timespec moment = {.tv_nsec = 20000};

	while (!atomic_load(&ended)) {
		if (write(STDOUT_FILENO, word, sizeof(word) - 1) != sizeof(word) - 1 ||
		    write(STDERR_FILENO, word, sizeof(word) - 1) != sizeof(word) - 1)
			abort();
		if (thread_words++ % 64 == 0)
			child();
		atomic_store(&begun, 1);
		nanosleep(&moment, NULL);
	}
	return arg;
}

int
main(void)
{
	const struct timespec moment = {.tv_nsec = 1000000};
	pthread_t thread;
	int provided;

	printf("before\n"); /* is in the stream's buffer meanwhile */
	if (pthread_create(&thread, NULL, speak, NULL) != 0)
		return EXIT_FAILURE;
	while (!atomic_load(&begun))
		nanosleep(&moment, NULL);
	if (shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided) != 0)
		_exit(EXIT_FAILURE);
	atomic_store(&ended, 1);
	pthread_join(thread, NULL);
	printf("%d of the thread, %d of children\n", thread_words, child_words);
	fprintf(stderr, "%d of the thread, %d of children\n", thread_words, child_words);
	shmem_finalize();
	return EXIT_SUCCESS;
}
