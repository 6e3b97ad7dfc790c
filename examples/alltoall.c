/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * All-to-all by put: every PE has one block for each PE, itself included, and puts them all.
 */
#include "example.h"

static long
exchange(long *inbox, long *outbox, size_t nelems, long rounds)
{
	int me = shmem_my_pe(), npes = shmem_n_pes(), i, pe;
	long round, errors = 0;
	double t, busy = 0;

	for (round = 0; round < rounds; round++) {
		for (pe = 0; pe < npes; pe++)
			ex_fill(outbox + (size_t)pe * nelems, nelems,
				(round * npes + me) * npes + pe);
		shmem_barrier_all();
		t = ex_now();
		/* Each PE starts with itself, so that not all put to PE 0 first. */
		for (i = 0; i < npes; i++) {
			pe = (me + i) % npes;
			shmem_long_put(inbox + (size_t)me * nelems, outbox + (size_t)pe * nelems,
				       nelems, pe);
		}
		shmem_barrier_all();
		busy += ex_now() - t;
		for (pe = 0; pe < npes; pe++)
			errors += ex_check(inbox + (size_t)pe * nelems, nelems,
					   (round * npes + pe) * npes + me);
	}
	ex_row(nelems * sizeof(long), rounds, busy);
	return errors;
}

int
main(int argc, char **argv)
{
	long max = 64 << 10, rounds = 8, errors = 0, bytes;
	const struct ex_opt opts[] = {
		{'m', "largest block, bytes", &max, 64, 1L << 28, NULL},
		{'r', "exchanges per block size", &rounds, 1, 1000000, NULL},
		{0},
	};
	long *inbox, *outbox;

	ex_start(argc, argv, "Exchange a block between every two PEs by shmem_long_put.", opts);
	inbox = ex_alloc((size_t)max * (size_t)shmem_n_pes());
	outbox = ex_alloc((size_t)max * (size_t)shmem_n_pes());
	if (shmem_my_pe() == 0)
		printf("alltoall: %d PEs\n%10s %8s %12s %12s\n", shmem_n_pes(), "bytes", "rounds",
		       "us/round", "MB/s a pair");
	for (bytes = 64; bytes <= max; bytes *= 4)
		errors += exchange(inbox, outbox, (size_t)bytes / sizeof(long), rounds);
	return ex_finish(errors);
}
