/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Children of PEs: each does what a child of any Unix program may do, and neither its parent nor
 * the job notices. A child has static data of its own, as it was at the fork, shares the symmetric
 * heap, and gets an error that says so where it calls the library.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "multi.h"

enum {
	LIMIT_MS = 60000, /* for a child, on a busy machine */
	NUMBERS = 1 << 18,
	LARGE = 16 << 20,
	THREADS = 4,
	FORKS = 10,
	BAD = 77 /* status of a child that has seen what it must not see */
};

extern char **environ;

static long numbers[NUMBERS], from_left;
static char large[LARGE]; /* of which a few pages are touched */

/* Status of a child that has to end by itself. */
static int
status_of(pid_t pid)
{
	const struct timespec moment = {.tv_nsec = 1000000};
	int status = 0, ms;

	mt_waiting("a child that has to end");
	if (!mt_check(pid > 0, __FILE__, __LINE__, "no child: %s", strerror(errno)))
		return -1;
	for (ms = 0; ms < LIMIT_MS; ms++) {
		pid_t got = waitpid(pid, &status, WNOHANG);

		if (got == pid)
			return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
		nanosleep(&moment, NULL);
	}
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	CHECK_MSG(false, "a child still ran after %d ms", LIMIT_MS);
	return -1;
}

/* The job goes on: each PE reaches all others, by puts and by atomics. */
static void
job_is_well(void)
{
	static long sum;
	int d;

	shmem_barrier_all();
	for (d = 0; d < mt_npes; d++)
		shmem_long_atomic_fetch_add(&sum, 1, mt_pe(d));
	shmem_long_p(&from_left, mt_me, mt_pe(1));
	shmem_barrier_all();
	CHECK_EQ(sum, mt_npes);
	CHECK_EQ(from_left, mt_pe(-1));
	sum = 0;
	shmem_barrier_all();
}

/* The usual calls of a program between fork and exec. */
static void
setenv_exec(void)
{
	char **before = environ, name[32];
	int i;
	pid_t pid = fork();

	if (pid == 0) {
		numbers[0] = 42;
		for (i = 0; i < 50; i++) {
			snprintf(name, sizeof(name), "HELPER_%d", i);
			setenv(name, "1", 1);
		}
		execlp("sh", "sh", "-c", "exit $((HELPER_0 + HELPER_49))", (char *)NULL);
		_exit(BAD);
	}
	CHECK_EQ(status_of(pid), 2);
	CHECK_EQ(numbers[0], 0);
	CHECK(environ == before);
	CHECK(getenv("PATH") != NULL && getenv("HELPER_0") == NULL);
	job_is_well();
}

static pid_t handler_owner; /* 0: nobody's turn */

static void
handler(void)
{
	if (handler_owner != 0 && handler_owner != getpid())
		printf("a child ends\n");
}

/* exit() runs all handlers and destructors, of the library too, and flushes what stdio holds. */
static void
exit_of_child(void)
{
	int fd[2], i, status;
	char text[64] = "";
	pid_t pid;

	handler_owner = getpid();
	CHECK_EQ(atexit(handler), 0);
	fflush(NULL);
	for (i = 0; i < 3; i++) {
		CHECK_EQ(pipe(fd), 0);
		pid = fork();
		if (pid == 0) {
			dup2(fd[1], STDOUT_FILENO);
			exit(i);
		}
		close(fd[1]);
		status = status_of(pid);
		CHECK_EQ(status, i);
		CHECK(read(fd[0], text, sizeof(text) - 1) > 0);
		CHECK_MSG(strcmp(text, "a child ends\n") == 0, "the child said '%s'", text);
		close(fd[0]);
	}
	handler_owner = 0;
	job_is_well();
}

static void
wait_for_byte(int fd)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	char c;

	if (poll(&p, 1, LIMIT_MS) != 1 || read(fd, &c, 1) != 1)
		_exit(BAD);
}

static int
child_sees_snapshot(int go)
{
	long i;

	wait_for_byte(go); /* by then the parent has changed everything */
	for (i = 0; i < NUMBERS; i++)
		if (numbers[i] != i + mt_me)
			return BAD;
	if (large[0] != 1 || large[LARGE / 2] != 2 || large[LARGE - 1] != 3 || large[4096] != 0)
		return BAD;
	memset(numbers, 0, sizeof(numbers));
	memset(large, 9, sizeof(large) / 8);
	from_left = -5;
	return 0;
}

/* The child has the data of the moment of the fork, whatever is stored into the parent's data
 * later. Its own stores stay its own. */
static void
snapshot(void)
{
	int go[2];
	long i;
	pid_t pid;

	for (i = 0; i < NUMBERS; i++)
		numbers[i] = i + mt_me;
	large[0] = 1;
	large[LARGE / 2] = 2;
	large[LARGE - 1] = 3;
	from_left = -1;
	shmem_barrier_all();
	CHECK_EQ(pipe(go), 0);
	pid = fork();
	if (pid == 0)
		_exit(child_sees_snapshot(go[0]));
	for (i = 0; i < NUMBERS; i++)
		numbers[i] = -1;
	large[0] = large[LARGE / 2] = large[LARGE - 1] = large[4096] = 7;
	shmem_barrier_all();
	/* by another PE, into every page */
	for (i = 0; i < NUMBERS; i += 512)
		shmem_long_p(&numbers[i], 1000 + mt_me, mt_pe(1));
	shmem_long_p(&from_left, mt_me, mt_pe(1));
	shmem_barrier_all();
	CHECK_EQ(write(go[1], "", 1), 1);
	CHECK_EQ(status_of(pid), 0);
	for (i = 0; i < NUMBERS; i++)
		if (numbers[i] != (i % 512 == 0 ? 1000 + mt_pe(-1) : -1))
			break;
	CHECK_EQ(i, NUMBERS);
	CHECK_EQ(from_left, mt_pe(-1));
	CHECK(large[0] == 7 && large[4097] == 0);
	close(go[0]);
	close(go[1]);
	memset(numbers, 0, sizeof(numbers));
	job_is_well();
}

static void *
fork_often(void *arg)
{
	long *mine = arg, i;

	for (i = 1; i <= FORKS; i++) {
		pid_t pid;

		*mine = i;
		pid = fork();
		if (pid == 0) {
			if (*mine != i)
				_exit(BAD);
			*mine = -1;
			_exit(0);
		}
		CHECK_EQ(status_of(pid), 0);
		CHECK_EQ(*mine, i);
	}
	return NULL;
}

/* Several threads fork at once while others put into the same static data. */
static void
of_threads(void)
{
	pthread_t thread[THREADS];
	int i;

	for (i = 0; i < THREADS; i++)
		CHECK_EQ(pthread_create(&thread[i], NULL, fork_often, &numbers[1000 * (i + 1)]), 0);
	for (i = 0; i < 1000; i++)
		shmem_long_p(&from_left, i, mt_pe(1));
	for (i = 0; i < THREADS; i++)
		CHECK_EQ(pthread_join(thread[i], NULL), 0);
	memset(numbers, 0, sizeof(numbers));
	job_is_well();
}

/* Ways to a child that run no handlers of fork(). */
static void
other_ways(void)
{
	char sh[] = "sh", option[] = "-c", script[] = "exit 5", text[16] = "";
	char *argv[] = {sh, option, script, NULL};
	pid_t pid = -1;
	FILE *f;

	CHECK_EQ(system("exit 4"), 4 << 8);
	CHECK_EQ(posix_spawnp(&pid, "sh", NULL, NULL, argv, environ), 0);
	CHECK_EQ(status_of(pid), 5);
	f = popen("echo words", "r");
	CHECK(f != NULL && fgets(text, sizeof(text), f) != NULL && strcmp(text, "words\n") == 0);
	CHECK_EQ(pclose(f), 0);
	pid = vfork();
	if (pid == 0) {
		execlp("sh", "sh", "-c", "exit 6", (char *)NULL);
		_exit(BAD);
	}
	CHECK_EQ(status_of(pid), 6);
	job_is_well();
}

/* Symmetric memory that is no static data stays the parent's, as the notes say. */
static void
heap_is_shared(void)
{
	long *word = mt_alloc(sizeof(*word));
	pid_t pid;

	*word = 1;
	pid = fork();
	if (pid == 0) {
		*word += 1;
		_exit(0);
	}
	CHECK_EQ(status_of(pid), 0);
	CHECK_EQ(*word, 2);
	shmem_free(word);
}

static void
call_put(void)
{
	shmem_long_p(&numbers[3], 1, mt_pe(1));
}

static void
call_init(void)
{
	shmem_init();
}

static void
call_abort(void)
{
	shmem_global_exit(3);
}

/* A child that calls the library gets an error, and ends alone. */
static void
calls_of_child(void)
{
	void (*const calls[])(void) = {call_put, shmem_barrier_all, call_init, call_abort};
	char text[256];
	size_t i;

	for (i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		ssize_t n;
		int fd[2];
		pid_t pid;

		CHECK_EQ(pipe(fd), 0);
		fflush(NULL);
		pid = fork();
		if (pid == 0) {
			dup2(fd[1], STDERR_FILENO);
			calls[i]();
			_exit(0);
		}
		close(fd[1]);
		CHECK_EQ(status_of(pid), 1);
		n = read(fd[0], text, sizeof(text) - 1);
		text[n > 0 ? n : 0] = '\0';
		CHECK_MSG(strstr(text, "forked child") != NULL && strchr(text, '\n') != NULL,
			  "call %zu: the child said '%s'", i, text);
		close(fd[0]);
	}
	job_is_well();
	CHECK_EQ(numbers[3], 0);
}

static const struct mt_case cases[] = {
	{"setenv_exec", setenv_exec},
	{"exit_of_child", exit_of_child},
	{"snapshot", snapshot},
	{"of_threads", of_threads},
	{"other_ways", other_ways},
	{"heap_is_shared", heap_is_shared},
	{"calls_of_child", calls_of_child},
	{NULL, NULL},
};

/* Before the first init and after the last finalize. */
static int
outside(long value)
{
	pid_t pid;
	int status = -1;

	numbers[0] = value;
	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		if (numbers[0] != value)
			exit(BAD);
		numbers[0] = 0;
		exit(0);
	}
	if (waitpid(pid, &status, 0) == pid && status == 0 && numbers[0] == value) {
		numbers[0] = 0;
		return 0;
	}
	fprintf(stderr, "a child outside of init and finalize: status %d, word %ld\n", status,
		numbers[0]);
	return 1;
}

int
main(int argc, char **argv)
{
	int bad = outside(21);

	bad |= mt_main(argc, argv, SHMEM_THREAD_MULTIPLE, cases);
	return bad | outside(22);
}
