/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Large puts to a neighbour, each with a flag behind a fence or a quiet: who sees the flag sees the
 * data, whoever copied it. Two hosts; PE 0 puts 64 times.
 */
#include <shmem.h>
#include <stdio.h>

#include "multi.h"

enum {
	ROUNDS = 64,
	WORDS = 512 * 1024 / sizeof(long) + 3,
};

static long flag;
static long echo;

static void
put_rounds(long *to, long *from)
{
	long r, i;

	for (r = 1; r <= ROUNDS; r++) {
		for (i = 0; i < (long)WORDS; i++)
			from[i] = r * 1000003 + i;
		shmem_long_put(to, from, WORDS, 1);
		/* returned: the source may change */
		from[r] = -1;
		if (r % 2 == 0)
			shmem_fence();
		else
			shmem_quiet();
		shmem_long_p(&flag, r, 1);
		shmem_long_wait_until(&echo, SHMEM_CMP_GE, r);
	}
}

static void
check_rounds(const long *at)
{
	long r, i;

	for (r = 1; r <= ROUNDS; r++) {
		shmem_long_wait_until(&flag, SHMEM_CMP_GE, r);
		for (i = 0; i < (long)WORDS; i++) {
			if (at[i] == r * 1000003 + i)
				continue;
			printf("round %ld, word %ld: %ld\n", r, i, at[i]);
			shmem_global_exit(2);
		}
		shmem_long_p(&echo, r, 0);
	}
}

int
main(void)
{
	long *to, *from;

	shmem_init();
	to = shmem_malloc(WORDS * sizeof(long));
	from = shmem_malloc(WORDS * sizeof(long));
	if (shmem_my_pe() == 0)
		put_rounds(to, from);
	else if (shmem_my_pe() == 1)
		check_rounds(to);
	shmem_barrier_all();
	shmem_finalize();
	return 0;
}
