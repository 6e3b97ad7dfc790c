/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Swap between neighbours: in even phases the pairs (0,1) (2,3) ... exchange their blocks, in odd
 * phases the pairs (1,2) (3,4) ... After as many phases as there are PEs the order of the blocks is
 * reversed. Neighbours meet by flags, without any barrier.
 */
#include "example.h"

/*
 * A neighbour that is two phases ahead may send while the block of the last meeting is still on
 * its way to the neighbour on the other side; it cannot be four ahead, because it has to receive
 * ours in between. Hence four inboxes.
 */
#define INBOXES 4

static long flags[INBOXES]; /* 1 + the phase whose block is in the inbox */

static int
partner_of(int pe, long phase)
{
	int other = (pe + (int)(phase & 1)) & 1 ? pe - 1 : pe + 1;

	return other < 0 || other >= shmem_n_pes() ? pe : other;
}

/** The owner of the block that PE @p pe holds after @p phases phases. */
static int
origin_of(int pe, long phases)
{
	while (phases > 0)
		pe = partner_of(pe, --phases);
	return pe;
}

/** @p phase counts on from size to size, so that a flag never has to be reset. */
static long
swap_blocks(long *inbox[INBOXES], size_t nelems, long first, long phases)
{
	int me = shmem_my_pe(), pe, box;
	long *held = inbox[(first + INBOXES - 1) % INBOXES];
	long phase, errors = 0;
	double t, busy = 0;

	ex_fill(held, nelems, first + me);
	for (phase = first; phase < first + phases; phase++) {
		box = (int)(phase % INBOXES);
		pe = partner_of(me, phase - first);
		if (pe == me)
			continue;
		t = ex_now();
		shmem_long_put(inbox[box], held, nelems, pe);
		shmem_fence();
		shmem_long_p(&flags[box], phase + 1, pe);
		shmem_long_wait_until(&flags[box], SHMEM_CMP_GE, phase + 1);
		busy += ex_now() - t;
		held = inbox[box];
		errors += ex_check(held, nelems, first + origin_of(me, phase + 1 - first));
	}
	shmem_barrier_all();
	errors += ex_check(held, nelems, first + origin_of(me, phases));
	ex_row(nelems * sizeof(long), phases, busy);
	shmem_barrier_all();
	return errors;
}

int
main(int argc, char **argv)
{
	long max = 256 << 10, turns = 4, errors = 0, bytes, first, phases, i;
	const struct ex_opt opts[] = {
		{'m', "largest block, bytes", &max, 64, 1L << 30, NULL},
		{'r', "reversals of the order per block size", &turns, 1, 1000000, NULL},
		{0},
	};
	long *inbox[INBOXES];

	ex_start(argc, argv, "Swap blocks between odd and even neighbours.", opts);
	for (i = 0; i < INBOXES; i++)
		inbox[i] = ex_alloc((size_t)max);
	phases = turns * shmem_n_pes();
	if (shmem_my_pe() == 0)
		printf("swap: %d PEs\n%10s %8s %12s %12s\n", shmem_n_pes(), "bytes", "phases",
		       "us/phase", "MB/s of PE 0");
	for (bytes = 64, first = 0; bytes <= max; bytes *= 4, first += phases)
		errors += swap_blocks(inbox, (size_t)bytes / sizeof(long), first, phases);
	return ex_finish(errors);
}
