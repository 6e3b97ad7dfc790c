/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * What a program learns of its ring, which loses the cable between host 1 and host 2, while it
 * computes. Usage: watch_test LOST (cables that get lost: 0 or 1)
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <shmem.h>
#include <shmemx.h>

enum {
	CABLE = 1,
	LIMIT_S = 60,
};

static int failed;

#define CHECK(cond)                                                                              \
	do {                                                                                     \
		if (!(cond)) {                                                                   \
			fprintf(stderr, "PE %d, line %d: %s\n", shmem_my_pe(), __LINE__, #cond); \
			failed = 1;                                                              \
		}                                                                                \
	} while (0)

/* Makes no other call. */
static void
compute_until_lost(shmemx_ring_t *state)
{
	time_t end = time(NULL) + LIMIT_S;

	do {
		shmemx_ring_state(state);
	} while (state->lost == 0 && time(NULL) < end);
}

int
main(int argc, char **argv)
{
	int lost = argc > 1 ? atoi(argv[1]) : 0, pe;
	shmemx_ring_t state;

	shmem_init();
	shmemx_ring_state(&state);
	/* as many PEs on each host, in their order */
	for (pe = 0; pe < shmem_n_pes(); pe++)
		CHECK(shmemx_pe_host(pe) == pe / (shmem_n_pes() / state.hosts));
	CHECK(shmemx_pe_host(-1) == -1 && shmemx_pe_host(shmem_n_pes()) == -1);
	CHECK(state.host == shmemx_pe_host(shmem_my_pe()));
	CHECK(state.host < state.hosts);
	CHECK(lost == 0 || state.survives == 1);
	if (lost != 0)
		compute_until_lost(&state);
	CHECK(state.lost == (lost == 0 ? 0 : 1u << CABLE));
	shmem_barrier_all();
	shmem_finalize();
	if (failed == 0 && shmem_my_pe() == 0)
		puts("all PEs know");
	return failed;
}
