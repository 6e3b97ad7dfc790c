/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "suite.h"

/* Atomics: every call of every type, wrap-around, bit patterns, contention. */

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

static shmem_ctx_t ctx;

/* Each PE works on the word of its own number in the PE to its right. */
#define ARITHMETIC(T, N, op)                                                               \
	static void arith_##N(T *words)                                                    \
	{                                                                                  \
		T *w = &words[me], old[4] = {0};                                           \
		int pe = to_right(1);                                                      \
                                                                                           \
		shmem_##N##_atomic_set(w, 5, pe);                                          \
		shmem_##N##_atomic_inc(w, pe);                                             \
		shmem_##N##_atomic_add(w, 10, pe);                                         \
		shmem_quiet();                                                             \
		CU_ASSERT_EQUAL(shmem_##N##_atomic_fetch(w, pe), 16);                      \
		CU_ASSERT_EQUAL(shmem_##N##_atomic_fetch_inc(w, pe), 16);                  \
		CU_ASSERT_EQUAL(shmem_##N##_atomic_fetch_add(w, (T)(-2), pe), 17);         \
		CU_ASSERT_EQUAL(shmem_##N##_atomic_swap(w, 40, pe), 15);                   \
		CU_ASSERT_EQUAL(shmem_##N##_atomic_compare_swap(w, 41, 50, pe), 40);       \
		CU_ASSERT_EQUAL(shmem_##N##_atomic_compare_swap(w, 40, 50, pe), 40);       \
		shmem_ctx_##N##_atomic_set(ctx, w, 60, pe);                                \
		shmem_ctx_quiet(ctx);                                                      \
		shmem_ctx_##N##_atomic_inc(ctx, w, pe);                                    \
		shmem_ctx_##N##_atomic_add(ctx, w, 3, pe);                                 \
		shmem_ctx_quiet(ctx);                                                      \
		CU_ASSERT_EQUAL(shmem_ctx_##N##_atomic_fetch(ctx, w, pe), 64);             \
		CU_ASSERT_EQUAL(shmem_ctx_##N##_atomic_fetch_inc(ctx, w, pe), 64);         \
		CU_ASSERT_EQUAL(shmem_ctx_##N##_atomic_fetch_add(ctx, w, 5, pe), 65);      \
		CU_ASSERT_EQUAL(shmem_ctx_##N##_atomic_swap(ctx, w, 1, pe), 70);           \
		CU_ASSERT_EQUAL(shmem_ctx_##N##_atomic_compare_swap(ctx, w, 1, 2, pe), 1); \
		shmem_##N##_atomic_fetch_nbi(&old[0], w, pe);                              \
		shmem_quiet();                                                             \
		shmem_##N##_atomic_fetch_inc_nbi(&old[1], w, pe);                          \
		shmem_quiet();                                                             \
		shmem_ctx_##N##_atomic_fetch_add_nbi(ctx, &old[2], w, 4, pe);              \
		shmem_ctx_quiet(ctx);                                                      \
		shmem_##N##_atomic_compare_swap_nbi(&old[3], w, 7, 100, pe);               \
		shmem_quiet();                                                             \
		CU_ASSERT(old[0] == 2 && old[1] == 2 && old[2] == 3 && old[3] == 7);       \
		shmem_ctx_##N##_atomic_swap_nbi(ctx, &old[0], w, 8, pe);                   \
		shmem_ctx_quiet(ctx);                                                      \
		shmem_ctx_##N##_atomic_compare_swap_nbi(ctx, &old[1], w, 8, 9, pe);        \
		shmem_ctx_quiet(ctx);                                                      \
		shmem_ctx_##N##_atomic_fetch_inc_nbi(ctx, &old[2], w, pe);                 \
		shmem_ctx_quiet(ctx);                                                      \
		shmem_##N##_atomic_fetch_add_nbi(&old[3], w, 1, pe);                       \
		shmem_quiet();                                                             \
		CU_ASSERT(old[0] == 100 && old[1] == 8 && old[2] == 9 && old[3] == 10);    \
		shmem_ctx_##N##_atomic_fetch_nbi(ctx, &old[0], w, pe);                     \
		shmem_##N##_atomic_swap_nbi(&old[1], w, (T)(-1), pe);                      \
		shmem_ctx_quiet(ctx);                                                      \
		shmem_quiet();                                                             \
		CU_ASSERT_EQUAL(old[1], 11);                                               \
		shmem_barrier_all();                                                       \
		CU_ASSERT_EQUAL(words[to_left(1)], (T)(-1));                               \
		shmem_barrier_all();                                                       \
	}

SHMEMI_TYPES_AMO(ARITHMETIC, _)

#define BITWISE(T, N, op)                                                                  \
	static void bits_##N(T *words)                                                     \
	{                                                                                  \
		T *w = &words[me], old[6] = {0};                                           \
		int pe = to_right(1);                                                      \
                                                                                           \
		shmem_##N##_atomic_set(w, 0xf0, pe);                                       \
		shmem_quiet();                                                             \
		shmem_##N##_atomic_or(w, 0x0f, pe);                                        \
		shmem_##N##_atomic_and(w, 0x3c, pe);                                       \
		shmem_##N##_atomic_xor(w, 0xff, pe);                                       \
		shmem_quiet();                                                             \
		shmem_ctx_##N##_atomic_or(ctx, w, 0x100, pe);                              \
		shmem_ctx_##N##_atomic_and(ctx, w, 0x1fe, pe);                             \
		shmem_ctx_##N##_atomic_xor(ctx, w, 0x200, pe);                             \
		shmem_ctx_quiet(ctx);                                                      \
		CU_ASSERT_EQUAL(shmem_##N##_atomic_fetch_or(w, 1, pe), 0x3c2);             \
		CU_ASSERT_EQUAL(shmem_##N##_atomic_fetch_and(w, 0xff, pe), 0x3c3);         \
		CU_ASSERT_EQUAL(shmem_##N##_atomic_fetch_xor(w, 3, pe), 0xc3);             \
		CU_ASSERT_EQUAL(shmem_ctx_##N##_atomic_fetch_or(ctx, w, 1, pe), 0xc0);     \
		CU_ASSERT_EQUAL(shmem_ctx_##N##_atomic_fetch_and(ctx, w, 0x81, pe), 0xc1); \
		CU_ASSERT_EQUAL(shmem_ctx_##N##_atomic_fetch_xor(ctx, w, 0x80, pe), 0x81); \
		shmem_##N##_atomic_fetch_or_nbi(&old[0], w, 2, pe);                        \
		shmem_quiet();                                                             \
		shmem_##N##_atomic_fetch_and_nbi(&old[1], w, 2, pe);                       \
		shmem_quiet();                                                             \
		shmem_##N##_atomic_fetch_xor_nbi(&old[2], w, 6, pe);                       \
		shmem_quiet();                                                             \
		shmem_ctx_##N##_atomic_fetch_or_nbi(ctx, &old[3], w, 1, pe);               \
		shmem_ctx_quiet(ctx);                                                      \
		shmem_ctx_##N##_atomic_fetch_and_nbi(ctx, &old[4], w, 1, pe);              \
		shmem_ctx_quiet(ctx);                                                      \
		shmem_ctx_##N##_atomic_fetch_xor_nbi(ctx, &old[5], w, (T)(-1), pe);        \
		shmem_ctx_quiet(ctx);                                                      \
		CU_ASSERT(old[0] == 1 && old[1] == 3 && old[2] == 2);                      \
		CU_ASSERT(old[3] == 4 && old[4] == 5 && old[5] == 1);                      \
		shmem_barrier_all();                                                       \
		CU_ASSERT_EQUAL(words[to_left(1)], (T)(-2));                               \
		shmem_barrier_all();                                                       \
	}

SHMEMI_TYPES_AMO_BIT(BITWISE, _)

static void
integers(void)
{
	void *words = sym_alloc(8 * (size_t)npes);

#define RUN_ARITHMETIC(T, N, op) arith_##N(words);
	SHMEMI_TYPES_AMO(RUN_ARITHMETIC, _)
#define RUN_BITWISE(T, N, op) bits_##N(words);
	SHMEMI_TYPES_AMO_BIT(RUN_BITWISE, _)
	shmem_free(words);
}

static void
floats(void)
{
	static float f;
	static double d;
	const uint64_t odd_nan = 0x7ff4dead0000beefull;
	double nan_in, out;
	int pe = to_right(1);

	memcpy(&nan_in, &odd_nan, sizeof(nan_in));
	shmem_barrier_all();
	shmem_double_atomic_set(&d, -0.0, pe);
	shmem_quiet();
	out = shmem_double_atomic_fetch(&d, pe);
	CU_ASSERT(out == 0 && signbit(out));
	out = shmem_double_atomic_swap(&d, nan_in, pe);
	CU_ASSERT(out == 0 && signbit(out));
	shmem_ctx_double_atomic_swap_nbi(ctx, &out, &d, 1.5, pe);
	shmem_ctx_quiet(ctx);
	CU_ASSERT(memcmp(&out, &odd_nan, sizeof(out)) == 0);
	shmem_ctx_float_atomic_set(ctx, &f, 2.5f, pe);
	shmem_ctx_quiet(ctx);
	CU_ASSERT_EQUAL(shmem_ctx_float_atomic_swap(ctx, &f, 3.5f, pe), 2.5f);
	CU_ASSERT_EQUAL(shmem_ctx_float_atomic_fetch(ctx, &f, pe), 3.5f);
	shmem_barrier_all();
	CU_ASSERT(f == 3.5f && d == 1.5);
	shmem_barrier_all();
}

static void
wrap(void)
{
	static int i;
	static long long ll;
	int pe = to_right(1);

	shmem_int_atomic_set(&i, INT_MAX, pe);
	shmem_longlong_atomic_set(&ll, LLONG_MIN, pe);
	shmem_quiet();
	shmem_int_atomic_inc(&i, pe);
	shmem_longlong_atomic_add(&ll, -1, pe);
	shmem_barrier_all();
	CU_ASSERT_EQUAL(i, INT_MIN);
	CU_ASSERT_EQUAL(ll, LLONG_MAX);
	shmem_barrier_all();
}

/* The neighbours of a 4-byte word stay as they are. */
static void
width(void)
{
	unsigned int *w = sym_alloc(3 * sizeof(*w));

	w[0] = w[1] = w[2] = 0xffffffff;
	shmem_barrier_all();
	shmem_uint_atomic_inc(&w[1], to_right(1));
	shmem_barrier_all();
	CU_ASSERT(w[0] == 0xffffffff && w[1] == 0 && w[2] == 0xffffffff);
	shmem_free(w);
}

static void
deprecated(void)
{
	static double d;
	static long l;
	int pe = to_right(1);

	shmem_double_set(&d, 4.5, pe);
	shmem_long_set(&l, 7, pe);
	shmem_quiet();
	CU_ASSERT_EQUAL(shmem_double_swap(&d, 5.5, pe), 4.5);
	CU_ASSERT_EQUAL(shmem_double_fetch(&d, pe), 5.5);
	CU_ASSERT_EQUAL(shmem_long_cswap(&l, 7, 8, pe), 7);
	CU_ASSERT_EQUAL(shmem_long_finc(&l, pe), 8);
	shmem_long_inc(&l, pe);
	shmem_long_add(&l, 10, pe);
	shmem_quiet();
	CU_ASSERT_EQUAL(shmem_long_fadd(&l, 1, pe), 20);
	shmem_barrier_all();
	CU_ASSERT_EQUAL(l, 21);
	shmem_barrier_all();
}

/* All PEs on one counter: no ticket is given out twice, none is lost. */
static void
contention(void)
{
	enum {
		ROUNDS = 500
	};
	uint64_t *next = sym_alloc(sizeof(*next));
	int *taken = sym_alloc(sizeof(*taken) * ROUNDS * (size_t)npes);
	int i;

	for (i = 0; i < ROUNDS; i++) {
		uint64_t ticket = shmem_uint64_atomic_fetch_inc(next, 0);

		CU_ASSERT_FATAL(ticket < (uint64_t)ROUNDS * (uint64_t)npes);
		shmem_int_atomic_inc(&taken[ticket], npes - 1);
	}
	shmem_barrier_all();
	if (me == 0)
		CU_ASSERT_EQUAL(*next, (uint64_t)ROUNDS * (uint64_t)npes);
	if (me == npes - 1)
		for (i = 0; i < ROUNDS * npes; i++)
			CU_ASSERT_EQUAL(taken[i], 1);
	shmem_barrier_all();
	shmem_free(taken);
	shmem_free(next);
}

static void
open_ctx(void)
{
	CU_ASSERT_EQUAL(shmem_ctx_create(0, &ctx), 0);
}

static void
close_ctx(void)
{
	shmem_ctx_destroy(ctx);
}

static CU_TestInfo tests[] = {
	{"a context", open_ctx},
	{"integers", integers},
	{"float and double", floats},
	{"wrap-around", wrap},
	{"width", width},
	{"deprecated names", deprecated},
	{"contention", contention},
	{"context destroyed", close_ctx},
	CU_TEST_INFO_NULL,
};

int
main(void)
{
	return suite_main("amo", tests);
}
