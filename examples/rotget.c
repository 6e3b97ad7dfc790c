/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Ring rotation by get: every PE fetches the block that its left neighbour holds, until all blocks
 * have travelled round the ring.
 */
#include <string.h>

#include "example.h"

/** @return elements that were wrong at some step */
static long
rotate(long *block[2], size_t nelems, long turns)
{
	int me = shmem_my_pe(), npes = shmem_n_pes(), left = (me + npes - 1) % npes;
	long step, origin, errors = 0, steps = turns * npes;
	double t, busy = 0;

	ex_fill(block[0], nelems, me);
	for (step = 0; step < steps; step++) {
		long *held = block[step & 1], *next = block[(step + 1) & 1];

		/* The reader of the last step has passed the barrier; now no old data is left. */
		memset(next, 0xff, nelems * sizeof(*next));
		shmem_barrier_all();
		t = ex_now();
		shmem_long_get(next, held, nelems, left);
		busy += ex_now() - t;

		origin = (me + npes - (step + 1) % npes) % npes;
		errors += ex_check(next, nelems, origin);
		shmem_barrier_all();
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

	ex_start(argc, argv, "Rotate blocks round the ring by shmem_long_get.", opts);
	block[0] = ex_alloc((size_t)max);
	block[1] = ex_alloc((size_t)max);
	if (shmem_my_pe() == 0)
		printf("rotget: %d PEs\n%10s %8s %12s %12s\n", shmem_n_pes(), "bytes", "steps",
		       "us/get", "MB/s per PE");
	for (bytes = 64; bytes <= max; bytes *= 4)
		errors += rotate(block, (size_t)bytes / sizeof(long), turns);
	return ex_finish(errors);
}
