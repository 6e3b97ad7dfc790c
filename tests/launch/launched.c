/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
/*
 * A program for launchers: every PE writes to every other one, then PE 0 says what came. What else
 * it does is its first argument, and some ends of a job are among it.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <shmem.h>

enum {
	MAX_PES = 64,
	BULK = 256 << 10, /* bytes: through slots and as a direct put */
};

static long from[MAX_PES];
static long shares[MAX_PES];

static void
exchange(int me, int n)
{
	long *count = shmem_calloc(1, sizeof(*count));
	int pe;

	for (pe = 0; pe < n; pe++) {
		shmem_long_p(&from[me], 100 * me + pe, pe);
		shmem_long_atomic_inc(count, pe);
	}
	shmem_long_p(&shares[me], shmem_team_n_pes(SHMEM_TEAM_SHARED), 0);
	/* an atomic comes behind the puts of its PE (doc/memory-model.md): no barrier yet */
	shmem_long_wait_until(count, SHMEM_CMP_EQ, n);
	for (pe = 0; pe < n; pe++)
		if (from[pe] != 100 * pe + me)
			shmem_global_exit(9);
	shmem_barrier_all();
}

static void
end_badly(int me, int n, const char *how, int status)
{
	fflush(stdout);
	shmem_barrier_all();
	if (me != n - 1) {
		/* some in the library, some outside of it */
		while (me % 2 == 0)
			sleep(1);
		shmem_barrier_all();
	}
	if (strcmp(how, "kill") == 0)
		raise(SIGKILL);
	else if (strcmp(how, "exit") == 0)
		exit(status);
	else if (strcmp(how, "global") == 0)
		shmem_global_exit(status);
	else if (strcmp(how, "leave") == 0)
		_exit(0);
	sleep(1000);
}

static int
no_child(void)
{
	return wait(NULL) == -1 && errno == ECHILD ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* A child that ends by exit() ends itself, and not the job. */
static int
child_exits(int me, int n)
{
	int status = -1;
	pid_t pid;

	fflush(NULL);
	shmem_barrier_all();
	pid = fork();
	if (pid == 0)
		exit(7);
	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status) || WEXITSTATUS(status) != 7)
		return EXIT_FAILURE;
	/* the child's stores, if any, have reached all PEs by now */
	exchange(me, n);
	return EXIT_SUCCESS;
}

/* The command may be an OpenSHMEM program, which is not a PE of this job. */
static int
run(int me, int n, const char *command)
{
	int status = 0;

	fflush(NULL);
	shmem_barrier_all();
	if (me == 0)
		status = system(command);
	exchange(me, n);
	exchange(me, n);
	shmem_finalize();
	return status == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int speaker;

static void
last_words(void)
{
	printf("handler of PE %d\n", speaker);
	shmem_finalize(); /* as programs do that have no other place for it */
}

/* One PE ends the job, or dies, or a cable is cut (status -1). The streams of all PEs are flushed,
 * and their handlers run. */
static void
speak(int me, int n, int status)
{
	volatile unsigned long spin = 0;

	speaker = me;
	atexit(last_words);
	printf("words of PE %d\n", me);
	shmem_barrier_all();
	if (me == n - 1 && status == 128 + SIGKILL)
		raise(SIGKILL);
	if (me == n - 1 && status >= 0)
		shmem_global_exit(status);
	while (me % 2 == 0)
		spin = spin + 1;
	shmem_barrier_all();
}

/* All end the job at once, each with a status of its own. */
static void
end_all(int me)
{
	speaker = me;
	atexit(last_words);
	printf("words of PE %d\n", me);
	shmem_barrier_all();
	shmem_global_exit(10 + me);
}

/* A stream that is locked for ever does not keep the job. */
static void
hold_stream(int me, int n, int status)
{
	shmem_barrier_all();
	if (me == n - 1)
		shmem_global_exit(status);
	flockfile(stdout);
	for (;;)
		pause();
}

/* Each finalize and each init sends the launcher a message. The last message, of PE 0 alone, is the
 * abort. */
static void
open_often(int me, int times)
{
	int i;

	fflush(stdout);
	for (i = 0; i < times; i++) {
		shmem_finalize();
		shmem_init();
	}
	if (me == 0)
		shmem_global_exit(5);
	shmem_barrier_all();
}

static bool
stdin_is_open(void)
{
	struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};
	char c;

	return poll(&p, 1, 0) <= 0 || read(STDIN_FILENO, &c, 1) > 0;
}

/* Transfers between all, each round verified, until the standard input of PE 0 ends. */
static void
run_rounds(int me, int n)
{
	static long more[2]; /* by the parity of the round: the next must not overtake its reader */
	char *bulk = shmem_malloc(BULK), *source = calloc(1, BULK);
	long round, goes_on;
	int pe;

	for (round = 1, more[0] = 1; more[(round - 1) % 2] != 0; round++) {
		shmem_putmem(bulk, source, BULK, (me + 1) % n);
		shmem_getmem(source, bulk, BULK, (me + n - 1) % n);
		for (pe = 0; pe < n; pe++)
			shmem_long_p(&from[me], round * MAX_PES + pe, pe);
		goes_on = me == 0 && stdin_is_open(); /* asked once: all have to leave together */
		for (pe = 0; pe < n && me == 0; pe++)
			shmem_long_p(&more[round % 2], goes_on, pe);
		shmem_barrier_all();
		for (pe = 0; pe < n; pe++)
			if (from[pe] != round * MAX_PES + me)
				shmem_global_exit(9);
		shmem_barrier_all();
		if (round == 1) {
			printf("running\n");
			fflush(stdout);
		}
	}
	if (me == 0)
		puts("all rounds are right");
	shmem_finalize();
	exit(EXIT_SUCCESS);
}

int
main(int argc, char **argv)
{
	int me, n, pe;

	shmem_init();
	me = shmem_my_pe();
	n = shmem_n_pes();
	if (argc > 1 && strcmp(argv[1], "rounds") == 0)
		run_rounds(me, n);
	exchange(me, n);
	for (pe = 0; me == 0 && pe < n; pe++)
		printf("PE %d of %d says %ld and shares memory with %ld\n", pe, n, from[pe],
		       shares[pe]);
	if (argc > 1 && strcmp(argv[1], "wait-child") == 0)
		return no_child();
	if (argc > 2 && strcmp(argv[1], "run") == 0)
		return run(me, n, argv[2]);
	if (argc > 2 && strcmp(argv[1], "speak") == 0)
		speak(me, n, atoi(argv[2]));
	if (argc > 1 && strcmp(argv[1], "end-all") == 0)
		end_all(me);
	if (argc > 2 && strcmp(argv[1], "hold") == 0)
		hold_stream(me, n, atoi(argv[2]));
	if (argc > 2 && strcmp(argv[1], "often") == 0)
		open_often(me, atoi(argv[2]));
	if (argc > 1 && strcmp(argv[1], "child-exits") == 0)
		return child_exits(me, n);
	if (argc > 1)
		end_badly(me, n, argv[1], argc > 2 ? atoi(argv[2]) : 0);
	shmem_finalize();
	return 0;
}
