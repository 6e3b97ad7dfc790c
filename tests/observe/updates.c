/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
/* Random updates of a table that all PEs share, for a trace: half of them add, half of them fetch
 * as well. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <shmem.h>

enum {
	WORDS = 4096, /* of each PE */
	UPDATES = 3000,
};

int
main(void)
{
	static long sum, all;
	uint64_t seed, *table;
	int me, n, i;

	shmem_init();
	me = shmem_my_pe();
	n = shmem_n_pes();
	table = shmem_calloc(WORDS, sizeof(*table));
	if (!table)
		return 2;
	seed = (uint64_t)me + 1;
	shmem_barrier_all();
	for (i = 0; i < UPDATES; i++) {
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		if (seed >> 63)
			shmem_uint64_atomic_add(&table[seed >> 20 & (WORDS - 1)], 1,
						(int)((seed >> 40) % (unsigned int)n));
		else
			shmem_uint64_atomic_fetch_add(&table[seed >> 20 & (WORDS - 1)], 1,
						      (int)((seed >> 40) % (unsigned int)n));
	}
	shmem_barrier_all();
	for (i = 0; i < WORDS; i++)
		sum += (long)table[i];
	shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &all, &sum, 1);
	if (all != (long)UPDATES * n)
		fprintf(stderr, "PE %d: %ld updates of %ld\n", me, all, (long)UPDATES * n);
	shmem_finalize();
	return all != (long)UPDATES * n;
}
