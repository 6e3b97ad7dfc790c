/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
/* Rounds of puts to all PEs, each verified, until the standard input of PE 0 ends. */
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include <shmem.h>

enum {
	MAX_PES = 64
};

static long from[MAX_PES];
static long more[2]; /* by the parity of the round: the next one must not overtake its reader */

static bool
stdin_is_open(void)
{
	struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};
	char c;

	return poll(&p, 1, 0) <= 0 || read(STDIN_FILENO, &c, 1) > 0;
}

static bool
round_is_right(long round, int me, int n)
{
	int pe;

	for (pe = 0; pe < n; pe++)
		shmem_long_p(&from[me], round * MAX_PES + pe, pe);
	for (pe = 0; pe < n && me == 0; pe++)
		shmem_long_p(&more[round % 2], stdin_is_open(), pe);
	shmem_barrier_all();
	for (pe = 0; pe < n; pe++)
		if (from[pe] != round * MAX_PES + me)
			return false;
	shmem_barrier_all();
	return true;
}

int
main(void)
{
	int me, n;
	long round;

	shmem_init();
	me = shmem_my_pe();
	n = shmem_n_pes();
	if (n > MAX_PES)
		shmem_global_exit(2);
	for (round = 1, more[0] = 1; more[(round - 1) % 2] != 0; round++)
		if (!round_is_right(round, me, n))
			shmem_global_exit(9);
	if (me == 0)
		puts("all rounds are right");
	shmem_finalize();
	return 0;
}
