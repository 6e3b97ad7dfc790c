/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Atomics where all PEs, the owner included, meet on the same word.
 */
#include <string.h>

#include "multi.h"

#define ROUNDS 2000

/** Every ticket is drawn once: fetch_inc of all PEs on each PE's counter, in turns. */
static void
tickets_of(bool nbi)
{
	static unsigned int counter32;
	long *counter = mt_alloc(sizeof(*counter));
	long rounds = mt_rounds(nbi ? ROUNDS / 4 : ROUNDS), all = rounds * mt_npes, i, sum = 0;
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
			if (nbi) {
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

static void
case_tickets(void)
{
	tickets_of(false);
}

static void
case_tickets_nbi(void)
{
	tickets_of(true);
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

/** Swaps only exchange values: in the end all are still there, each once. */
static void
case_swap(void)
{
	long *word = mt_alloc(sizeof(*word)), rounds = mt_rounds(500), mine, i, pe;
	static long sum, squares;

	*word = mt_me + 1;
	sum = 0;
	squares = 0;
	mine = 1000 + mt_me;
	shmem_barrier_all();
	for (i = 0; i < rounds; i++)
		mine = shmem_long_atomic_swap(word, mine, mt_pe((int)(i % 3)));
	shmem_barrier_all();
	shmem_long_atomic_add(&sum, mine + *word, 0);
	shmem_long_atomic_add(&squares, mine * mine + *word * *word, 0);
	shmem_barrier_all();
	for (pe = 0; mt_me == 0 && pe < mt_npes; pe++) {
		sum -= pe + 1 + 1000 + pe;
		squares -= (pe + 1) * (pe + 1) + (1000 + pe) * (1000 + pe);
	}
	if (mt_me == 0) {
		CHECK_EQ(sum, 0);
		CHECK_EQ(squares, 0);
	}
	shmem_free(word);
}

/** Each PE turns its own bit on, off, and over, in a word of all PEs. */
static void
case_bits(void)
{
	unsigned long *word = mt_alloc(sizeof(*word)), mine = 1ul << mt_me, old;
	long rounds = mt_rounds(300), i;
	int owner = mt_npes / 2;

	*word = 0;
	shmem_barrier_all();
	for (i = 0; i < rounds; i++) {
		old = shmem_ulong_atomic_fetch_or(word, mine, owner);
		CHECK_MSG(!(old & mine), "own bit set by another, round %ld", i);
		old = shmem_ulong_atomic_fetch_and(word, ~mine, owner);
		CHECK_MSG(old & mine, "own bit cleared by another, round %ld", i);
		shmem_ulong_atomic_xor(word, mine, owner);
		old = shmem_ulong_atomic_fetch_xor(word, mine, owner);
		CHECK_MSG(old & mine, "own bit not turned over, round %ld", i);
	}
	shmem_barrier_all();
	CHECK_EQ(shmem_ulong_g(word, owner), 0);
	shmem_barrier_all();
	shmem_free(word);
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
		{"tickets_nbi", case_tickets_nbi},
		{"compare_swap", case_compare_swap},
		{"swap", case_swap},
		{"bits", case_bits},
		{"storm", case_storm},
		{0},
	};

	return mt_main(argc, argv, SHMEM_THREAD_SINGLE, cases);
}
