/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * What a program learns of its ring, which loses the cable between host 1 and host 2, while it
 * computes.
 */
#include <time.h>

#include <shmemx.h>

#include "multi.h"

enum {
	CABLE = 1,
	LIMIT_S = 60,
};

/* Makes no other call. */
static void
compute_until_lost(shmemx_ring_t *state)
{
	time_t end = time(NULL) + LIMIT_S;

	do {
		shmemx_ring_state(state);
	} while (state->lost == 0 && time(NULL) < end);
}

static void
know_state(int lost)
{
	shmemx_ring_t state;
	int pe;

	shmemx_ring_state(&state);
	/* as many PEs on each host, in their order */
	for (pe = 0; pe < mt_npes; pe++)
		CHECK_EQ(shmemx_pe_host(pe), pe / (mt_npes / state.hosts));
	CHECK(shmemx_pe_host(-1) == -1 && shmemx_pe_host(mt_npes) == -1);
	CHECK_EQ(state.host, shmemx_pe_host(mt_me));
	CHECK(state.host < state.hosts);
	CHECK(lost == 0 || state.survives == 1);
	if (lost != 0)
		compute_until_lost(&state);
	CHECK_EQ(state.lost, lost == 0 ? 0 : 1u << CABLE);
}

static void
case_whole(void)
{
	know_state(0);
}

static void
case_cut(void)
{
	know_state(1);
}

MT_PROGRAM(SHMEM_THREAD_SINGLE, {"whole", case_whole}, {"cut", case_cut})
