/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Atomics where all PEs, the owner included, meet on the same word. Values of every type and
 * operation are in tests/calls.
 */
#include <string.h>

#include "multi.h"

#define ROUNDS 2000

/** Every ticket is drawn once: fetch_inc of all PEs on each PE's counter, in turns. */
static void
case_tickets(void)
{
	static unsigned int counter32;
	long *counter = mt_alloc(sizeof(*counter));
	long rounds = mt_rounds(ROUNDS), all = rounds * mt_npes, i, sum = 0;
	char *drawn = mt_alloc((size_t)all);
	long ticket, last = -1;
	int owner;

	for (owner = 0; owner < mt_npes; owner++) {
		*counter = 0;
		counter32 = 0;
		memset(drawn, 0, (size_t)all);
		shmem_barrier_all();
		last = -1;
		for (i = 0; i < rounds; i++) {
			if (i % 4 == 3) {
				shmem_long_atomic_fetch_inc_nbi(&ticket, counter, owner);
				shmem_uint_atomic_inc(&counter32, owner);
				shmem_quiet();
			} else {
				ticket = shmem_long_atomic_fetch_inc(counter, owner);
				shmem_uint_atomic_add(&counter32, 1, owner);
			}
			if (!mt_check(ticket > last && ticket < all, __FILE__, __LINE__,
				      "ticket %ld after %ld", ticket, last))
				break;
			last = ticket;
			shmem_char_p(&drawn[ticket], 1, owner);
		}
		shmem_barrier_all();
		if (owner == mt_me) {
			CHECK_EQ(*counter, all);
			CHECK_EQ(counter32, all);
			for (sum = 0, i = 0; i < all; i++)
				sum += drawn[i];
			CHECK_EQ(sum, all);
		}
		shmem_barrier_all();
	}
	shmem_free(drawn);
	shmem_free(counter);
}

/** Read, add, compare_swap until it took: no addition is lost. */
static void
case_compare_swap(void)
{
	static long word;
	long rounds = mt_rounds(300), i, seen, old;

	word = 0;
	shmem_barrier_all();
	for (i = 0; i < rounds; i++) {
		seen = shmem_long_atomic_fetch(&word, mt_npes - 1);
		mt_waiting("a compare_swap that takes");
		while ((old = shmem_long_atomic_compare_swap(&word, seen, seen + 3, mt_npes - 1)) !=
		       seen)
			seen = old;
	}
	shmem_barrier_all();
	if (mt_me == mt_npes - 1)
		CHECK_EQ(word, 3 * rounds * mt_npes);
	shmem_barrier_all();
}

/** Many additions under way at once to all PEs; quiet completes them, a barrier shows it. */
static void
case_storm(void)
{
	static long sums[64];
	long rounds = mt_rounds(ROUNDS), i;
	int pe;

	memset(sums, 0, sizeof(sums));
	shmem_barrier_all();
	for (i = 0; i < rounds; i++)
		for (pe = 0; pe < mt_npes; pe++)
			shmem_long_atomic_add(&sums[(mt_me + i) % 64], 1 + mt_me, pe);
	/* The own additions are complete after quiet, wherever they went. */
	shmem_quiet();
	shmem_barrier_all();
	for (i = 0; i < 64; i++)
		shmem_long_atomic_add(&sums[0], i ? sums[i] : 0, mt_me);
	shmem_quiet();
	CHECK_EQ(sums[0], rounds * mt_npes * (mt_npes + 1) / 2);
	shmem_barrier_all();
}

int
main(int argc, char **argv)
{
	static const struct mt_case cases[] = {
		{"tickets", case_tickets},
		{"compare_swap", case_compare_swap},
		{"storm", case_storm},
		{0},
	};

	return mt_main(argc, argv, SHMEM_THREAD_SINGLE, cases);
}
