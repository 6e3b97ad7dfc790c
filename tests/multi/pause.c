/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
/*
 * How long the longest operation takes: each PE adds to a counter of each PE in turn, and PE 0
 * tells the longest of these round trips on the ring. At the end the counters must be right. Usage:
 * pause SECONDS
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <shmem.h>

enum {
	MAX_PES = 64
};

static long added[MAX_PES]; /* by each PE to this one */
static long told[MAX_PES];  /* what they say that they added */
static double longest, most;

static double
now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static long
add_for(double seconds, int me, int n)
{
	double end = now_s() + seconds, before, after;
	long rounds = 0;
	int pe;

	do {
		for (pe = 0; pe < n; pe++) {
			before = now_s();
			if (shmem_long_atomic_fetch_add(&added[me], 1, pe) != rounds)
				shmem_global_exit(9);
			after = now_s();
			longest = after - before > longest ? after - before : longest;
		}
		rounds++;
	} while (after < end);
	return rounds;
}

int
main(int argc, char **argv)
{
	int me, n, pe;
	long rounds;

	shmem_init();
	me = shmem_my_pe();
	n = shmem_n_pes();
	if (argc != 2 || n > MAX_PES)
		shmem_global_exit(2);
	rounds = add_for(atof(argv[1]), me, n);
	for (pe = 0; pe < n; pe++)
		shmem_long_p(&told[me], rounds, pe);
	shmem_barrier_all();
	for (pe = 0; pe < n; pe++)
		if (added[pe] != told[pe])
			shmem_global_exit(9);
	shmem_double_max_reduce(SHMEM_TEAM_WORLD, &most, &longest, 1);
	if (me == 0)
		printf("longest %.6f s\n", most);
	shmem_finalize();
	return 0;
}
