/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <shmemx.h>

#include "suite.h"

/* wait_until and test in all forms; signals; fence, quiet and pe_quiet. */

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

enum {
	N = 6
};

/* The PE to the left sets this PE's words one after the other. */
#define WAITS(T, N_, op)                                                                           \
	static void waits_##N_(void)                                                               \
	{                                                                                          \
		static T v[N], high[N];                                                            \
		int mask[N] = {0, 1, 0, 0, 0, 0}, i, pe = to_right(1);                             \
		size_t at[N], n, all = 0, k;                                                       \
                                                                                                   \
		for (i = 0; i < N; i++) {                                                          \
			v[i] = 0;                                                                  \
			high[i] = (T)(i + 1);                                                      \
		}                                                                                  \
		shmem_barrier_all();                                                               \
		CU_ASSERT_EQUAL(shmem_##N_##_test(&v[0], SHMEM_CMP_NE, 0), 0);                     \
		CU_ASSERT_EQUAL(shmem_##N_##_test_any(v, N, NULL, SHMEM_CMP_GT, 0), SIZE_MAX);     \
		CU_ASSERT_EQUAL(shmem_##N_##_test_some(v, N, at, NULL, SHMEM_CMP_GT, 0), 0);       \
		CU_ASSERT_EQUAL(shmem_##N_##_test_all(v, N, NULL, SHMEM_CMP_EQ, 0), 1);            \
		CU_ASSERT_EQUAL(shmem_##N_##_test_all_vector(v, N, NULL, SHMEM_CMP_GE, high), 0);  \
		CU_ASSERT_EQUAL(shmem_##N_##_test_any_vector(v, N, NULL, SHMEM_CMP_EQ, high),      \
				SIZE_MAX);                                                         \
		CU_ASSERT_EQUAL(shmem_##N_##_test_some_vector(v, N, at, NULL, SHMEM_CMP_EQ, high), \
				0);                                                                \
		shmem_barrier_all();                                                               \
		for (i = 0; i < N; i++)                                                            \
			shmem_##N_##_atomic_set(&v[i], (T)(i + 1), pe);                            \
		shmem_##N_##_wait_until(&v[2], SHMEM_CMP_EQ, 3);                                   \
		shmem_##N_##_wait_until_all(v, N, mask, SHMEM_CMP_GE, 1);                          \
		shmem_##N_##_wait_until_all_vector(v, N, NULL, SHMEM_CMP_GE, high);                \
		for (i = 0; i < N; i++)                                                            \
			mask[i] = 0;                                                               \
		for (i = 0; i < N; i++) {                                                          \
			n = shmem_##N_##_wait_until_any(v, N, mask, SHMEM_CMP_NE, 0);              \
			CU_ASSERT_FATAL(n < N && mask[n] == 0);                                    \
			mask[n] = 1;                                                               \
		}                                                                                  \
		CU_ASSERT_EQUAL(shmem_##N_##_wait_until_any(v, N, mask, SHMEM_CMP_NE, 0),          \
				SIZE_MAX);                                                         \
		n = shmem_##N_##_wait_until_any_vector(v, N, NULL, SHMEM_CMP_LE, high);            \
		CU_ASSERT(n < N);                                                                  \
		for (all = 0, i = 0; i < N; i++)                                                   \
			mask[i] = 0;                                                               \
		while (all < N) {                                                                  \
			n = shmem_##N_##_wait_until_some(v, N, at, mask, SHMEM_CMP_LT, N + 1);     \
			CU_ASSERT_FATAL(n > 0 && n <= N);                                          \
			for (k = 0; k < n; k++)                                                    \
				mask[at[k]]++;                                                     \
			all += n;                                                                  \
		}                                                                                  \
		for (i = 0; i < N; i++)                                                            \
			CU_ASSERT_EQUAL(mask[i], 1);                                               \
		CU_ASSERT_EQUAL(                                                                   \
			shmem_##N_##_wait_until_some_vector(v, N, at, NULL, SHMEM_CMP_EQ, high),   \
			N);                                                                        \
		CU_ASSERT_EQUAL(shmem_##N_##_test_some_vector(v, N, at, NULL, SHMEM_CMP_EQ, high), \
				N);                                                                \
		CU_ASSERT_EQUAL(shmem_##N_##_test_all_vector(v, N, NULL, SHMEM_CMP_EQ, high), 1);  \
		CU_ASSERT_EQUAL(shmem_##N_##_test(&v[1], SHMEM_CMP_GT, 1), 1);                     \
		shmem_barrier_all();                                                               \
	}

SHMEMI_TYPES_AMO(WAITS, _)

static void
every_type(void)
{
#define RUN(T, N_, op) waits_##N_();
	SHMEMI_TYPES_AMO(RUN, _)
}

static void
every_comparison(void)
{
	static const int truth[6][3] = {
		/* less, equal, greater */
		{0, 1, 0}, {1, 0, 1}, {0, 0, 1}, {0, 1, 1}, {1, 0, 0}, {1, 1, 0},
	};
	static const int cmp[6] = {
		SHMEM_CMP_EQ, SHMEM_CMP_NE, SHMEM_CMP_GT, SHMEM_CMP_GE, SHMEM_CMP_LT, SHMEM_CMP_LE,
	};
	static int i = -7;
	static long l = -7;
	static unsigned int u = (unsigned int)-7;
	static uint64_t u64 = (uint64_t)-7;
	int c, k;

	for (c = 0; c < 6; c++) {
		for (k = 0; k < 3; k++) {
			/* the variable is less than, equal to, greater than the value */
			CU_ASSERT_EQUAL(shmem_int_test(&i, cmp[c], -6 - k), truth[c][k]);
			CU_ASSERT_EQUAL(shmem_long_test(&l, cmp[c], -6 - k), truth[c][k]);
		}
		CU_ASSERT_EQUAL(shmem_int_test(&i, cmp[c], 3), truth[c][0]);
		CU_ASSERT_EQUAL(shmem_uint_test(&u, cmp[c], 3), truth[c][2]);
		CU_ASSERT_EQUAL(shmem_uint64_test(&u64, cmp[c], 3), truth[c][2]);
	}
}

/* The results for empty sets. */
static void
empty(void)
{
	static long v[2];
	const int none[2] = {1, 1};
	size_t at[2];

	shmem_long_wait_until_all(NULL, 0, NULL, SHMEM_CMP_EQ, 1);
	shmem_long_wait_until_all(v, 2, none, SHMEM_CMP_EQ, 1);
	CU_ASSERT_EQUAL(shmem_long_wait_until_any(NULL, 0, NULL, SHMEM_CMP_EQ, 1), SIZE_MAX);
	CU_ASSERT_EQUAL(shmem_long_wait_until_any(v, 2, none, SHMEM_CMP_EQ, 1), SIZE_MAX);
	CU_ASSERT_EQUAL(shmem_long_wait_until_some(NULL, 0, at, NULL, SHMEM_CMP_EQ, 1), 0);
	CU_ASSERT_EQUAL(shmem_long_wait_until_some(v, 2, at, none, SHMEM_CMP_EQ, 1), 0);
	CU_ASSERT_EQUAL(shmem_long_test_all(NULL, 0, NULL, SHMEM_CMP_EQ, 1), 1);
	CU_ASSERT_EQUAL(shmem_long_test_all(v, 2, none, SHMEM_CMP_EQ, 1), 1);
	CU_ASSERT_EQUAL(shmem_long_test_any(NULL, 0, NULL, SHMEM_CMP_EQ, 0), SIZE_MAX);
	CU_ASSERT_EQUAL(shmem_long_test_any(v, 2, none, SHMEM_CMP_EQ, 0), SIZE_MAX);
	CU_ASSERT_EQUAL(shmem_long_test_some(v, 2, at, none, SHMEM_CMP_EQ, 0), 0);
}

/* One that always holds must not keep the others from being found. */
static void
fairness(void)
{
	static int v[4] = {1, 1, 1, 1};
	int seen[4] = {0}, i;

	for (i = 0; i < 16; i++) {
		size_t k = shmem_int_test_any(v, 4, NULL, SHMEM_CMP_EQ, 1);

		CU_ASSERT_FATAL(k < 4);
		seen[k]++;
	}
	for (i = 0; i < 4; i++)
		CU_ASSERT(seen[i] > 0);
}

/* The same where calls on other sets, and on other conditions, stand between. */
static void
fairness_of_many(void)
{
	enum {
		SETS = 40,
		ROUNDS = 400
	};
	static int v[SETS][5];
	static int seen[SETS][5], few;
	const int first[5] = {0, 1, 1, 1, 1};
	int i, k;

	memset(seen, 0, sizeof(seen));
	for (i = 0; i < SETS; i++)
		for (k = 0; k < 5; k++)
			v[i][k] = 1;
	for (i = 0; i < ROUNDS; i++) {
		seen[0][shmem_int_wait_until_any(v[0], 5, NULL, SHMEM_CMP_EQ, 1)]++;
		/* each of these always finds the element 0 */
		shmem_int_wait_until_any(v[1], 1, NULL, SHMEM_CMP_EQ, 1);
		shmem_int_wait_until_any(v[0], 1, NULL, SHMEM_CMP_EQ, 1);
		shmem_int_test_any(v[0], 5, first, SHMEM_CMP_EQ, 1);
	}
	for (i = 0; i < ROUNDS; i++)
		for (k = 1; k < SETS; k++)
			seen[k][shmem_int_test_any(v[k], 5, NULL, SHMEM_CMP_NE, 0)]++;
	for (i = 0; i < SETS; i++)
		for (k = 0; k < 5; k++)
			few += seen[i][k] == 0;
	CU_ASSERT_EQUAL(few, 0);
}

static void
deprecated(void)
{
	static short s = -3;
	static unsigned short us = 40000;
	static long l;
	static int i;

	CU_ASSERT_EQUAL(shmem_short_test(&s, SHMEM_CMP_LT, 0), 1);
	CU_ASSERT_EQUAL(shmem_ushort_test(&us, SHMEM_CMP_GT, 39999), 1);
	shmem_short_wait_until(&s, SHMEM_CMP_EQ, -3);
	shmem_ushort_wait_until(&us, SHMEM_CMP_GE, 40000);
	shmem_long_atomic_set(&l, 4, to_right(1));
	shmem_int_atomic_set(&i, 4, to_right(1));
	shmem_wait(&l, 0);
	shmem_long_wait(&l, 1);
	shmem_int_wait(&i, 0);
	shmem_short_wait(&s, 0);
	shmem_wait_until(&l, SHMEM_CMP_EQ, 4);
	CU_ASSERT_EQUAL(l, 4);
	shmem_barrier_all();
}

#define SIGNALS(T, N_, op)                                                                       \
	static void signals_##N_(shmem_ctx_t ctx)                                                \
	{                                                                                        \
		static T to[4][3], from[3];                                                      \
		static uint64_t sig;                                                             \
		int pe = to_right(1), i, k;                                                      \
                                                                                                 \
		sig = 0;                                                                         \
		for (i = 0; i < 3; i++)                                                          \
			from[i] = (T)(me + i + 1);                                               \
		memset(to, 0, sizeof(to));                                                       \
		shmem_barrier_all();                                                             \
		shmem_##N_##_put_signal(to[0], from, 3, &sig, 1, SHMEM_SIGNAL_ADD, pe);          \
		shmem_ctx_##N_##_put_signal(ctx, to[1], from, 3, &sig, 1, SHMEM_SIGNAL_ADD, pe); \
		shmem_##N_##_put_signal_nbi(to[2], from, 3, &sig, 1, SHMEM_SIGNAL_ADD, pe);      \
		shmem_ctx_##N_##_put_signal_nbi(ctx, to[3], from, 3, &sig, 1, SHMEM_SIGNAL_ADD,  \
						pe);                                             \
		CU_ASSERT_EQUAL(shmem_signal_wait_until(&sig, SHMEM_CMP_GE, 4), 4);              \
		for (k = 0; k < 4; k++)                                                          \
			for (i = 0; i < 3; i++)                                                  \
				CU_ASSERT(to[k][i] == (T)(to_left(1) + i + 1));                  \
		shmem_quiet();                                                                   \
		shmem_ctx_quiet(ctx);                                                            \
		shmem_barrier_all();                                                             \
	}

SHMEMI_TYPES_RMA(SIGNALS, _)

#define SIGNAL_SIZE(bits, op)                                                                     \
	static void signal_##bits(shmem_ctx_t ctx)                                                \
	{                                                                                         \
		enum {                                                                            \
			B = 3 * (bits) / 8                                                        \
		};                                                                                \
		static __attribute__((aligned(16))) unsigned char to[4][2 * B], from[B];          \
		static uint64_t sig;                                                              \
		int pe = to_right(1), k;                                                          \
                                                                                                  \
		memset(from, me + 1, sizeof(from));                                               \
		shmem_put##bits##_signal(to[0], from, 3, &sig, 1, SHMEM_SIGNAL_ADD, pe);          \
		shmem_ctx_put##bits##_signal(ctx, to[1], from, 3, &sig, 1, SHMEM_SIGNAL_ADD, pe); \
		shmem_put##bits##_signal_nbi(to[2], from, 3, &sig, 1, SHMEM_SIGNAL_ADD, pe);      \
		shmem_ctx_put##bits##_signal_nbi(ctx, to[3], from, 3, &sig, 1, SHMEM_SIGNAL_ADD,  \
						 pe);                                             \
		shmem_signal_wait_until(&sig, SHMEM_CMP_EQ, 4);                                   \
		for (k = 0; k < 4; k++)                                                           \
			CU_ASSERT(to[k][0] == to_left(1) + 1 && to[k][B - 1] == to_left(1) + 1 && \
				  to[k][B] == 0);                                                 \
		shmem_quiet();                                                                    \
		shmem_ctx_quiet(ctx);                                                             \
		shmem_barrier_all();                                                              \
	}

SHMEMI_SIZES(SIGNAL_SIZE, _)

static void
signals(void)
{
	static uint64_t sig;
	static char bytes[9];
	shmem_ctx_t ctx;
	int pe = to_right(1);

	CU_ASSERT_EQUAL_FATAL(shmem_ctx_create(0, &ctx), 0);
#define RUN_SIGNALS(T, N_, op) signals_##N_(ctx);
	SHMEMI_TYPES_RMA(RUN_SIGNALS, _)
#define RUN_SIZES(bits, op) signal_##bits(ctx);
	SHMEMI_SIZES(RUN_SIZES, _)
	/* without data the signal comes all the same */
	shmem_putmem_signal(NULL, NULL, 0, &sig, 77, SHMEM_SIGNAL_SET, pe);
	CU_ASSERT_EQUAL(shmem_signal_wait_until(&sig, SHMEM_CMP_NE, 0), 77);
	shmem_barrier_all();
	shmem_ctx_putmem_signal_nbi(ctx, bytes, "12345678", 9, &sig, 3, SHMEM_SIGNAL_ADD, pe);
	shmem_signal_wait_until(&sig, SHMEM_CMP_EQ, 80);
	CU_ASSERT_STRING_EQUAL(bytes, "12345678");
	shmem_ctx_quiet(ctx);
	shmem_barrier_all();
	(shmem_signal_add)(&sig, 20, pe);
	shmem_signal_wait_until(&sig, SHMEM_CMP_EQ, 100);
	shmem_barrier_all();
	shmem_ctx_signal_add(ctx, &sig, 1, pe);
	CU_ASSERT_EQUAL(shmem_signal_wait_until(&sig, SHMEM_CMP_GT, 100), 101);
	shmem_barrier_all();
	(shmem_signal_set)(&sig, 5, pe);
	shmem_signal_wait_until(&sig, SHMEM_CMP_EQ, 5);
	shmem_barrier_all();
	shmem_ctx_signal_set(ctx, &sig, 6, pe);
	shmem_signal_wait_until(&sig, SHMEM_CMP_EQ, 6);
	CU_ASSERT_EQUAL(shmem_signal_fetch(&sig), 6);
	shmem_ctx_destroy(ctx);
	shmem_barrier_all();
}

/* A PE that sees the flag sees the data that went before the fence. */
static void
order(void)
{
	enum {
		ROUNDS = 300,
		WORDS = 100
	};
	long *data = sym_alloc(WORDS * sizeof(*data)), *flag = sym_alloc(2 * sizeof(*flag));
	long from[WORDS], round, bad = 0;
	int i, next = to_right(1), both[2] = {to_right(1), to_right(1)};

	for (round = 1; round <= ROUNDS; round++) {
		for (i = 0; i < WORDS; i++)
			from[i] = round * WORDS + i;
		shmem_long_put(data, from, WORDS, next);
		shmem_fence();
		shmem_long_atomic_set(&flag[0], round, next);
		shmem_long_wait_until(&flag[0], SHMEM_CMP_EQ, round);
		for (i = 0; i < WORDS; i++)
			bad += data[i] != round * WORDS + i;
		/* the data was read: signal the writer */
		shmem_long_atomic_set(&flag[1], round, to_left(1));
		shmem_long_wait_until(&flag[1], SHMEM_CMP_EQ, round);
	}
	CU_ASSERT_EQUAL(bad, 0);
	shmem_long_put_nbi(data, from, 1, next);
	shmem_pe_quiet(both, 2);
	CU_ASSERT_EQUAL(shmem_long_g(data, next), from[0]);
	shmem_pe_quiet(NULL, 0);
	shmem_ctx_pe_quiet(SHMEM_CTX_INVALID, both, 1);
	shmem_ctx_quiet(SHMEM_CTX_INVALID);
	shmem_ctx_fence(SHMEM_CTX_INVALID);
	shmem_barrier_all();
	shmem_free(flag);
	shmem_free(data);
}

enum {
	SHORT_NS = 100000,
	LONG_NS = 2000000000
};

/* Words that no PE writes, words that are as they shall be, and words that the PE to the left sets.
 */
#define LIMITS(T, N_, op)                                                                          \
	static void limits_##N_(void)                                                              \
	{                                                                                          \
		static T v[N], want[N];                                                            \
		int mask[N] = {0, 1, 0, 0, 0, 0}, i, pe = to_right(1);                             \
		double since = shmemx_wtime();                                                     \
		size_t at[N];                                                                      \
                                                                                                   \
		memset(v, 0, sizeof(v));                                                           \
		CU_ASSERT_EQUAL(shmemx_##N_##_wait_until_for(v, SHMEM_CMP_NE, 0, SHORT_NS), 1);    \
		CU_ASSERT(shmemx_wtime() - since >= SHORT_NS * 1e-9);                              \
		CU_ASSERT_EQUAL(shmemx_##N_##_wait_until_for(v, SHMEM_CMP_NE, 0, 0), 1);           \
		CU_ASSERT_EQUAL(shmemx_##N_##_wait_until_for(v, SHMEM_CMP_EQ, 0, 0), 0);           \
		CU_ASSERT_EQUAL(                                                                   \
			shmemx_##N_##_wait_until_all_for(v, N, mask, SHMEM_CMP_GT, 0, SHORT_NS),   \
			1);                                                                        \
		CU_ASSERT_EQUAL(                                                                   \
			shmemx_##N_##_wait_until_any_for(v, N, mask, SHMEM_CMP_GT, 0, SHORT_NS),   \
			SIZE_MAX);                                                                 \
		CU_ASSERT_EQUAL(shmemx_##N_##_wait_until_some_for(v, N, at, mask, SHMEM_CMP_GT, 0, \
								  SHORT_NS),                       \
				0);                                                                \
		memset(want, 0, sizeof(want));                                                     \
		want[2] = 1;                                                                       \
		CU_ASSERT_EQUAL(shmemx_##N_##_wait_until_all_vector_for(v, N, mask, SHMEM_CMP_EQ,  \
									want, SHORT_NS),           \
				1);                                                                \
		CU_ASSERT_EQUAL(shmemx_##N_##_wait_until_any_vector_for(v, N, mask, SHMEM_CMP_NE,  \
									want, 0),                  \
				2);                                                                \
		CU_ASSERT_EQUAL(shmemx_##N_##_wait_until_some_vector_for(v, N, at, mask,           \
									 SHMEM_CMP_LT, want, 0),   \
				1);                                                                \
		CU_ASSERT_EQUAL(at[0], 2);                                                         \
		want[2] = 0;                                                                       \
		CU_ASSERT_EQUAL(shmemx_##N_##_wait_until_any_vector_for(v, N, mask, SHMEM_CMP_NE,  \
									want, SHORT_NS),           \
				SIZE_MAX);                                                         \
		CU_ASSERT_EQUAL(shmemx_##N_##_wait_until_some_vector_for(                          \
					v, N, at, mask, SHMEM_CMP_NE, want, SHORT_NS),             \
				0);                                                                \
		CU_ASSERT_EQUAL(shmemx_##N_##_wait_until_all_vector_for(v, N, mask, SHMEM_CMP_EQ,  \
									want, UINT64_MAX),         \
				0);                                                                \
		shmem_barrier_all();                                                               \
		for (i = 1; i < N; i++)                                                            \
			shmem_##N_##_atomic_set(&v[i], 1, pe);                                     \
		/* v[0] stays 0 */                                                                 \
		mask[0] = 1;                                                                       \
		CU_ASSERT_EQUAL(                                                                   \
			shmemx_##N_##_wait_until_all_for(v, N, mask, SHMEM_CMP_EQ, 1, UINT64_MAX), \
			0);                                                                        \
		mask[0] = 0;                                                                       \
		CU_ASSERT_EQUAL(                                                                   \
			shmemx_##N_##_wait_until_all_for(v, N, mask, SHMEM_CMP_EQ, 1, SHORT_NS),   \
			1);                                                                        \
		CU_ASSERT(shmemx_##N_##_wait_until_any_for(v, N, mask, SHMEM_CMP_EQ, 1, LONG_NS) > \
			  1);                                                                      \
		CU_ASSERT_EQUAL(shmemx_##N_##_wait_until_some_for(v, N, at, mask, SHMEM_CMP_EQ, 1, \
								  LONG_NS),                        \
				N - 2);                                                            \
		CU_ASSERT_EQUAL(at[0], 2);                                                         \
		shmem_barrier_all();                                                               \
	}
SHMEMI_TYPES_AMO(LIMITS, _)

static void
limits_of_signals(void)
{
	uint64_t *sig = sym_alloc(2 * sizeof(*sig)), seen = 5;

	CU_ASSERT_EQUAL(shmemx_signal_wait_until_for(sig, SHMEM_CMP_NE, *sig, &seen, SHORT_NS), 1);
	CU_ASSERT_EQUAL(seen, 5);
	shmem_barrier_all();
	shmem_putmem_signal(sig + 1, sig, sizeof(*sig), sig, 7, SHMEM_SIGNAL_SET, to_right(1));
	CU_ASSERT_EQUAL(shmemx_signal_wait_until_for(sig, SHMEM_CMP_EQ, 7, &seen, UINT64_MAX), 0);
	CU_ASSERT_EQUAL(seen, 7);
	CU_ASSERT_EQUAL(shmemx_signal_wait_until_for(sig, SHMEM_CMP_GE, 7, NULL, 0), 0);
	shmem_barrier_all();
	shmem_free(sig);
}

static void
limits(void)
{
	static long word;
	size_t at;

#define RUN_LIMITS(T, N_, op) limits_##N_();
	SHMEMI_TYPES_AMO(RUN_LIMITS, _)
	limits_of_signals();
	CU_ASSERT_EQUAL(shmemx_wait_until_for(&word, SHMEM_CMP_NE, 0, 0), 1);
	CU_ASSERT_EQUAL(shmemx_wait_until_all_for(&word, 1, NULL, SHMEM_CMP_EQ, 0, 0), 0);
	CU_ASSERT_EQUAL(shmemx_wait_until_any_for(&word, 1, NULL, SHMEM_CMP_EQ, 0, 0), 0);
	CU_ASSERT_EQUAL(shmemx_wait_until_any_vector_for(&word, 1, NULL, SHMEM_CMP_EQ, &word, 0),
			0);
	CU_ASSERT_EQUAL(shmemx_wait_until_some_for(&word, 1, &at, NULL, SHMEM_CMP_EQ, 0, 0), 1);
}

static CU_TestInfo tests[] = {
	{"every type", every_type},
	{"every comparison", every_comparison},
	{"empty sets", empty},
	{"fairness", fairness},
	{"fairness of many", fairness_of_many},
	{"deprecated", deprecated},
	{"signals", signals},
	{"order", order},
	{"limits", limits},
	CU_TEST_INFO_NULL,
};

int
main(void)
{
	return suite_main("sync", tests);
}
