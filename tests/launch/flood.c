/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Keeps every cable busy until it is killed: each PE puts to and gets from all others.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <shmem.h>

enum {
	BYTES = 1 << 20,
	SECONDS = 60, /* it must end by itself should the test that kills it be gone */
};

/* To each PE its own place in the memory of all. */
static void
one_round(char *target, char *source)
{
	char *mine = target + (size_t)shmem_my_pe() * BYTES;
	int pe;

	for (pe = 0; pe < shmem_n_pes(); pe++) {
		shmem_putmem(mine, source, BYTES, pe);
		shmem_getmem(source, mine, BYTES, pe);
	}
	shmem_quiet();
}

int
main(void)
{
	time_t end = time(NULL) + SECONDS;
	char *target, *source;

	shmem_init();
	target = shmem_malloc((size_t)shmem_n_pes() * BYTES);
	source = calloc(1, BYTES);
	if (target == NULL || source == NULL)
		shmem_global_exit(2);
	one_round(target, source);
	shmem_barrier_all();
	printf("running\n");
	fflush(stdout);
	while (time(NULL) < end)
		one_round(target, source);
	shmem_global_exit(3);
}
