/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <stdlib.h>

#include "suite.h"

/* Contiguous RMA: every type and size, every form. Each PE writes the part of its number. */

enum {
	N = 5,
	FORMS = 6
};

static shmem_ctx_t ctx;

/* A value that tells writer, form and place apart, in every type. */
#define VALUE(T, pe, form, i) ((T)(3 * (pe) + 17 * (form) + (i) + 1))

/* put, ctx_put, put_nbi, ctx_put_nbi, p, ctx_p into five words each of the PE to the right */
#define WRITE(T, N_, op)                                                    \
	static void write_##N_(T *all, int pe)                              \
	{                                                                   \
		T(*to)[N] = (T(*)[N])(all + (size_t)me * FORMS * N);        \
		static T from[FORMS][N];                                    \
		int f, i;                                                   \
                                                                            \
		for (f = 0; f < FORMS; f++)                                 \
			for (i = 0; i < N; i++)                             \
				from[f][i] = VALUE(T, me, f, i);            \
		shmem_##N_##_put(to[0], from[0], N, pe);                    \
		shmem_ctx_##N_##_put(ctx, to[1], from[1], N, pe);           \
		shmem_##N_##_put_nbi(to[2], from[2], N, pe);                \
		shmem_ctx_##N_##_put_nbi(ctx, to[3], from[3], N, pe);       \
		for (i = 0; i < N; i++) {                                   \
			shmem_##N_##_p(&to[4][i], from[4][i], pe);          \
			shmem_ctx_##N_##_p(ctx, &to[5][i], from[5][i], pe); \
		}                                                           \
		shmem_ctx_quiet(ctx);                                       \
	}
/* The same by reading; what a PE has is what all others wrote to it. */
#define READ(T, N_, op)                                                                \
	static int read_##N_(const T *all, int pe, int writer)                         \
	{                                                                              \
		const T(*from)[N] = (const T(*)[N])(all + (size_t)writer * FORMS * N); \
		static T to[FORMS][N];                                                 \
		int f, i, bad = 0;                                                     \
                                                                                       \
		memset(to, 0, sizeof(to));                                             \
		shmem_##N_##_get(to[0], from[0], N, pe);                               \
		shmem_ctx_##N_##_get(ctx, to[1], from[1], N, pe);                      \
		shmem_##N_##_get_nbi(to[2], from[2], N, pe);                           \
		shmem_ctx_##N_##_get_nbi(ctx, to[3], from[3], N, pe);                  \
		for (i = 0; i < N; i++) {                                              \
			to[4][i] = shmem_##N_##_g(&from[4][i], pe);                    \
			to[5][i] = shmem_ctx_##N_##_g(ctx, &from[5][i], pe);           \
		}                                                                      \
		shmem_quiet();                                                         \
		shmem_ctx_quiet(ctx);                                                  \
		for (f = 0; f < FORMS; f++)                                            \
			for (i = 0; i < N; i++)                                        \
				bad += to[f][i] != VALUE(T, writer, f, i) ||           \
				       (pe == me && from[f][i] != to[f][i]);           \
		return bad;                                                            \
	}
#define TYPE_CASE(T, N_, op)                                               \
	static void type_##N_(void)                                        \
	{                                                                  \
		T *all = sym_alloc(sizeof(T) * FORMS * N * (size_t)npes);  \
		int d;                                                     \
                                                                           \
		for (d = 0; d < npes; d++)                                 \
			write_##N_(all, to_right(d));                      \
		shmem_barrier_all();                                       \
		for (d = 0; d < npes; d++)                                 \
			CU_ASSERT_EQUAL(read_##N_(all, to_left(d), d), 0); \
		shmem_barrier_all();                                       \
		shmem_free(all);                                           \
	}
#define ALL(T, N_, op) WRITE(T, N_, op) READ(T, N_, op) TYPE_CASE(T, N_, op)

SHMEMI_TYPES_RMA(ALL, _)

static void
types(void)
{
#define RUN(T, N_, op) type_##N_();
	SHMEMI_TYPES_RMA(RUN, _);
}

/* Elements of a size are bits: seven of them, in the four forms each. */
#define SIZE_CASE(bits, op)                                                                    \
	static void size_##bits(void)                                                          \
	{                                                                                      \
		enum {                                                                         \
			BYTES = 7 * (bits) / 8                                                 \
		};                                                                             \
		static __attribute__((aligned(16))) unsigned char from[BYTES], back[4][BYTES]; \
		unsigned char *to = sym_alloc(4 * BYTES);                                      \
		int i, pe = to_right(1);                                                       \
                                                                                               \
		for (i = 0; i < BYTES; i++)                                                    \
			from[i] = (unsigned char)(i + me);                                     \
		shmem_put##bits(to, from, 7, pe);                                              \
		shmem_ctx_put##bits(ctx, to + BYTES, from, 7, pe);                             \
		shmem_put##bits##_nbi(to + 2 * BYTES, from, 7, pe);                            \
		shmem_ctx_put##bits##_nbi(ctx, to + 3 * BYTES, from, 7, pe);                   \
		shmem_quiet();                                                                 \
		shmem_ctx_quiet(ctx);                                                          \
		shmem_get##bits(back[0], to, 7, pe);                                           \
		shmem_ctx_get##bits(ctx, back[1], to + BYTES, 7, pe);                          \
		shmem_get##bits##_nbi(back[2], to + 2 * BYTES, 7, pe);                         \
		shmem_ctx_get##bits##_nbi(ctx, back[3], to + 3 * BYTES, 7, pe);                \
		shmem_quiet();                                                                 \
		shmem_ctx_quiet(ctx);                                                          \
		for (i = 0; i < 4; i++)                                                        \
			CU_ASSERT(memcmp(back[i], from, BYTES) == 0);                          \
		shmem_barrier_all();                                                           \
		shmem_free(to);                                                                \
	}

SHMEMI_SIZES(SIZE_CASE, _)

static void
sizes(void)
{
#define RUN_SIZE(bits, op) size_##bits();
	SHMEMI_SIZES(RUN_SIZE, _);
}

static unsigned char static_to[3001];

/* From and to heap, static data and stack, at odd addresses and lengths. */
static void
places(void)
{
	unsigned char *heap = sym_alloc(3001), on_stack[3001], back[3001];
	unsigned char *to[2] = {heap, static_to}, *from[3] = {NULL, NULL, on_stack};
	unsigned char *other = malloc(3001);
	size_t i, t, f, len, pe = (size_t)to_right(1);

	from[0] = other;
	from[1] = sym_alloc(3001);
	for (i = 0; i < 3001; i++)
		other[i] = from[1][i] = on_stack[i] = (unsigned char)(i * 7 + pe);
	shmem_barrier_all();
	for (t = 0; t < 2; t++) {
		for (f = 0; f < 3; f++) {
			for (len = 1; len < 3000; len = len * 3 + 1) {
				shmem_putmem(to[t] + 1, from[f] + f, len, (int)pe);
				shmem_quiet();
				memset(back, 0, sizeof(back));
				shmem_getmem(back, to[t] + 1, len, (int)pe);
				CU_ASSERT(memcmp(back, from[f] + f, len) == 0);
				CU_ASSERT_EQUAL(back[len], 0);
			}
		}
	}
	shmem_barrier_all();
	CU_ASSERT_EQUAL(heap[0], 0);
	CU_ASSERT_EQUAL(static_to[0], 0);
	shmem_free(from[1]);
	shmem_free(heap);
	free(other);
}

static void
nothing(void)
{
	int *p = sym_alloc(sizeof(*p));

	shmem_putmem(NULL, NULL, 0, to_right(1));
	shmem_getmem(NULL, NULL, 0, to_right(1));
	shmem_putmem_nbi(NULL, NULL, 0, to_right(1));
	shmem_int_get_nbi(NULL, p + 1, 0, me);
	shmem_ctx_putmem(ctx, p + 1, NULL, 0, me);
	shmem_quiet();
	CU_ASSERT_EQUAL(*p, 0);
	shmem_free(p);
}

static void
large(void)
{
	const size_t n = 4 << 20;
	unsigned char *to = sym_alloc(n), *back = malloc(n), *from = malloc(n);
	size_t i;

	for (i = 0; i < n; i++)
		from[i] = (unsigned char)((i >> 12) + i + (size_t)me);
	shmem_ctx_putmem_nbi(ctx, to, from, n, to_right(1));
	shmem_ctx_quiet(ctx);
	shmem_ctx_getmem(ctx, back, to, n, to_right(1));
	CU_ASSERT(memcmp(back, from, n) == 0);
	shmem_barrier_all();
	CU_ASSERT_EQUAL(to[1], (unsigned char)(1 + to_left(1)));
	memset(back, 0, n);
	shmem_getmem_nbi(back, to, n, to_right(1));
	shmem_quiet();
	CU_ASSERT(memcmp(back, from, n) == 0);
	shmem_barrier_all();
	shmem_free(to);
	free(from);
	free(back);
}

static void
open_ctx(void)
{
	CU_ASSERT_EQUAL(shmem_ctx_create(0, &ctx), 0);
	CU_ASSERT(ctx != SHMEM_CTX_INVALID);
}

static void
close_ctx(void)
{
	shmem_ctx_destroy(ctx);
}

static CU_TestInfo tests[] = {
	{"a context", open_ctx},	  {"every type", types},    {"every size", sizes},
	{"heap, static, stack", places},  {"zero length", nothing}, {"4 MiB", large},
	{"context destroyed", close_ctx}, CU_TEST_INFO_NULL,
};

int
main(void)
{
	return suite_main("rma", tests);
}
