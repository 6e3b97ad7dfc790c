/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Many PEs on a host that hand operations to their lead, one of them stopped again and again while
 * it does: the others go on. Two hosts, four PEs on each and more.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "multi.h"

enum {
	ROUNDS = 200,
	INCS = 64
};

static long pids[1024];
static long counter, posting, arrived, over;

/* Of the lead's host, where PE 0 may stop it; not the lead. */
static int
victim_of(long round, int locals)
{
	return 1 + (int)(round % (locals - 1));
}

static void
inc_across(int n)
{
	shmem_long_atomic_inc(&counter, (mt_me + mt_npes / 2 + n % 3) % mt_npes);
}

/* Posts operations without end, so that it is stopped in the middle of one. @return how many */
static long
be_stopped(long round)
{
	long n = 0;

	shmem_long_p(&posting, round, 0);
	while (__atomic_load_n(&over, __ATOMIC_ACQUIRE) < round) {
		inc_across((int)n);
		n++;
	}
	shmem_quiet();
	return n;
}

static void
stop_and_watch(long round, int victim)
{
	pid_t pid = (pid_t)pids[victim];

	mt_waiting("the PE that is to be stopped");
	shmem_long_wait_until(&posting, SHMEM_CMP_GE, round);
	CHECK_MSG(kill(pid, SIGSTOP) == 0, "kill: %s", strerror(errno));
	mt_waiting("the others, while one PE of their host is stopped");
	shmem_long_wait_until(&arrived, SHMEM_CMP_GE, round * (mt_npes - 2));
	CHECK_MSG(kill(pid, SIGCONT) == 0, "kill: %s", strerror(errno));
	shmem_long_p(&over, round, victim);
}

static void
case_stopped(void)
{
	int locals = mt_npes / 2, victim, i;
	long round, mine = 0, all;
	static long sum;

	if (locals < 3)
		return;
	pids[mt_me] = (long)getpid();
	shmem_barrier_all();
	if (mt_me != 0)
		shmem_long_p(&pids[mt_me], getpid(), 0);
	shmem_barrier_all();
	for (round = 1; round <= ROUNDS * mt_options.factor; round++) {
		victim = victim_of(round, locals);
		if (mt_me == victim) {
			mine += be_stopped(round);
		} else if (mt_me == 0) {
			stop_and_watch(round, victim);
		} else {
			for (i = 0; i < INCS; i++)
				inc_across(i);
			shmem_quiet();
			mine += INCS;
			shmem_long_atomic_inc(&arrived, 0);
		}
		mt_waiting("the round's end");
		shmem_barrier_all();
	}
	shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &sum, &mine, 1);
	all = sum;
	shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &sum, &counter, 1);
	CHECK_EQ(sum, all);
}

static const struct mt_case cases[] = {
	{"a PE is stopped", case_stopped},
	{0},
};

int
main(int argc, char **argv)
{
	return mt_main(argc, argv, SHMEM_THREAD_SINGLE, cases);
}
