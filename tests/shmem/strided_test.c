/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <stdlib.h>

#include "suite.h"

/* Strided RMA against a model that does it element by element; gaps must stay as they were. */

enum {
	LEN = 20000, /* elements of a buffer: more than the library stages at a time */
	UNTOUCHED = 99
};

struct shape {
	ptrdiff_t dst, sst;
	size_t bsize, n;
};

static const struct shape shapes[] = {
	{1, 1, 1, 10},	 {2, 1, 1, 10},	  {1, 3, 1, 1000},     {3, 2, 1, 1000},	    {1, 9, 1, 2000},
	{40, 1, 1, 300}, {1, 40, 1, 300}, {5, 7, 1, 1},	       {3, 3, 1, 0},	    {4, 6, 3, 500},
	{3, 3, 3, 700},	 {3, 8, 3, 700},  {900, 700, 600, 11}, {600, 700, 600, 20}, {5, 5, 0, 9},
};

static shmem_ctx_t ctx;

#define MODEL(T, N, op)                                                                   \
	static void model_##N(T *dest, const T *source, const struct shape *s)            \
	{                                                                                 \
		size_t b, i;                                                              \
                                                                                          \
		for (b = 0; b < s->n; b++)                                                \
			for (i = 0; i < s->bsize; i++)                                    \
				dest[(ptrdiff_t)b * s->dst + (ptrdiff_t)i] =              \
					source[(ptrdiff_t)b * s->sst + (ptrdiff_t)i];     \
	}                                                                                 \
	static void fill_##N(T *local, T *remote, T *expect)                              \
	{                                                                                 \
		int i;                                                                    \
                                                                                          \
		for (i = 0; i < LEN; i++) {                                               \
			local[i] = (T)(i * 5 + 1);                                        \
			remote[i] = expect[i] = (T)UNTOUCHED;                             \
		}                                                                         \
	}                                                                                 \
	static void put_##N(T *to, T *from, T *expect, const struct shape *s)             \
	{                                                                                 \
		int pe = to_right(1);                                                     \
                                                                                          \
		fill_##N(from, to, expect);                                               \
		shmem_barrier_all();                                                      \
		model_##N(expect, from, s);                                               \
		if (s->bsize == 1)                                                        \
			shmem_##N##_iput(to, from, s->dst, s->sst, s->n, pe);             \
		else                                                                      \
			shmem_##N##_ibput(to, from, s->dst, s->sst, s->bsize, s->n, pe);  \
		shmem_barrier_all();                                                      \
		CU_ASSERT(memcmp(to, expect, LEN * sizeof(T)) == 0);                      \
		fill_##N(from, to, expect);                                               \
		shmem_barrier_all();                                                      \
		model_##N(expect, from, s);                                               \
		shmem_ctx_##N##_ibput(ctx, to, from, s->dst, s->sst, s->bsize, s->n, pe); \
		shmem_ctx_quiet(ctx);                                                     \
		shmem_barrier_all();                                                      \
		CU_ASSERT(memcmp(to, expect, LEN * sizeof(T)) == 0);                      \
	}                                                                                 \
	static void get_##N(T *to, T *from, T *expect, const struct shape *s)             \
	{                                                                                 \
		int pe = to_right(1);                                                     \
                                                                                          \
		fill_##N(from, to, expect);                                               \
		model_##N(expect, from, s);                                               \
		shmem_barrier_all();                                                      \
		if (s->bsize == 1)                                                        \
			shmem_##N##_iget(to, from, s->dst, s->sst, s->n, pe);             \
		else                                                                      \
			shmem_##N##_ibget(to, from, s->dst, s->sst, s->bsize, s->n, pe);  \
		CU_ASSERT(memcmp(to, expect, LEN * sizeof(T)) == 0);                      \
		shmem_barrier_all();                                                      \
		fill_##N(from, to, expect);                                               \
		model_##N(expect, from, s);                                               \
		shmem_ctx_##N##_ibget(ctx, to, from, s->dst, s->sst, s->bsize, s->n, pe); \
		CU_ASSERT(memcmp(to, expect, LEN * sizeof(T)) == 0);                      \
		shmem_barrier_all();                                                      \
	}                                                                                 \
	static void type_##N(void)                                                        \
	{                                                                                 \
		T *a = sym_alloc(LEN * sizeof(T)), *b = sym_alloc(LEN * sizeof(T));       \
		T *expect = calloc(LEN, sizeof(T));                                       \
		size_t i;                                                                 \
                                                                                          \
		for (i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {                \
			put_##N(a, b, expect, &shapes[i]);                                \
			get_##N(a, b, expect, &shapes[i]);                                \
		}                                                                         \
		free(expect);                                                             \
		shmem_free(a);                                                            \
		shmem_free(b);                                                            \
	}

/* One type of each size goes through all shapes. */
MODEL(unsigned char, uchar, _)
MODEL(short, short, _)
MODEL(float, float, _)
MODEL(uint64_t, uint64, _)

/* The others have the same bodies; one call of each form. */
#define ONCE(T, N, op)                                                                         \
	static void once_##N(void)                                                             \
	{                                                                                      \
		static T to[12], from[12], back[12];                                           \
		int i, pe = to_right(1);                                                       \
                                                                                               \
		memset(to, 0, sizeof(to));                                                     \
		for (i = 0; i < 12; i++)                                                       \
			from[i] = (T)(i + 1);                                                  \
		shmem_barrier_all();                                                           \
		shmem_##N##_iput(to, from, 2, 1, 3, pe);                                       \
		shmem_ctx_##N##_iput(ctx, to + 6, from + 6, 1, 2, 2, pe);                      \
		shmem_##N##_ibput(to + 8, from, 2, 4, 2, 2, pe);                               \
		shmem_ctx_quiet(ctx);                                                          \
		shmem_barrier_all();                                                           \
		CU_ASSERT(to[0] == (T)1 && to[1] == (T)0 && to[2] == (T)2 && to[4] == (T)3);   \
		CU_ASSERT(to[6] == (T)7 && to[7] == (T)9);                                     \
		CU_ASSERT(to[8] == (T)1 && to[9] == (T)2 && to[10] == (T)5 && to[11] == (T)6); \
		shmem_##N##_iget(back, from, 1, 5, 2, pe);                                     \
		shmem_ctx_##N##_iget(ctx, back + 2, from, 1, 2, 2, pe);                        \
		shmem_##N##_ibget(back + 4, from, 3, 2, 2, 2, pe);                             \
		shmem_ctx_##N##_ibget(ctx, back + 9, from, 2, 2, 2, 1, pe);                    \
		CU_ASSERT(back[0] == (T)1 && back[1] == (T)6 && back[2] == (T)1 &&             \
			  back[3] == (T)3);                                                    \
		CU_ASSERT(back[4] == (T)1 && back[5] == (T)2 && back[7] == (T)3 &&             \
			  back[8] == (T)4);                                                    \
		CU_ASSERT(back[9] == (T)1 && back[10] == (T)2 && back[11] == (T)0);            \
		shmem_barrier_all();                                                           \
	}

SHMEMI_TYPES_RMA(ONCE, _)

static void
shapes_of_types(void)
{
	type_uchar();
	type_short();
	type_float();
	type_uint64();
}

static void
every_type(void)
{
#define RUN(T, N, op) once_##N();
	SHMEMI_TYPES_RMA(RUN, _);
}

#define SIZE_CASE(bits, op)                                                                      \
	static void size_##bits(void)                                                            \
	{                                                                                        \
		enum {                                                                           \
			B = (bits) / 8                                                           \
		};                                                                               \
		static __attribute__((aligned(16))) unsigned char to[8 * B], from[8 * B];        \
		static __attribute__((aligned(16))) unsigned char back[8 * B];                   \
		int i, pe = to_right(1);                                                         \
                                                                                                 \
		memset(to, 0, sizeof(to));                                                       \
		for (i = 0; i < 8 * B; i++)                                                      \
			from[i] = (unsigned char)(i + 1);                                        \
		shmem_barrier_all();                                                             \
		shmem_iput##bits(to, from, 2, 1, 2, pe);                                         \
		shmem_ctx_ibput##bits(ctx, to + 4 * B, from + 2 * B, 2, 2, 1, 2, pe);            \
		shmem_ctx_quiet(ctx);                                                            \
		shmem_barrier_all();                                                             \
		CU_ASSERT(memcmp(to, from, B) == 0 && memcmp(to + 2 * B, from + B, B) == 0);     \
		CU_ASSERT(memcmp(to + 4 * B, from + 2 * B, B) == 0);                             \
		CU_ASSERT(memcmp(to + 6 * B, from + 4 * B, B) == 0);                             \
		CU_ASSERT(to[B] == 0 && to[5 * B] == 0 && to[7 * B] == 0);                       \
		shmem_ctx_iget##bits(ctx, back, from, 1, 3, 2, pe);                              \
		shmem_ibget##bits(back + 2 * B, from, 2, 3, 2, 2, pe);                           \
		CU_ASSERT(memcmp(back, from, B) == 0 && memcmp(back + B, from + 3 * B, B) == 0); \
		CU_ASSERT(memcmp(back + 2 * B, from, 2 * B) == 0);                               \
		CU_ASSERT(memcmp(back + 4 * B, from + 3 * B, 2 * B) == 0);                       \
		shmem_barrier_all();                                                             \
	}

SHMEMI_SIZES(SIZE_CASE, _)

static void
every_size(void)
{
#define RUN_SIZE(bits, op) size_##bits();
	SHMEMI_SIZES(RUN_SIZE, _);
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
	{"a context", open_ctx},    {"shapes", shapes_of_types},      {"every type", every_type},
	{"every size", every_size}, {"context destroyed", close_ctx}, CU_TEST_INFO_NULL,
};

int
main(void)
{
	return suite_main("strided", tests);
}
