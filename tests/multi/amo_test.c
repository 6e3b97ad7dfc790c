/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Atomics where all PEs, the owner included, meet on the same word. Values of every type and
 * operation are in tests/calls.
 */
#include <string.h>

#include "multi.h"

#define ROUNDS 500
#define MANY 200 /* atomics of a context to a PE, of more than one frame */
#define KINDS 5
#define CTXS 4

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

/** A word that one PE alone changes, once: before and after that. */
static uint64_t
gathered_value(int from, int i, bool after)
{
	uint64_t state = (uint64_t)from * CTXS * MANY + (uint64_t)i, v = mt_random(&state);
	const uint64_t then[KINDS] = {v + 1, (v >> 32 << 32) | (uint32_t)(v + 5), v * 3,
				      (v << 32 >> 32) | (v >> 32) * 3 << 32, ((v | 6) + 1) ^ 9};

	return after ? then[i % KINDS] : v;
}

/** What a fetch of it returns; 0: it is changed without. */
static uint64_t
gathered_old(int from, int i)
{
	uint64_t v = gathered_value(from, i, false);

	return i % KINDS > 2 ? 0 : i % KINDS == 1 ? (uint32_t)v : v;
}

static void
gathered_amo(shmem_ctx_t ctx, uint64_t *old, uint64_t *word, uint64_t v, int i, int pe)
{
	if (i % KINDS == 0) {
		shmem_ctx_uint64_atomic_fetch_inc_nbi(ctx, old, word, pe);
	} else if (i % KINDS == 1) {
		shmem_ctx_uint32_atomic_fetch_add_nbi(ctx, (void *)old, (void *)word, 5, pe);
	} else if (i % KINDS == 2) {
		shmem_ctx_uint64_atomic_compare_swap_nbi(ctx, old, word, v, v * 3, pe);
	} else if (i % KINDS == 3) {
		shmem_ctx_uint32_atomic_add(ctx, (uint32_t *)word + 1, (uint32_t)(v >> 32), pe);
		shmem_ctx_uint32_atomic_add(ctx, (uint32_t *)word + 1, (uint32_t)(v >> 32), pe);
	} else {
		shmem_ctx_uint64_atomic_or(ctx, word, 2, pe);
		shmem_ctx_uint64_atomic_or(ctx, word, 4, pe);
		shmem_ctx_uint64_atomic_inc(ctx, word, pe);
		shmem_ctx_uint64_atomic_xor(ctx, word, 1, pe);
		shmem_ctx_uint64_atomic_xor(ctx, word, 8, pe);
	}
}

/** Many atomics of several contexts to several PEs at a time, all values checked. */
static void
case_gathered(void)
{
	static uint64_t at[MT_FAR][CTXS * MANY], old[MT_FAR][CTXS * MANY];
	shmem_ctx_t ctx[CTXS] = {SHMEM_CTX_DEFAULT};
	long round;
	int d, c, i;

	for (c = 1; c < CTXS; c++)
		CHECK_EQ(shmem_ctx_create(0, &ctx[c]), 0);
	for (round = mt_rounds(4); round > 0; round--) {
		memset(old, 0, sizeof(old));
		for (d = 0; d < MT_FAR; d++)
			for (i = 0; i < CTXS * MANY; i++)
				at[d][i] = gathered_value(mt_pe(-d), i, false);
		shmem_barrier_all();
		for (i = 0; i < CTXS * MANY; i++)
			for (d = 0; d < mt_distances(); d++)
				gathered_amo(ctx[i % CTXS], &old[d][i], &at[d][i],
					     gathered_value(mt_me, i, false), i, mt_pe(d));
		mt_waiting("quiet after many atomics");
		for (c = 0; c < CTXS; c++)
			shmem_ctx_quiet(ctx[c]);
		shmem_sync_all();
		for (d = 0; d < mt_distances(); d++) {
			for (i = 0; i < CTXS * MANY; i++) {
				CHECK_EQ(old[d][i], gathered_old(mt_me, i));
				CHECK_EQ(at[d][i], gathered_value(mt_pe(-d), i, true));
			}
		}
		shmem_barrier_all();
	}
}

/** Nonblocking fetches leave for a fence, for an atomic, and without any call that completes them.
 */
static void
case_leaving(void)
{
	static long counter, flag;
	long old[2 * MANY], round, i;

	for (round = mt_rounds(20); round > 0; round--) {
		counter = flag = 0;
		shmem_barrier_all();
		for (i = 0; i < MANY; i++)
			shmem_long_atomic_fetch_inc_nbi(&old[i], &counter, mt_pe(1));
		if (round % 2 == 0) {
			shmem_long_atomic_set(&flag, 1, mt_pe(1));
		} else {
			shmem_fence();
			shmem_long_p(&flag, 1, mt_pe(1));
		}
		mt_waiting("nonblocking fetches of another PE, which waits too");
		shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
		CHECK(shmem_long_atomic_fetch(&counter, mt_me) >= MANY);
		for (; i < 2 * MANY; i++)
			shmem_long_atomic_fetch_inc_nbi(&old[i], &counter, mt_pe(1));
		shmem_long_wait_until(&counter, SHMEM_CMP_EQ, 2 * MANY);
		shmem_barrier_all();
	}
}

MT_PROGRAM(SHMEM_THREAD_SINGLE, {"tickets", case_tickets}, {"compare_swap", case_compare_swap},
	   {"storm", case_storm}, {"gathered", case_gathered}, {"leaving", case_leaving})
