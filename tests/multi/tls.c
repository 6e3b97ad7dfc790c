/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
/* Much thread-local data, as OpenMP's threadprivate arrays are: each thread of the library has a
 * copy of it in its stack, and room beside it. */
#include <stdio.h>

#include <shmem.h>

enum {
	ROUNDS = 100
};

static __thread char mine[TLS_MIB << 20];
static long count;

int
main(void)
{
	int me, to, i;

	shmem_init();
	me = shmem_my_pe();
	to = (me + 1) % shmem_n_pes();
	mine[sizeof(mine) - 1] = (char)(me + 1);
	/* executed by service lcores where the PEs are on two hosts */
	for (i = 0; i < ROUNDS; i++)
		shmem_long_atomic_inc(&count, to);
	shmem_barrier_all();
	if (count != ROUNDS || mine[sizeof(mine) - 1] != me + 1) {
		fprintf(stderr, "PE %d: count %ld, own byte %d\n", me, count,
			mine[sizeof(mine) - 1]);
		shmem_global_exit(1);
	}
	shmem_finalize();
	return 0;
}
