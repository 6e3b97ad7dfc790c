/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Put with signal: a PE that sees the signal sees the data, from all PEs at once. Sizes are in
 * sizes_test.c, types and forms in tests/calls.
 */

#include "multi.h"

static void
wait_signal(uint64_t *signal, uint64_t value)
{
	mt_waiting("a signal");
	CHECK_EQ(shmem_signal_wait_until(signal, SHMEM_CMP_EQ, value), value);
	CHECK_EQ(shmem_signal_fetch(signal), value);
}

/** Signals of all PEs add up on each PE. */
static void
case_add_from_all(void)
{
	uint64_t *signal = mt_alloc(sizeof(*signal));
	long rounds = mt_rounds(500), i;
	unsigned char *at = mt_alloc(64 * (size_t)mt_npes), data[64];
	int pe;

	*signal = 0;
	mt_fill(data, 64, (uint64_t)mt_me);
	shmem_barrier_all();
	for (i = 0; i < rounds; i++)
		for (pe = 0; pe < mt_npes; pe++)
			shmem_putmem_signal(at + 64 * mt_me, data, 64, signal, 1, SHMEM_SIGNAL_ADD,
					    (pe + mt_me) % mt_npes);
	wait_signal(signal, (uint64_t)(rounds * mt_npes));
	for (pe = 0; pe < mt_npes; pe++)
		CHECK_EQ(mt_differs(at + 64 * pe, 64, (uint64_t)pe), 64);
	shmem_barrier_all();
	shmem_free(at);
	shmem_free(signal);
}

MT_PROGRAM(SHMEM_THREAD_SINGLE, {"add_from_all", case_add_from_all})
