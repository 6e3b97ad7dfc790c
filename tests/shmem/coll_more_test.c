/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * More forms of transfers and collectives: floats of 16 bits, reductions in one order, counts for
 * each member, strided transfers that do not wait. Each against a plain loop, on all teams.
 */
#include <complex.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include <shmemx.h>

#include "coll_types.h"

enum {
	LEN = 41,
	LONG_LEN = 2500, /* several pieces */
};

/* ---- reductions in one order ---- */

/* Sums of these depend on the order. */
static double
share(int rank, size_t i)
{
	return (rank % 3 == 1 ? -1e4 : 1.0) / (1.0 + rank * 7 + (double)(i % 97));
}

#define SAME(T, name, op, expression)                                                              \
	static void same_##name##_##op(const struct ct_team *t)                                    \
	{                                                                                          \
		static T to[LONG_LEN + 1], from[LONG_LEN + 1];                                     \
		T row[CT_MAX_PES];                                                                 \
		int pass, step, r;                                                                 \
		size_t i;                                                                          \
                                                                                                   \
		for (pass = 0; pass < 4; pass++) {                                                 \
			size_t len = pass < 2 ? LEN : LONG_LEN;                                    \
			T *dest = pass & 1 ? from : to;                                            \
                                                                                                   \
			memset(to, 0, sizeof(to));                                                 \
			for (i = 0; i <= len; i++)                                                 \
				from[i] = (T)share(t->me, i);                                      \
			shmem_barrier_all();                                                       \
			if (t->me < 0)                                                             \
				continue;                                                          \
			CHECK_EQ(shmemx_##name##_##op##_reduce_reproducible(t->team, dest, from,   \
									    len),                  \
				 0);                                                               \
			for (i = 0; i < len; i++) {                                                \
				for (r = 0; r < t->n; r++)                                         \
					row[r] = (T)share(r, i);                                   \
				for (step = 1; step < t->n; step *= 2)                             \
					for (r = 0; r + step < t->n; r += 2 * step) {              \
						T x = row[r], y = row[r + step];                   \
						row[r] = (T)(expression);                          \
					}                                                          \
				if (!mt_check(dest[i] == row[0], __FILE__, __LINE__,               \
					      "%s %s element %zu of %s", #name, #op, i, t->label)) \
					break;                                                     \
			}                                                                          \
			CHECK(to[len] == (T)0);                                                    \
		}                                                                                  \
	}

SAME(float, float, sum, x + y)
SAME(float, float, max, x < y ? y : x)
SAME(double, double, sum, x + y)
SAME(double, double, min, y < x ? y : x)
SAME(double, double, prod, x *y)
SAME(long double, longdouble, sum, x + y)
SAME(float complex, complexf, sum, x + y)
SAME(double complex, complexd, sum, x + y)

static void
same(const struct ct_team *t)
{
	mt_waiting("a reduction in one order");
	same_float_sum(t);
	same_float_max(t);
	same_double_sum(t);
	same_double_min(t);
	same_double_prod(t);
	same_longdouble_sum(t);
	same_complexf_sum(t);
	same_complexd_sum(t);
}

/* ---- floats of 16 bits ---- */

static int
small(int rank, size_t i)
{
	return (rank * 31 + (int)i * 7) % 23 - 9;
}

#define FLOAT16(T, name, op)                                                                      \
	static void name##_folds(const struct ct_team *t)                                         \
	{                                                                                         \
		static T to[LEN + 1], from[LEN + 1];                                              \
		int sum, before, most, r;                                                         \
		size_t i;                                                                         \
                                                                                                  \
		for (i = 0; i <= LEN; i++)                                                        \
			from[i] = (T)small(t->me, i);                                             \
		to[LEN] = (T)77;                                                                  \
		shmem_barrier_all();                                                              \
		if (t->me < 0)                                                                    \
			return;                                                                   \
		for (i = 0, sum = 0, before = 0, most = -9; i < LEN;                              \
		     i++, sum = 0, before = 0, most = -9) {                                       \
			for (r = 0; r < t->n; r++) {                                              \
				before = r == t->me ? sum : before;                               \
				sum += small(r, i);                                               \
				most = small(r, i) > most ? small(r, i) : most;                   \
			}                                                                         \
			if (i == 0) {                                                             \
				CHECK_EQ(shmemx_##name##_sum_reduce(t->team, to, from, LEN), 0);  \
				CHECK_EQ((int)to[0], sum);                                        \
				shmem_team_sync(t->team);                                         \
				CHECK_EQ(shmemx_##name##_max_reduce(t->team, to, from, LEN), 0);  \
				CHECK_EQ((int)to[0], most);                                       \
				shmem_team_sync(t->team);                                         \
				CHECK_EQ(shmemx_##name##_sum_inscan(t->team, to, from, LEN), 0);  \
				CHECK_EQ((int)to[0], before + small(t->me, 0));                   \
				shmem_team_sync(t->team);                                         \
				CHECK_EQ(shmemx_##name##_sum_reduce_reproducible(t->team, to,     \
										 from, LEN),      \
					 0);                                                      \
			}                                                                         \
			CHECK_EQ((int)to[i], sum);                                                \
		}                                                                                 \
		CHECK(to[LEN] == (T)77);                                                          \
		from[0] = (T)(t->me == 0 ? 1.0f : 0.0f);                                          \
		from[1] = (T)(t->me == 0 ? 3.0f : 1.0f);                                          \
		shmem_team_sync(t->team);                                                         \
		CHECK_EQ(shmemx_##name##_prod_reduce(t->team, to, from, 2), 0);                   \
		CHECK_EQ((int)to[0], t->n == 1);                                                  \
		CHECK_EQ((int)to[1], 3);                                                          \
	}                                                                                         \
	/* Half of the last bit of a sum, by the last member: to the even neighbour. */           \
	static void name##_rounds(const struct ct_team *t)                                        \
	{                                                                                         \
		static T to[2], from[2];                                                          \
		float bit = 1, rest;                                                              \
                                                                                                  \
		while ((float)(T)(1 + bit / 2) != 1)                                              \
			bit /= 2;                                                                 \
		rest = t->me > 0 && t->me == t->n - 1 ? bit / 2 : 0;                              \
		from[0] = (T)(t->me == 0 ? 1 : rest);                                             \
		from[1] = (T)(t->me == 0 ? 1 + bit : rest);                                       \
		shmem_barrier_all();                                                              \
		if (t->me < 0)                                                                    \
			return;                                                                   \
		CHECK_EQ(shmemx_##name##_sum_reduce(t->team, to, from, 2), 0);                    \
		CHECK((float)to[0] == 1);                                                         \
		CHECK((float)to[1] == (t->n == 1 ? 1 + bit : 1 + 2 * bit));                       \
	}                                                                                         \
	static void name##_posted(const struct ct_team *t)                                        \
	{                                                                                         \
		static T to[6], from[2];                                                          \
		shmemx_req_h r[6];                                                                \
		int m = t->me + 1;                                                                \
                                                                                                  \
		from[0] = (T)m;                                                                   \
		from[1] = (T)(t->me == 0 ? 2 : 1);                                                \
		shmem_barrier_all();                                                              \
		if (t->me < 0)                                                                    \
			return;                                                                   \
		CHECK_EQ(shmemx_##name##_sum_inscan_nb(t->team, to, from, 1, r), 0);              \
		CHECK_EQ(shmemx_##name##_sum_exscan_nb(t->team, to + 1, from, 1, r + 1), 0);      \
		CHECK_EQ(shmemx_##name##_min_reduce_nb(t->team, to + 2, from, 1, r + 2), 0);      \
		CHECK_EQ(shmemx_##name##_max_reduce_nb(t->team, to + 3, from, 1, r + 3), 0);      \
		CHECK_EQ(shmemx_##name##_prod_reduce_nb(t->team, to + 4, from + 1, 1, r + 4), 0); \
		CHECK_EQ(shmemx_##name##_sum_reduce_nb(t->team, to + 5, from, 1, r + 5), 0);      \
		CHECK_EQ(shmemx_req_wait_all(r, 6), 0);                                           \
		CHECK_EQ((int)to[0], m *(m + 1) / 2);                                             \
		CHECK_EQ((int)to[1], m *(m - 1) / 2);                                             \
		CHECK_EQ((int)to[2], 1);                                                          \
		CHECK_EQ((int)to[3], t->n);                                                       \
		CHECK_EQ((int)to[4], 2);                                                          \
		CHECK_EQ((int)to[5], t->n *(t->n + 1) / 2);                                       \
	}                                                                                         \
	static void name##_moves(void)                                                            \
	{                                                                                         \
		static T to[LEN], from[LEN], all[CT_MAX_PES * LEN];                               \
		int d, i, pe;                                                                     \
                                                                                                  \
		for (d = 0; d < mt_distances(); d++) {                                            \
			pe = mt_pe(d);                                                            \
			for (i = 0; i < LEN; i++) {                                               \
				from[i] = (T)(mt_me + i);                                         \
				to[i] = (T)0;                                                     \
			}                                                                         \
			shmem_barrier_all();                                                      \
			shmemx_##name##_put(to, from, 8, pe);                                     \
			shmemx_##name##_iput(to + 8, from + 8, 2, 1, 4, pe);                      \
			shmemx_##name##_iput_nbi(to + 9, from + 20, 2, 2, 4, pe);                 \
			shmemx_##name##_p(to + 16, (T)5, pe);                                     \
			shmemx_##name##_put_nbi(to + 17, from + 17, LEN - 17, pe);                \
			shmem_barrier_all();                                                      \
			pe = mt_pe(-d);                                                           \
			for (i = 0; i < LEN; i++) {                                               \
				int is = i < 8	   ? i                                            \
					 : i == 16 ? 5 - pe                                       \
					 : i > 16  ? i                                            \
					 : i % 2   ? 20 + (i - 9)                                 \
						   : 8 + (i - 8) / 2;                               \
				CHECK_EQ((int)to[i], pe + is);                                    \
			}                                                                         \
			CHECK_EQ((int)shmemx_##name##_g(from + 3, pe), pe + 3);                   \
			shmemx_##name##_get(all, from, LEN, pe);                                  \
			CHECK_EQ((int)all[LEN - 1], pe + LEN - 1);                                \
			shmem_barrier_all();                                                      \
		}                                                                                 \
		CHECK_EQ(shmemx_##name##_fcollect(SHMEM_TEAM_WORLD, all, from, LEN), 0);          \
		for (i = 0; i < mt_npes * LEN; i++)                                               \
			CHECK_EQ((int)all[i], i / LEN + i % LEN);                                 \
		shmem_barrier_all();                                                              \
		CHECK_EQ(shmemx_##name##_broadcast(SHMEM_TEAM_WORLD, to, from, LEN, 0), 0);       \
		CHECK_EQ((int)to[LEN - 1], LEN - 1);                                              \
		shmem_barrier_all();                                                              \
	}
SHMEMX_TYPES_FLOAT16(FLOAT16, _)

/* The library has bfloat16 where the compiler of this test has not: as bits of its upper half. */
static void
bits_of_bfloat16(const struct ct_team *t)
{
	int (*sum)(shmem_team_t, uint16_t *, const uint16_t *, size_t) =
		(int (*)(shmem_team_t, uint16_t *, const uint16_t *, size_t))dlsym(
			RTLD_DEFAULT, "shmemx_bfloat16_sum_reduce");
	static uint16_t to[2], from[2];
	float total = 0, value;
	uint32_t bits;
	int r;

	for (r = 0; r < t->n; r++)
		total += (float)small(r, 0);
	value = (float)small(t->me, 0);
	memcpy(&bits, &value, sizeof(bits));
	from[0] = (uint16_t)(bits >> 16);
	shmem_barrier_all();
	if (t->me < 0)
		return;
	CHECK(sum != NULL);
	CHECK_EQ(sum(t->team, to, from, 1), 0);
	bits = (uint32_t)to[0] << 16;
	memcpy(&value, &bits, sizeof(value));
	CHECK_EQ(value, total);
	CHECK_EQ(to[1], 0);
}

static void
float16(const struct ct_team *t)
{
#define RUN_FOLDS(T, name, op) \
	name##_folds(t);       \
	name##_rounds(t);      \
	name##_posted(t);
	mt_waiting("a reduction of floats of 16 bits");
	SHMEMX_TYPES_FLOAT16(RUN_FOLDS, _)
	bits_of_bfloat16(t);
}

static void
case_moves(void)
{
#define RUN_MOVES(T, name, op) name##_moves();
	ct_fits();
	mt_waiting("a transfer of floats of 16 bits");
	SHMEMX_TYPES_FLOAT16(RUN_MOVES, _)
}

/* ---- counts ---- */

enum {
	MOST = 1200 /* elements of a block: some exceed a buffer */
};

static size_t
count_of(int from, int to)
{
	return (size_t)((from * 5 + to * 3) % 4 == 0 ? 0 : (from * 131 + to * 17) % MOST);
}

static long
element(int from, int to, size_t i)
{
	return from * 1000000L + to * 10000L + (long)i;
}

static void
collectv(const struct ct_team *t)
{
	size_t counts[CT_MAX_PES], at = 0, i;
	long *to = mt_alloc(CT_MAX_PES * MOST * sizeof(long));
	long *from = malloc(MOST * sizeof(long));
	int r;

	mt_waiting("a collect with counts");
	memset(to, 0xff, CT_MAX_PES * MOST * sizeof(long));
	shmem_barrier_all();
	if (t->me >= 0) {
		for (r = 0; r < t->n; r++)
			counts[r] = count_of(r, 1);
		for (i = 0; i < counts[t->me]; i++)
			from[i] = element(t->me, 1, i);
		CHECK_EQ(shmemx_long_collectv(t->team, to, from, counts), 0);
		for (r = 0; r < t->n; r++)
			for (i = 0; i < counts[r]; i++, at++)
				CHECK_EQ(to[at], element(r, 1, i));
		CHECK_EQ(to[at], -1);
	}
	free(from);
	shmem_free(to);
}

static void
alltoallv(const struct ct_team *t)
{
	size_t *offsets = mt_alloc(CT_MAX_PES * sizeof(size_t)), at = 3, i;
	size_t *counts = mt_alloc(CT_MAX_PES * sizeof(size_t));
	size_t src_offsets[CT_MAX_PES], src_counts[CT_MAX_PES];
	long *to = mt_alloc(CT_MAX_PES * (MOST + 1) * sizeof(long));
	long *from = malloc(CT_MAX_PES * MOST * sizeof(long));
	int r;

	mt_waiting("an alltoall with counts");
	memset(to, 0xff, CT_MAX_PES * (MOST + 1) * sizeof(long));
	for (r = t->n - 1; t->me >= 0 && r >= 0; r--) { /* blocks lie backwards, with gaps */
		offsets[r] = at;
		counts[r] = count_of(r, t->me);
		at += counts[r] + 1;
	}
	for (r = 0, at = 0; t->me >= 0 && r < t->n; r++) {
		src_offsets[r] = at;
		src_counts[r] = count_of(t->me, r);
		for (i = 0; i < src_counts[r]; i++)
			from[at++] = element(t->me, r, i);
	}
	shmem_barrier_all();
	if (t->me >= 0) {
		CHECK_EQ(shmemx_long_alltoallv(t->team, to, offsets, counts, from, src_offsets,
					       src_counts),
			 0);
		CHECK_EQ(to[0], -1);
		for (r = 0; r < t->n; r++) {
			for (i = 0; i < counts[r]; i++)
				CHECK_EQ(to[offsets[r] + i], element(r, t->me, i));
			CHECK_EQ(to[offsets[r] + counts[r]], -1);
		}
	}
	free(from);
	shmem_free(to);
	shmem_free(counts);
	shmem_free(offsets);
}

/* ---- strided, without a wait ---- */

#define STRIDES(T, name, op)                                                                  \
	static void name##_strides(int pe, int back)                                          \
	{                                                                                     \
		static T to[LEN], got[LEN], from[LEN];                                        \
		int i;                                                                        \
                                                                                              \
		for (i = 0; i < LEN; i++) {                                                   \
			from[i] = (T)(mt_me * 3 + i);                                         \
			to[i] = got[i] = (T)99;                                               \
		}                                                                             \
		shmem_barrier_all();                                                          \
		shmemx_##name##_iput_nbi(to, from, 3, 2, 5, pe);                              \
		shmemx_##name##_ibput_nbi(to + 20, from, 4, 3, 2, 5, pe);                     \
		shmemx_##name##_iget_nbi(got, from, 2, 3, 5, back);                           \
		shmemx_ctx_##name##_ibget_nbi(SHMEM_CTX_DEFAULT, got + 20, from, 4, 20, 2, 2, \
					      back);                                          \
		shmem_barrier_all();                                                          \
		for (i = 0; i < 15; i++)                                                      \
			CHECK_EQ((int)to[i], i % 3 ? 99 : (int)(T)(back * 3 + i / 3 * 2));    \
		for (i = 0; i < 20; i++)                                                      \
			CHECK_EQ((int)to[20 + i],                                             \
				 i % 4 > 1 ? 99 : (int)(T)(back * 3 + i / 4 * 3 + i % 4));    \
		for (i = 0; i < 10; i++)                                                      \
			CHECK_EQ((int)got[i], i % 2 ? 99 : (int)(T)(back * 3 + i / 2 * 3));   \
		for (i = 0; i < 8; i++)                                                       \
			CHECK_EQ((int)got[20 + i],                                            \
				 i % 4 > 1 ? 99 : (int)(T)(back * 3 + i / 4 * 20 + i % 4));   \
		shmem_barrier_all();                                                          \
	}
SHMEMI_TYPES_RMA(STRIDES, _)

static void
case_strides(void)
{
	static char to[256], from[256];
	int d;

	mt_waiting("a strided transfer that does not wait");
	for (d = 0; d < mt_distances(); d++) {
#define RUN_STRIDES(T, name, op) name##_strides(mt_pe(d), mt_pe(-d));
		SHMEMI_TYPES_RMA(RUN_STRIDES, _)
		memset(to, 0, sizeof(to));
		memset(from, mt_me + 1, sizeof(from));
		shmem_barrier_all();
		shmemx_iput128_nbi(to, from, 2, 1, 4, mt_pe(d));
		shmemx_ibget8_nbi(to + 128, from, 8, 4, 4, 16, mt_pe(-d));
		shmem_barrier_all();
		CHECK_EQ(to[0], mt_pe(-d) + 1);
		CHECK_EQ(to[16], 0);
		CHECK_EQ(to[96 + 15], mt_pe(-d) + 1);
		CHECK_EQ(to[128 + 3], mt_pe(-d) + 1);
		CHECK_EQ(to[128 + 4], 0);
		shmem_barrier_all();
	}
}

static void
over_teams(void (*run)(const struct ct_team *))
{
	struct ct_team team[CT_TEAMS];
	int i;

	ct_fits();
	ct_teams_make(team);
	for (i = 0; i < CT_TEAMS; i++)
		run(&team[i]);
	ct_teams_free(team);
}

static void
case_same(void)
{
	over_teams(same);
}

static void
case_float16(void)
{
	over_teams(float16);
}

static void
case_collectv(void)
{
	over_teams(collectv);
}

static void
case_alltoallv(void)
{
	over_teams(alltoallv);
}

int
main(int argc, char **argv)
{
	static const struct mt_case cases[] = {
		{"same", case_same},
		{"float16", case_float16},
		{"moves", case_moves},
		{"collectv", case_collectv},
		{"alltoallv", case_alltoallv},
		{"strides", case_strides},
		{0},
	};

	return mt_main(argc, argv, SHMEM_THREAD_SINGLE, cases);
}
