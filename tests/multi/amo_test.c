/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Values of every atomic operation and type, to oneself and over one and two hops. What happens
 * when all PEs meet on one word is in amo_contend_test.c.
 */
#include <float.h>
#include <limits.h>
#include <string.h>

#include "multi.h"
#include "types.h"

static shmem_ctx_t ctx;

#define VALUES(T, name)                                                                      \
	static void name##_values(T *word, int pe)                                           \
	{                                                                                    \
		T fetched = 99;                                                              \
		shmem_##name##_atomic_set(word, 5, pe);                                      \
		CHECK_EQ(shmem_##name##_atomic_fetch(word, pe), 5);                          \
		CHECK_EQ(shmem_##name##_atomic_fetch_add(word, 7, pe), 5);                   \
		shmem_##name##_atomic_add(word, (T)(-2), pe);                                \
		CHECK_EQ(shmem_##name##_atomic_fetch_inc(word, pe), 10);                     \
		shmem_##name##_atomic_inc(word, pe);                                         \
		CHECK_EQ(shmem_##name##_atomic_swap(word, 20, pe), 12);                      \
		CHECK_EQ(shmem_##name##_atomic_compare_swap(word, 21, 30, pe), 20);          \
		CHECK_EQ(shmem_##name##_atomic_compare_swap(word, 20, 31, pe), 20);          \
		shmem_##name##_atomic_fetch_nbi(&fetched, word, pe);                         \
		shmem_quiet();                                                               \
		CHECK_EQ(fetched, 31);                                                       \
		shmem_##name##_atomic_fetch_add_nbi(&fetched, word, 3, pe);                  \
		shmem_quiet();                                                               \
		CHECK_EQ(fetched, 31);                                                       \
		shmem_##name##_atomic_fetch_inc_nbi(&fetched, word, pe);                     \
		shmem_quiet();                                                               \
		CHECK_EQ(fetched, 34);                                                       \
		shmem_##name##_atomic_swap_nbi(&fetched, word, 50, pe);                      \
		shmem_quiet();                                                               \
		CHECK_EQ(fetched, 35);                                                       \
		shmem_##name##_atomic_compare_swap_nbi(&fetched, word, 50, (T)(-1), pe);     \
		shmem_quiet();                                                               \
		CHECK_EQ(fetched, 50);                                                       \
		/* Arithmetic wraps, also the signed one. */                                 \
		CHECK(shmem_##name##_atomic_fetch_inc(word, pe) == (T)(-1));                 \
		CHECK_EQ(shmem_##name##_atomic_fetch(word, pe), 0);                          \
	}                                                                                    \
	static void name##_ctx_values(T *word, int pe)                                       \
	{                                                                                    \
		T fetched = 99;                                                              \
		shmem_ctx_##name##_atomic_set(ctx, word, 5, pe);                             \
		CHECK_EQ(shmem_ctx_##name##_atomic_fetch(ctx, word, pe), 5);                 \
		CHECK_EQ(shmem_ctx_##name##_atomic_fetch_add(ctx, word, 7, pe), 5);          \
		shmem_ctx_##name##_atomic_add(ctx, word, 8, pe);                             \
		shmem_ctx_##name##_atomic_inc(ctx, word, pe);                                \
		CHECK_EQ(shmem_ctx_##name##_atomic_fetch_inc(ctx, word, pe), 21);            \
		CHECK_EQ(shmem_ctx_##name##_atomic_swap(ctx, word, 20, pe), 22);             \
		CHECK_EQ(shmem_ctx_##name##_atomic_compare_swap(ctx, word, 20, 31, pe), 20); \
		shmem_ctx_##name##_atomic_fetch_nbi(ctx, &fetched, word, pe);                \
		shmem_ctx_quiet(ctx);                                                        \
		CHECK_EQ(fetched, 31);                                                       \
		shmem_ctx_##name##_atomic_fetch_add_nbi(ctx, &fetched, word, 3, pe);         \
		shmem_ctx_quiet(ctx);                                                        \
		CHECK_EQ(fetched, 31);                                                       \
		shmem_ctx_##name##_atomic_fetch_inc_nbi(ctx, &fetched, word, pe);            \
		shmem_ctx_quiet(ctx);                                                        \
		CHECK_EQ(fetched, 34);                                                       \
		shmem_ctx_##name##_atomic_swap_nbi(ctx, &fetched, word, 50, pe);             \
		shmem_ctx_quiet(ctx);                                                        \
		CHECK_EQ(fetched, 35);                                                       \
		shmem_ctx_##name##_atomic_compare_swap_nbi(ctx, &fetched, word, 50, 0, pe);  \
		shmem_ctx_quiet(ctx);                                                        \
		CHECK_EQ(fetched, 50);                                                       \
		CHECK_EQ(shmem_ctx_##name##_atomic_fetch(ctx, word, pe), 0);                 \
	}

#define BITS(T, name)                                                                    \
	static void name##_bits(T *word, int pe)                                         \
	{                                                                                \
		T fetched = 99;                                                          \
		shmem_##name##_atomic_set(word, 0x0f0f, pe);                             \
		CHECK_EQ(shmem_##name##_atomic_fetch_and(word, 0x00ff, pe), 0x0f0f);     \
		CHECK_EQ(shmem_##name##_atomic_fetch_or(word, 0x7000, pe), 0x000f);      \
		CHECK_EQ(shmem_##name##_atomic_fetch_xor(word, 0x1001, pe), 0x700f);     \
		shmem_##name##_atomic_and(word, 0x600c, pe);                             \
		shmem_##name##_atomic_or(word, 0x0300, pe);                              \
		shmem_##name##_atomic_xor(word, (T)(-1), pe);                            \
		CHECK(shmem_##name##_atomic_fetch(word, pe) == (T) ~(T)0x630c);          \
		shmem_##name##_atomic_set(word, 0x11, pe);                               \
		shmem_##name##_atomic_fetch_and_nbi(&fetched, word, 0x10, pe);           \
		shmem_quiet();                                                           \
		CHECK_EQ(fetched, 0x11);                                                 \
		shmem_##name##_atomic_fetch_or_nbi(&fetched, word, 0x3, pe);             \
		shmem_quiet();                                                           \
		CHECK_EQ(fetched, 0x10);                                                 \
		shmem_ctx_##name##_atomic_fetch_xor_nbi(ctx, &fetched, word, 0x1, pe);   \
		shmem_ctx_quiet(ctx);                                                    \
		CHECK_EQ(fetched, 0x13);                                                 \
		CHECK_EQ(shmem_ctx_##name##_atomic_fetch_and(ctx, word, 0x2, pe), 0x12); \
		CHECK_EQ(shmem_ctx_##name##_atomic_fetch_or(ctx, word, 0x1, pe), 0x2);   \
		CHECK_EQ(shmem_ctx_##name##_atomic_fetch_xor(ctx, word, 0x2, pe), 0x3);  \
		shmem_ctx_##name##_atomic_or(ctx, word, 0x6, pe);                        \
		shmem_ctx_##name##_atomic_and(ctx, word, 0x5, pe);                       \
		shmem_ctx_##name##_atomic_xor(ctx, word, 0x4, pe);                       \
		CHECK_EQ(shmem_ctx_##name##_atomic_fetch(ctx, word, pe), 1);             \
	}

/* clang-format off */
TYPES_AMO(VALUES)
TYPES_BIT(BITS)
/* clang-format on */

/** Run @p what for all types on the words that are this PE's at @p pe. */
static void
at_target(void *at, int pe, int what)
{
	size_t mine = 3 * (size_t)mt_me + 1;

#define CALL(T, name)                              \
	if (what == 0)                             \
		name##_values((T *)at + mine, pe); \
	if (what == 1)                             \
		name##_ctx_values((T *)at + mine, pe);
	TYPES_AMO(CALL)
#undef CALL
#define CALL(T, name)  \
	if (what == 2) \
		name##_bits((T *)at + mine, pe);
	TYPES_BIT(CALL)
#undef CALL
}

static void
with_types(int what)
{
	static long static_words[3 * 64];
	unsigned char *heap = mt_alloc(3 * (size_t)mt_npes * sizeof(long)), *at;
	int d, place;

	CHECK_EQ(shmem_ctx_create(0, &ctx), 0);
	for (place = 0; place < 2; place++) {
		at = place ? (unsigned char *)static_words : heap;
		for (d = 0; d < mt_distances(); d++)
			at_target(at, mt_pe(d), what);
		shmem_barrier_all();
	}
	shmem_ctx_destroy(ctx);
	shmem_free(heap);
}

/** A 4-byte operation done on 8 bytes shows in the next word: a carry must stay out of it. */
static void
case_width(void)
{
	unsigned int *heap = mt_alloc(3 * (size_t)mt_npes * sizeof(*heap));
	int d, i, from;

	memset(heap, 0xff, 3 * (size_t)mt_npes * sizeof(*heap));
	shmem_barrier_all();
	for (d = 0; d < mt_distances(); d++) {
		shmem_uint_atomic_add(&heap[3 * mt_me + 1], 2, mt_pe(d));
		CHECK_EQ(shmem_uint_atomic_fetch_add(&heap[3 * mt_me + 1], 5, mt_pe(d)), 1);
		CHECK_EQ(shmem_uint_atomic_swap(&heap[3 * mt_me + 1], 8, mt_pe(d)), 6);
		CHECK_EQ(shmem_uint_atomic_compare_swap(&heap[3 * mt_me + 1], 8, 9, mt_pe(d)), 8);
	}
	shmem_barrier_all();
	for (i = 0; i < 3 * mt_npes; i++) {
		/* Did PE i / 3 reach this one? */
		from = (mt_me - i / 3 + mt_npes) % mt_npes;
		CHECK_EQ(heap[i], i % 3 == 1 && from < mt_distances() ? 9 : 0xffffffffu);
	}
	shmem_barrier_all();
	shmem_free(heap);
}

static void
case_values(void)
{
	with_types(0);
}

static void
case_ctx_values(void)
{
	with_types(1);
}

static void
case_bits(void)
{
	with_types(2);
}

/** float and double are moved bit by bit: NaN payloads and the sign of zero survive. */
static void
case_float_bits(void)
{
	double *doubles = mt_alloc(64 * sizeof(double)), got_d;
	float *floats = mt_alloc(64 * sizeof(float)), got_f;
	uint64_t nan64 = 0x7ff4000000abcdefu, bits64;
	uint32_t nan32 = 0x7fa12345u, bits32;
	int d, pe;

	for (d = 0; d < mt_distances(); d++) {
		pe = mt_pe(d);
		memcpy(&got_d, &nan64, 8);
		shmem_double_atomic_set(&doubles[mt_me], -0.0, pe);
		got_d = shmem_double_atomic_swap(&doubles[mt_me], got_d, pe);
		memcpy(&bits64, &got_d, 8);
		CHECK(bits64 == 0x8000000000000000u);
		shmem_double_atomic_fetch_nbi(&got_d, &doubles[mt_me], pe);
		shmem_quiet();
		memcpy(&bits64, &got_d, 8);
		CHECK(bits64 == nan64);

		memcpy(&got_f, &nan32, 4);
		shmem_float_atomic_set(&floats[mt_me], -0.0f, pe);
		got_f = shmem_float_atomic_swap(&floats[mt_me], got_f, pe);
		memcpy(&bits32, &got_f, 4);
		CHECK(bits32 == 0x80000000u);
		shmem_float_atomic_swap_nbi(&got_f, &floats[mt_me], FLT_MIN, pe);
		shmem_quiet();
		memcpy(&bits32, &got_f, 4);
		CHECK(bits32 == nan32);
		CHECK(shmem_float_atomic_fetch(&floats[mt_me], pe) == FLT_MIN);
	}
	shmem_free(floats);
	shmem_free(doubles);
}

static void
case_signed_limits(void)
{
	int *words = mt_alloc(64 * sizeof(int));
	long *longs = mt_alloc(64 * sizeof(long));
	int d, pe;

	for (d = 0; d < mt_distances(); d++) {
		pe = mt_pe(d);
		shmem_int_atomic_set(&words[mt_me], INT_MAX, pe);
		CHECK_EQ(shmem_int_atomic_fetch_inc(&words[mt_me], pe), INT_MAX);
		CHECK_EQ(shmem_int_atomic_fetch_add(&words[mt_me], -1, pe), INT_MIN);
		CHECK_EQ(shmem_int_atomic_compare_swap(&words[mt_me], INT_MAX, -7, pe), INT_MAX);
		CHECK_EQ(shmem_int_atomic_fetch(&words[mt_me], pe), -7);
		shmem_long_atomic_set(&longs[mt_me], LONG_MIN, pe);
		CHECK_EQ(shmem_long_atomic_fetch_add(&longs[mt_me], -1, pe), LONG_MIN);
		CHECK_EQ(shmem_long_atomic_fetch(&longs[mt_me], pe), LONG_MAX);
	}
	shmem_free(longs);
	shmem_free(words);
}

/* Here they are called on purpose. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

static void
case_old_names(void)
{
	static int i;
	static long l;
	static long long ll;
	static float f;
	static double d;
	int pe = mt_pe(1);

	i = 5;
	l = 6;
	ll = 7;
	f = 1.5f;
	d = 2.5;
	shmem_barrier_all();
	/* One PE works on each word. */
	CHECK_EQ(shmem_int_fadd(&i, 3, pe), 5);
	CHECK_EQ(shmem_int_finc(&i, pe), 8);
	shmem_int_add(&i, 10, pe);
	shmem_int_inc(&i, pe);
	CHECK_EQ(shmem_int_cswap(&i, 20, 30, pe), 20);
	CHECK_EQ(shmem_int_swap(&i, 40, pe), 30);
	shmem_int_set(&i, 41, pe);
	CHECK_EQ(shmem_int_fetch(&i, pe), 41);
	CHECK_EQ(shmem_long_fadd(&l, -7, pe), 6);
	CHECK_EQ(shmem_long_fetch(&l, pe), -1);
	CHECK_EQ(shmem_longlong_cswap(&ll, 7, -7, pe), 7);
	CHECK_EQ(shmem_longlong_swap(&ll, 1, pe), -7);
	CHECK(shmem_float_swap(&f, 3.5f, pe) == 1.5f);
	CHECK(shmem_float_fetch(&f, pe) == 3.5f);
	shmem_double_set(&d, -0.25, pe);
	CHECK(shmem_double_swap(&d, 1, pe) == -0.25);
	shmem_barrier_all();
}

int
main(int argc, char **argv)
{
	static const struct mt_case cases[] = {
		{"values", case_values},
		{"ctx_values", case_ctx_values},
		{"bits", case_bits},
		{"width", case_width},
		{"float_bits", case_float_bits},
		{"signed_limits", case_signed_limits},
		{"old_names", case_old_names},
		{0},
	};

	return mt_main(argc, argv, SHMEM_THREAD_SINGLE, cases);
}
