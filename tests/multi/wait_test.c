/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Waits: woken by every kind of write over one hop and over two; for a time; fair among several
 * words; and requests after a pause of any length, so that the service lcores of target and relays
 * are awake, about to sleep, asleep or being woken: a lost wake-up is a hang. Values of all types
 * and comparisons are in tests/calls.
 */
#include <string.h>

#include <shmemx.h>

#include "multi.h"
#include "types.h"

enum {
	WRITES = 10,
	ROUNDS = 60,
	PAUSE_NS = 250 * 1000,
	LOOK_NS = 500 * 1000,
	LIMIT_WORDS = 6,
	SHORT_NS = 100000,
	LONG_NS = 2000000000
};

/** Write 1 to w[kind] at @p pe in the way that @p kind stands for. @return its name */
static const char *
write_word(uint64_t *w, int kind, int pe)
{
	static uint64_t one = 1;

	switch (kind) {
	case 0:
		shmem_uint64_p(&w[0], 1, pe);
		return "p";
	case 1:
		shmem_uint64_put(&w[1], &one, 1, pe);
		return "put";
	case 2:
		shmem_uint64_put_nbi(&w[2], &one, 1, pe);
		return "put_nbi";
	case 3:
		shmem_uint64_atomic_inc(&w[3], pe);
		return "inc";
	case 4:
		CHECK_EQ(shmem_uint64_atomic_fetch_add(&w[4], 1, pe), 0);
		return "fetch_add";
	case 5:
		shmem_uint64_atomic_or(&w[5], 1, pe);
		return "or";
	case 6:
		CHECK_EQ(shmem_uint64_atomic_compare_swap(&w[6], 0, 1, pe), 0);
		return "compare_swap";
	case 7:
		shmem_signal_set(&w[7], 1, pe);
		return "signal_set";
	case 8:
		shmem_putmem_signal(&w[WRITES], &one, 8, &w[8], 1, SHMEM_SIGNAL_ADD, pe);
		return "put_signal";
	default:
		shmem_putmem(&w[9], &one, 8, pe);
		return "putmem";
	}
}

/** Every kind of write wakes a waiter who is already waiting: it goes round as a chain, in which
 *  all but the first PEs wait before they write. */
static void
case_woken_by(void)
{
	static uint64_t words[WRITES + 1];
	int d, kind, first;

	for (d = 1; d < mt_distances(); d++) {
		memset(words, 0, sizeof(words));
		shmem_barrier_all();
		/* Two hops in an even ring make two chains. */
		first = mt_me < (d == 2 && mt_npes % 2 == 0 ? 2 : 1);
		for (kind = 0; kind < WRITES; kind++) {
			if (!first)
				shmem_uint64_wait_until(&words[kind], SHMEM_CMP_NE, 0);
			mt_waiting(write_word(words, kind, mt_pe(d)));
			if (first)
				shmem_uint64_wait_until(&words[kind], SHMEM_CMP_NE, 0);
		}
		mt_waiting("the others in the chain");
		shmem_barrier_all();
	}
}

static long counter, copy, done;
static uint64_t state;

static void
doze(long ns)
{
	struct timespec t = {.tv_nsec = ns};

	nanosleep(&t, NULL);
}

/* About as often short as long: a service lcore is awake for 15 to 200 us. */
static void
pause_somewhat(void)
{
	uint64_t r = mt_random(&state);

	if (r % 4 != 0)
		doze((long)(r >> 32) % (PAUSE_NS >> (r % 8)));
}

/* @p round of @p rounds: a PE that had its turn before has asked all but itself as often. */
static void
ask_all(long round, long rounds)
{
	int d;

	for (d = 1; d < mt_npes; d++) {
		int pe = mt_pe(d);
		long expected = round + rounds * (mt_me - (pe < mt_me));

		pause_somewhat();
		mt_waiting("the answer of an atomic");
		CHECK_EQ(shmem_long_atomic_fetch_inc(&counter, pe), expected);
		pause_somewhat();
		shmem_long_p(&copy, expected, pe);
		mt_waiting("the acknowledgement of a put");
		shmem_quiet();
		mt_waiting("the reply to a get");
		CHECK_EQ(shmem_long_g(&copy, pe), expected);
	}
}

/* All others until PE @p lead has had its turn. */
static void
stand_by(long turn, bool inside)
{
	mt_waiting("the end of a turn");
	if (inside)
		shmem_long_wait_until(&done, SHMEM_CMP_GE, turn);
	else
		while (*(volatile long *)&done < turn) /* no call: no thread here makes progress */
			doze(LOOK_NS);
}

static void
turns(bool inside)
{
	long turn, round, rounds = ROUNDS * mt_options.factor / mt_npes;
	int pe;

	counter = copy = done = 0;
	state = mt_options.seed + (uint64_t)mt_me;
	shmem_barrier_all();
	for (turn = 1; turn <= mt_npes; turn++) {
		if (turn - 1 != mt_me) {
			stand_by(turn, inside);
			continue;
		}
		for (round = 0; round < rounds; round++)
			ask_all(round, rounds);
		for (pe = 0; pe < mt_npes; pe++)
			shmem_long_p(&done, turn, pe);
		shmem_quiet();
	}
	shmem_barrier_all();
	CHECK_EQ(counter, rounds * (mt_npes - 1));
}

static void
case_outside(void)
{
	turns(false);
}

static void
case_blocked(void)
{
	turns(true);
}

/* Each of several words that are as they shall be is found, where calls on other sets, and on other
 * conditions, stand between. */
static void
case_fair(void)
{
	enum {
		SETS = 40,
		ROUNDS_OF_ALL = 400
	};
	static int v[SETS][5], seen[SETS][5], few;
	const int first[5] = {0, 1, 1, 1, 1};
	int i, k;

	memset(seen, 0, sizeof(seen));
	for (i = 0; i < SETS; i++)
		for (k = 0; k < 5; k++)
			v[i][k] = 1;
	for (i = 0; i < ROUNDS_OF_ALL; i++) {
		seen[0][shmem_int_wait_until_any(v[0], 5, NULL, SHMEM_CMP_EQ, 1)]++;
		/* each of these always finds the element 0 */
		shmem_int_wait_until_any(v[1], 1, NULL, SHMEM_CMP_EQ, 1);
		shmem_int_wait_until_any(v[0], 1, NULL, SHMEM_CMP_EQ, 1);
		shmem_int_test_any(v[0], 5, first, SHMEM_CMP_EQ, 1);
		for (k = 1; k < SETS; k++)
			seen[k][shmem_int_test_any(v[k], 5, NULL, SHMEM_CMP_NE, 0)]++;
	}
	for (i = 0; i < SETS; i++)
		for (k = 0; k < 5; k++)
			few += seen[i][k] == 0;
	CHECK_EQ(few, 0);
}

/* Words that no PE writes, words that are as they shall be, and words that the PE to the left sets.
 */
#define LIMITS(T, N_)                                                                              \
	static void limits_##N_(void)                                                              \
	{                                                                                          \
		static T v[LIMIT_WORDS], want[LIMIT_WORDS];                                        \
		int mask[LIMIT_WORDS] = {0, 1, 0, 0, 0, 0}, i, pe = mt_pe(1);                      \
		double since = shmemx_wtime();                                                     \
		size_t at[LIMIT_WORDS];                                                            \
                                                                                                   \
		memset(v, 0, sizeof(v));                                                           \
		CHECK_EQ(shmemx_##N_##_wait_until_for(v, SHMEM_CMP_NE, 0, SHORT_NS), 1);           \
		CHECK(shmemx_wtime() - since >= SHORT_NS * 1e-9);                                  \
		CHECK_EQ(shmemx_##N_##_wait_until_for(v, SHMEM_CMP_NE, 0, 0), 1);                  \
		CHECK_EQ(shmemx_##N_##_wait_until_for(v, SHMEM_CMP_EQ, 0, 0), 0);                  \
		CHECK_EQ(shmemx_##N_##_wait_until_all_for(v, LIMIT_WORDS, mask, SHMEM_CMP_GT, 0,   \
							  SHORT_NS),                               \
			 1);                                                                       \
		CHECK_EQ(shmemx_##N_##_wait_until_any_for(v, LIMIT_WORDS, mask, SHMEM_CMP_GT, 0,   \
							  SHORT_NS),                               \
			 SIZE_MAX);                                                                \
		CHECK_EQ(shmemx_##N_##_wait_until_some_for(v, LIMIT_WORDS, at, mask, SHMEM_CMP_GT, \
							   0, SHORT_NS),                           \
			 0);                                                                       \
		memset(want, 0, sizeof(want));                                                     \
		want[2] = 1;                                                                       \
		CHECK_EQ(shmemx_##N_##_wait_until_all_vector_for(v, LIMIT_WORDS, mask,             \
								 SHMEM_CMP_EQ, want, SHORT_NS),    \
			 1);                                                                       \
		CHECK_EQ(shmemx_##N_##_wait_until_any_vector_for(v, LIMIT_WORDS, mask,             \
								 SHMEM_CMP_NE, want, 0),           \
			 2);                                                                       \
		CHECK_EQ(shmemx_##N_##_wait_until_some_vector_for(v, LIMIT_WORDS, at, mask,        \
								  SHMEM_CMP_LT, want, 0),          \
			 1);                                                                       \
		CHECK_EQ(at[0], 2);                                                                \
		want[2] = 0;                                                                       \
		CHECK_EQ(shmemx_##N_##_wait_until_any_vector_for(v, LIMIT_WORDS, mask,             \
								 SHMEM_CMP_NE, want, SHORT_NS),    \
			 SIZE_MAX);                                                                \
		CHECK_EQ(shmemx_##N_##_wait_until_some_vector_for(v, LIMIT_WORDS, at, mask,        \
								  SHMEM_CMP_NE, want, SHORT_NS),   \
			 0);                                                                       \
		CHECK_EQ(shmemx_##N_##_wait_until_all_vector_for(v, LIMIT_WORDS, mask,             \
								 SHMEM_CMP_EQ, want, UINT64_MAX),  \
			 0);                                                                       \
		shmem_barrier_all();                                                               \
		for (i = 1; i < LIMIT_WORDS; i++)                                                  \
			shmem_##N_##_atomic_set(&v[i], 1, pe);                                     \
		/* v[0] stays 0 */                                                                 \
		mask[0] = 1;                                                                       \
		CHECK_EQ(shmemx_##N_##_wait_until_all_for(v, LIMIT_WORDS, mask, SHMEM_CMP_EQ, 1,   \
							  UINT64_MAX),                             \
			 0);                                                                       \
		mask[0] = 0;                                                                       \
		CHECK_EQ(shmemx_##N_##_wait_until_all_for(v, LIMIT_WORDS, mask, SHMEM_CMP_EQ, 1,   \
							  SHORT_NS),                               \
			 1);                                                                       \
		CHECK(shmemx_##N_##_wait_until_any_for(v, LIMIT_WORDS, mask, SHMEM_CMP_EQ, 1,      \
						       LONG_NS) > 1);                              \
		CHECK_EQ(shmemx_##N_##_wait_until_some_for(v, LIMIT_WORDS, at, mask, SHMEM_CMP_EQ, \
							   1, LONG_NS),                            \
			 LIMIT_WORDS - 2);                                                         \
		CHECK_EQ(at[0], 2);                                                                \
		shmem_barrier_all();                                                               \
	}
/* clang-format off */
TYPES_AMO(LIMITS)
/* clang-format on */

static void
limits_of_signals(void)
{
	uint64_t *sig = shmem_calloc(2, sizeof(*sig)), seen = 5;

	CHECK_EQ(shmemx_signal_wait_until_for(sig, SHMEM_CMP_NE, *sig, &seen, SHORT_NS), 1);
	CHECK_EQ(seen, 5);
	shmem_barrier_all();
	shmem_putmem_signal(sig + 1, sig, sizeof(*sig), sig, 7, SHMEM_SIGNAL_SET, mt_pe(1));
	CHECK_EQ(shmemx_signal_wait_until_for(sig, SHMEM_CMP_EQ, 7, &seen, UINT64_MAX), 0);
	CHECK_EQ(seen, 7);
	CHECK_EQ(shmemx_signal_wait_until_for(sig, SHMEM_CMP_GE, 7, NULL, 0), 0);
	shmem_barrier_all();
	shmem_free(sig);
}

static void
case_limits(void)
{
	static long word;
	size_t at;

#define RUN_LIMITS(T, N_) limits_##N_();
	TYPES_AMO(RUN_LIMITS)
	limits_of_signals();
	CHECK_EQ(shmemx_wait_until_for(&word, SHMEM_CMP_NE, 0, 0), 1);
	CHECK_EQ(shmemx_wait_until_all_for(&word, 1, NULL, SHMEM_CMP_EQ, 0, 0), 0);
	CHECK_EQ(shmemx_wait_until_any_for(&word, 1, NULL, SHMEM_CMP_EQ, 0, 0), 0);
	CHECK_EQ(shmemx_wait_until_any_vector_for(&word, 1, NULL, SHMEM_CMP_EQ, &word, 0), 0);
	CHECK_EQ(shmemx_wait_until_some_for(&word, 1, &at, NULL, SHMEM_CMP_EQ, 0, 0), 1);
}

/* Two PEs answer each other's puts, each after it has set the last word back: a put that stored
 * that word twice would bring the old value back. */
static void
case_set_back(void)
{
	enum {
		WORDS = 8,
		TURNS = 3000
	};
	static long room[WORDS], from[WORDS];
	long turn, turns_all = TURNS * mt_options.factor;
	int pe = mt_me ^ 1, words, i;

	memset(room, 0, sizeof(room));
	for (words = 2; words <= WORDS; words *= 2) {
		shmem_barrier_all();
		for (turn = 1; pe < mt_npes && turn <= turns_all; turn++) {
			for (i = 0; i < words; i++)
				from[i] = turn;
			if (mt_me % 2 == 0)
				shmem_long_put(room, from, (size_t)words, pe);
			shmem_long_wait_until(&room[words - 1], SHMEM_CMP_NE, 0);
			CHECK_EQ(room[words - 1], turn);
			room[words - 1] = 0;
			if (mt_me % 2 != 0)
				shmem_long_put(room, from, (size_t)words, pe);
		}
	}
	shmem_barrier_all();
}

MT_PROGRAM(SHMEM_THREAD_SINGLE, {"woken by", case_woken_by}, {"outside", case_outside},
	   {"blocked", case_blocked}, {"fair", case_fair}, {"limits", case_limits},
	   {"set back", case_set_back})
