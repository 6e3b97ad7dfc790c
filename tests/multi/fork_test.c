/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Children of PEs: each does what a child of any Unix program may do, and neither its parent nor
 * the job notices. A child has static data of its own, as it was at the fork, shares the symmetric
 * heap. tests/hostile has more, and what a child gets that calls the library.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
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

static const struct mt_case cases[] = {
	{"snapshot", snapshot},
	{"of_threads", of_threads},
	{"heap_is_shared", heap_is_shared},
	{NULL, NULL},
};

int
main(int argc, char **argv)
{
	return mt_main(argc, argv, SHMEM_THREAD_MULTIPLE, cases);
}
