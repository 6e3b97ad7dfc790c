/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Barrier and sync: no PE leaves before all have arrived, and a barrier completes puts.
 */
#include <string.h>
#include <unistd.h>

#include "multi.h"

static long at_static[MT_PES];

/** Each PE stores its epoch at all others before the barrier. After it all epochs must be there. */
static void
epochs(long *seen, void (*barrier)(void), bool quiets, long rounds)
{
	long round;
	int pe;

	memset(seen, 0, MT_PES * sizeof(*seen));
	shmem_barrier_all();
	for (round = 1; round <= rounds; round++) {
		for (pe = 0; pe < mt_npes; pe++)
			shmem_long_p(&seen[mt_me], round, pe);
		if (!quiets)
			shmem_quiet();
		mt_waiting("a barrier");
		barrier();
		for (pe = 0; pe < mt_npes; pe++) {
			/* A PE may already have stored its next epoch, but no later one. */
			if (!mt_check(seen[pe] == round || seen[pe] == round + 1, __FILE__,
				      __LINE__, "PE %d has stored %ld after barrier %ld", pe,
				      seen[pe], round))
				return;
		}
	}
	shmem_barrier_all();
}

static void
case_barrier_all(void)
{
	epochs(at_static, shmem_barrier_all, true, mt_rounds(250));
}

static void
case_sync_all(void)
{
	epochs(at_static, shmem_sync_all, false, mt_rounds(250));
}

/** Stores through windows come by one way, and what says that all have arrived by another. */
static void
case_heap(void)
{
	long *seen = shmem_malloc(MT_PES * sizeof(*seen));

	if (!mt_check(seen != NULL, __FILE__, __LINE__, "no symmetric memory"))
		return;
	epochs(seen, shmem_barrier_all, true, mt_rounds(150));
	shmem_free(seen);
}

/** Bare barriers in a row, with one PE late in turn. */
static void
case_late(void)
{
	long round;

	for (round = 0; round < mt_rounds(50); round++) {
		if (round % 10 == mt_me)
			usleep(2000);
		mt_waiting("a barrier with one late PE");
		shmem_barrier_all();
		shmem_sync_all();
	}
}

MT_PROGRAM(SHMEM_THREAD_SINGLE, {"barrier_all", case_barrier_all}, {"sync_all", case_sync_all},
	   {"heap", case_heap}, {"late", case_late})
