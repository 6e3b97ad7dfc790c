/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Put with signal: a PE that sees the signal sees the data, in large data, from all PEs at
 * once, and passed on. Types and forms are in tests/calls.
 */
#include <string.h>

#include "multi.h"

#define BIG (4u << 20)

static uint64_t static_signal[MT_FAR];
static unsigned char static_data[MT_FAR][40000];

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

/** Large data over all distances at once, heap and static, then look at the last byte first. */
static void
case_large(void)
{
	unsigned char *at = mt_alloc((size_t)MT_FAR * BIG), *from = mt_alloc(BIG);
	uint64_t *signal = mt_alloc(MT_FAR * sizeof(*signal));
	int d;

	memset(signal, 0, MT_FAR * sizeof(*signal));
	memset(static_signal, 0, sizeof(static_signal));
	mt_fill(from, BIG, (uint64_t)mt_me + 1000);
	shmem_barrier_all();
	for (d = 0; d < mt_distances(); d++) {
		shmem_putmem_signal_nbi(at + (size_t)d * BIG, from, BIG, &signal[d], 1,
					SHMEM_SIGNAL_SET, mt_pe(d));
		shmem_putmem_signal(static_data[d], from, sizeof(static_data[d]), &static_signal[d],
				    1, SHMEM_SIGNAL_SET, mt_pe(d));
	}
	for (d = mt_distances() - 1; d >= 0; d--) {
		uint64_t key = (uint64_t)mt_pe(-d) + 1000;

		wait_signal(&static_signal[d], 1);
		CHECK_EQ(mt_differs(static_data[d], sizeof(static_data[d]), key),
			 sizeof(static_data[d]));
		wait_signal(&signal[d], 1);
		CHECK_EQ(at[(size_t)d * BIG + BIG - 1], mt_byte(key, BIG - 1));
		CHECK_EQ(mt_differs(at + (size_t)d * BIG, BIG, key), BIG);
	}
	shmem_quiet();
	shmem_barrier_all();
	shmem_free(signal);
	shmem_free(from);
	shmem_free(at);
}

/** A token with a growing load goes round the ring both ways. */
static void
case_relay(void)
{
	long *load = mt_alloc(2 * 512 * sizeof(*load)), turns = 100 * mt_options.factor, turn;
	uint64_t *signal = mt_alloc(2 * sizeof(*signal));
	int way, i, to[2] = {mt_pe(1), mt_pe(-1)};
	bool first = mt_me == 0;

	memset(load, 0, 2 * 512 * sizeof(*load));
	memset(signal, 0, 2 * sizeof(*signal));
	shmem_barrier_all();
	for (turn = 1; turn <= turns; turn++) {
		for (way = 0; way < 2; way++) {
			long *at = load + way * 512;

			if (!first)
				wait_signal(&signal[way], (uint64_t)turn);
			for (i = 0; i < 512; i++)
				at[i]++;
			shmem_long_put_signal(at, at, 512, &signal[way], (uint64_t)turn,
					      SHMEM_SIGNAL_SET, to[way]);
			if (first)
				wait_signal(&signal[way], (uint64_t)turn);
			for (i = 0; first && i < 512; i++)
				CHECK_EQ(at[i], turn * mt_npes);
		}
	}
	shmem_barrier_all();
	shmem_free(signal);
	shmem_free(load);
}

MT_PROGRAM(SHMEM_THREAD_SINGLE, {"add_from_all", case_add_from_all}, {"large", case_large},
	   {"relay", case_relay})
