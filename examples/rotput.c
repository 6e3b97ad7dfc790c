/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Ring rotation by put: every PE puts its block to its right neighbour, until all blocks
 * have travelled round the ring.
 */
#include <string.h>

#include "example.h"

/** @return elements that were wrong at some step */
static long
rotate(long *block[2], size_t nelems, long turns)
{
	int me = shmem_my_pe(), npes = shmem_n_pes(), right = (me + 1) % npes;
	long step, origin, errors = 0, steps = turns * npes;
	double t, busy = 0;

	ex_fill(block[0], nelems, me);
	shmem_barrier_all();
	for (step = 0; step < steps; step++) {
		long *mine = block[step & 1], *next = block[(step + 1) & 1];

		t = ex_now();
		shmem_long_put(next, mine, nelems, right);
		busy += ex_now() - t;
		/* put has returned, so the source is free: a late reader would send this. */
		memset(mine, 0xff, nelems * sizeof(*mine));
		t = ex_now();
		shmem_barrier_all();
		busy += ex_now() - t;

		origin = (me + npes - (step + 1) % npes) % npes;
		errors += ex_check(next, nelems, origin);
	}
	ex_row(nelems * sizeof(long), steps, busy);
	return errors;
}

int
main(int argc, char **argv)
{
	long max = 256 << 10, turns = 4, errors = 0, bytes;
	const struct ex_opt opts[] = {
		{'m', "largest block, bytes", &max, 64, 1L << 30, NULL},
		{'r', "turns round the ring per block size", &turns, 1, 1000000, NULL},
		{0},
	};
	long *block[2];

	ex_start(argc, argv, "Rotate blocks round the ring by shmem_long_put.", opts);
	block[0] = ex_alloc((size_t)max);
	block[1] = ex_alloc((size_t)max);
	if (shmem_my_pe() == 0)
		printf("rotput: %d PEs\n%10s %8s %12s %12s\n", shmem_n_pes(), "bytes", "steps",
		       "us/step", "MB/s per PE");
	for (bytes = 64; bytes <= max; bytes *= 4)
		errors += rotate(block, (size_t)bytes / sizeof(long), turns);
	return ex_finish(errors);
}
