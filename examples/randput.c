/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Random put: every PE sends blocks to PEs drawn by lot. A receiver can compute all lots, so it
 * checks what came and that nothing else did.
 */
#include "example.h"

/** The PE to which PE @p source sends its block number @p round. */
static int
target_of(int source, long round, size_t nelems)
{
	return (int)((uint64_t)ex_word(source * 1000003 + round, nelems) % (unsigned)shmem_n_pes());
}

/** The board has one place for each (source, round), alike on all PEs. */
static long
check_board(const long *board, size_t nelems, long rounds)
{
	int me = shmem_my_pe(), source;
	long round, key, errors = 0;
	const long *place = board;

	for (source = 0; source < shmem_n_pes(); source++) {
		for (round = 0; round < rounds; round++, place += nelems) {
			key = source * rounds + round;
			if (target_of(source, round, nelems) != me)
				key = -1 - me; /* unchanged: no PE has put a block here */
			errors += ex_check(place, nelems, key);
		}
	}
	return errors;
}

static long
scatter(long *board, long *source, size_t nelems, long rounds)
{
	int me = shmem_my_pe(), npes = shmem_n_pes();
	size_t place, places = (size_t)npes * (size_t)rounds;
	double t, busy = 0;
	long round, errors;

	for (place = 0; place < places; place++)
		ex_fill(board + place * nelems, nelems, -1 - me);
	shmem_barrier_all();
	for (round = 0; round < rounds; round++) {
		place = (size_t)(me * rounds + round);
		ex_fill(source, nelems, (long)place);
		t = ex_now();
		shmem_long_put(board + place * nelems, source, nelems,
			       target_of(me, round, nelems));
		busy += ex_now() - t;
	}
	t = ex_now();
	shmem_barrier_all();
	busy += ex_now() - t;
	errors = check_board(board, nelems, rounds);
	ex_row(nelems * sizeof(long), rounds, busy);
	shmem_barrier_all();
	return errors;
}

int
main(int argc, char **argv)
{
	long max = 64 << 10, rounds = 16, errors = 0, bytes;
	const struct ex_opt opts[] = {
		{'m', "largest block, bytes", &max, 64, 1L << 24, NULL},
		{'r', "puts of a PE per block size", &rounds, 1, 100000, NULL},
		{0},
	};
	long *board, *source;

	ex_start(argc, argv, "Put blocks to PEs drawn by lot.", opts);
	board = ex_alloc((size_t)max * (size_t)rounds * (size_t)shmem_n_pes());
	source = ex_alloc((size_t)max);
	if (shmem_my_pe() == 0)
		printf("randput: %d PEs\n%10s %8s %12s %12s\n", shmem_n_pes(), "bytes", "puts",
		       "us/put", "MB/s per PE");
	for (bytes = 64; bytes <= max; bytes *= 4)
		errors += scatter(board, source, (size_t)bytes / sizeof(long), rounds);
	return ex_finish(errors);
}
