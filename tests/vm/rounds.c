/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
/*
 * Rounds of operations of all kinds among all PEs, each verified, until PE 0 finds the file FILE.
 * PE 0 says the number of each round that is right. Ends with status 9 where data is wrong.
 * Usage: rounds FILE
 */
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include <shmem.h>

enum {
	MAX_PES = 8,
	WORDS = 300, /* more than one cache line, and no whole number of them */
};

static uint64_t came[MAX_PES][WORDS]; /* from each PE */
static uint64_t mine[WORDS], theirs[WORDS], signals[MAX_PES];
static long counter, locked, lock, all, one;
static int me, n;

static uint64_t
word_of(int from, int to, uint64_t round, int i)
{
	return round << 32 | (uint64_t)from << 24 | (uint64_t)to << 16 | (uint64_t)i;
}

static void
must(int right, const char *what, uint64_t round)
{
	if (right)
		return;
	fprintf(stderr, "PE %d: FAILED: %s of round %llu\n", me, what, (unsigned long long)round);
	shmem_global_exit(9);
}

/* To every PE, with a signal behind the data; and what came from every PE. */
static void
send_all(uint64_t round)
{
	int pe, i;

	for (pe = 0; pe < n; pe++) {
		for (i = 0; i < WORDS; i++)
			mine[i] = word_of(me, pe, round, i);
		shmem_putmem_signal(came[me], mine, sizeof(mine), &signals[me], 1, SHMEM_SIGNAL_ADD,
				    pe);
	}
	for (pe = 0; pe < n; pe++) {
		must(shmem_signal_wait_until(&signals[pe], SHMEM_CMP_GE, round) == round,
		     "the signal", round);
		for (i = 0; i < WORDS; i++)
			must(came[pe][i] == word_of(pe, me, round, i), "a put", round);
	}
}

/* Nobody changes what he has got until the next round. */
static void
get_all(uint64_t round)
{
	int pe, i;

	for (pe = 0; pe < n; pe++) {
		shmem_getmem(theirs, came[me], sizeof(theirs), pe);
		for (i = 0; i < WORDS; i++)
			must(theirs[i] == word_of(me, pe, round, i), "a get", round);
	}
}

static void
count_all(void)
{
	int pe;

	for (pe = 0; pe < n; pe++) {
		shmem_long_atomic_inc(&counter, pe);
		shmem_long_atomic_fetch_add(&counter, 1, pe);
	}
	shmem_set_lock(&lock);
	shmem_long_p(&locked, shmem_long_g(&locked, 0) + 1, 0);
	shmem_clear_lock(&lock);
}

static int
goes_on(uint64_t round, const char *file)
{
	shmem_barrier_all();
	must(counter == (long)round * 2 * n, "the atomics", round);
	must(me != 0 || locked == (long)round * n, "the lock", round);
	one = me == 0 && access(file, F_OK) == 0;
	shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &all, &one, 1);
	if (me == 0)
		fprintf(stderr, "round %llu is right\n", (unsigned long long)round);
	return all == 0;
}

int
main(int argc, char **argv)
{
	uint64_t round = 0;

	shmem_init();
	me = shmem_my_pe();
	n = shmem_n_pes();
	if (argc != 2 || n > MAX_PES)
		shmem_global_exit(2);
	do {
		round++;
		send_all(round);
		get_all(round);
		count_all();
	} while (goes_on(round, argv[1]));
	shmem_finalize();
	return 0;
}
