/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Reductions and scans: every operator of every type against a plain loop, in place and not, and
 * the same bits on all members.
 */
#include <complex.h>
#include <stdlib.h>
#include <string.h>

#include "coll_types.h"
#include "types.h"

enum {
	LEN = 41
};

/* What element i of rank r contributes: both signs, zero, and large enough for products to wrap in
 * the small integers. */
static int
value(int r, size_t i)
{
	return (int)((r * 31 + (int)i * 7) % 23) - 9;
}

/* Products are of 1 and 2 only where rounding or overflow would get in the way. */
static int
factor(int r, size_t i)
{
	return 1 + ((r + (int)i) % 3 == 0);
}

#define REDUCTION(T, name, op, start, expression, contribution)                                    \
	static void name##_##op(const struct ct_team *t)                                           \
	{                                                                                          \
		static T to[LEN + 1], from[LEN + 1];                                               \
		bool in_place;                                                                     \
		size_t i;                                                                          \
		int r, pass;                                                                       \
                                                                                                   \
		for (pass = 0; pass < 2; pass++) {                                                 \
			in_place = pass == 1;                                                      \
			for (i = 0; i <= LEN; i++) {                                               \
				from[i] = (T)contribution(t->me, i);                               \
				to[i] = (T)77;                                                     \
			}                                                                          \
			shmem_barrier_all();                                                       \
			if (t->me < 0)                                                             \
				continue;                                                          \
			CHECK_EQ(shmem_##name##_##op##_reduce(t->team, in_place ? from : to, from, \
							      LEN),                                \
				 0);                                                               \
			for (i = 0; i < LEN; i++) {                                                \
				T x = (T)start, y;                                                 \
				for (r = 0; r < t->n; r++) {                                       \
					y = (T)contribution(r, i);                                 \
					x = r == 0 ? y : (T)(expression);                          \
				}                                                                  \
				if (!mt_check((in_place ? from : to)[i] == x, __FILE__, __LINE__,  \
					      "%s %s element %zu of %s", #name, #op, i, t->label)) \
					return;                                                    \
			}                                                                          \
			CHECK(to[LEN] == (T)77);                                                   \
		}                                                                                  \
	}

#define BITS(T, name)                           \
	REDUCTION(T, name, and, 0, x &y, value) \
	REDUCTION(T, name, or, 0, x | y, value) \
	REDUCTION(T, name, xor, 0, x ^ y, value)
#define ORDER(T, name)                                   \
	REDUCTION(T, name, max, 0, x > y ? x : y, value) \
	REDUCTION(T, name, min, 0, x < y ? x : y, value)
#define ARITH(T, name)                           \
	REDUCTION(T, name, sum, 0, x + y, value) \
	REDUCTION(T, name, prod, 0, x *y, factor)

#define SCANS(T, name)                                                                            \
	static void name##_scans(const struct ct_team *t)                                         \
	{                                                                                         \
		static T to[LEN + 1], from[LEN + 1];                                              \
		size_t i;                                                                         \
		int r, pass;                                                                      \
                                                                                                  \
		for (pass = 0; pass < 4; pass++) {                                                \
			T *dest = pass & 1 ? from : to;                                           \
			for (i = 0; i <= LEN; i++) {                                              \
				from[i] = (T)value(t->me, i);                                     \
				to[i] = (T)77;                                                    \
			}                                                                         \
			shmem_barrier_all();                                                      \
			if (t->me < 0)                                                            \
				continue;                                                         \
			if (pass < 2)                                                             \
				CHECK_EQ(shmem_##name##_sum_inscan(t->team, dest, from, LEN), 0); \
			else                                                                      \
				CHECK_EQ(shmem_##name##_sum_exscan(t->team, dest, from, LEN), 0); \
			for (i = 0; i < LEN; i++) {                                               \
				T x = 0;                                                          \
				for (r = 0; r < t->me + (pass < 2); r++)                          \
					x = (T)(x + (T)value(r, i));                              \
				if (!mt_check(dest[i] == x, __FILE__, __LINE__,                   \
					      "%s scan %d element %zu of %s", #name, pass, i,     \
					      t->label))                                          \
					return;                                                   \
			}                                                                         \
		}                                                                                 \
	}

/* clang-format off: expansion */
TYPES_REDUCE_BIT(BITS)
TYPES_RMA(ORDER)
TYPES_RMA(ARITH)
TYPES_COMPLEX(ARITH)
TYPES_RMA(SCANS)
TYPES_COMPLEX(SCANS)
/* clang-format on */

static void
over_teams(void (*run)(const struct ct_team *))
{
	struct ct_team team[CT_TEAMS];
	int i;

	ct_teams_make(team);
	for (i = 0; i < CT_TEAMS; i++)
		run(&team[i]);
	ct_teams_free(team);
}

static void
bits(const struct ct_team *t)
{
#define RUN_BITS(T, name) \
	name##_and(t);    \
	name##_or(t);     \
	name##_xor(t);
	mt_waiting("a bitwise reduction");
	TYPES_REDUCE_BIT(RUN_BITS)
}

static void
order(const struct ct_team *t)
{
#define RUN_ORDER(T, name) \
	name##_max(t);     \
	name##_min(t);
	mt_waiting("a maximum or minimum");
	TYPES_RMA(RUN_ORDER)
}

static void
arith(const struct ct_team *t)
{
#define RUN_ARITH(T, name) \
	name##_sum(t);     \
	name##_prod(t);
	mt_waiting("a sum or product");
	TYPES_RMA(RUN_ARITH)
	TYPES_COMPLEX(RUN_ARITH)
}

static void
scans(const struct ct_team *t)
{
#define RUN_SCANS(T, name) name##_scans(t);
	mt_waiting("a scan");
	TYPES_RMA(RUN_SCANS)
	TYPES_COMPLEX(RUN_SCANS)
}

static void
case_bits(void)
{
	over_teams(bits);
}

static void
case_order(void)
{
	over_teams(order);
}

static void
case_arith(void)
{
	over_teams(arith);
}

static void
case_scans(void)
{
	over_teams(scans);
}

/* Long enough for many chunks, with an odd rest; the source is private. */
static void
long_ones(const struct ct_team *t)
{
	static const size_t lengths[] = {2047, 2048, 2049, 4096, 20000, 524288};
	double *to = mt_alloc(lengths[5] * sizeof(*to));
	double *from = malloc(lengths[5] * sizeof(*from));
	size_t l, i, n;

	for (l = 0; l < sizeof(lengths) / sizeof(lengths[0]); l++) {
		n = lengths[l];
		mt_waiting("a long reduction");
		for (i = 0; i < n; i++)
			from[i] = (double)t->me + (double)i;
		shmem_barrier_all();
		if (t->me < 0)
			continue;
		CHECK_EQ(shmem_double_sum_reduce(t->team, to, from, n), 0);
		for (i = 0; i < n; i++)
			if (!mt_check(to[i] == t->n * (t->n - 1) / 2 + (double)i * t->n, __FILE__,
				      __LINE__, "element %zu of %zu", i, n))
				break;
		CHECK_EQ(shmem_double_sum_exscan(t->team, to, from, n), 0);
		for (i = 0; i < n; i++)
			if (!mt_check(to[i] == t->me * (t->me - 1) / 2 + (double)i * t->me,
				      __FILE__, __LINE__, "scanned %zu of %zu", i, n))
				break;
	}
	shmem_barrier_all();
	free(from);
	shmem_free(to);
}

static void
case_long(void)
{
	over_teams(long_ones);
}

/* A sum that depends on its order. All members must get the same one. */
static void
case_same_bits(void)
{
	enum {
		N = 5000
	};
	static float mine[N], theirs[N], from[N];
	uint64_t random = mt_options.seed + (uint64_t)mt_me;
	size_t i;
	int round;

	for (round = 0; round < 5; round++) {
		for (i = 0; i < N; i++)
			from[i] = (float)((double)(mt_random(&random) >> 40) * 1e-3) *
				  (i % 2 ? 1e6f : -1e-3f);
		shmem_barrier_all();
		CHECK_EQ(shmem_float_sum_reduce(SHMEM_TEAM_WORLD, mine, from, N), 0);
		shmem_barrier_all();
		shmem_getmem(theirs, mine, sizeof(theirs), mt_pe(1));
		CHECK(memcmp(mine, theirs, sizeof(mine)) == 0);
		shmem_barrier_all();
	}
}

int
main(int argc, char **argv)
{
	static const struct mt_case cases[] = {
		{"bits", case_bits},
		{"order", case_order},
		{"arith", case_arith},
		{"scans", case_scans},
		{"long", case_long},
		{"same_bits", case_same_bits},
		{0},
	};

	return mt_main(argc, argv, SHMEM_THREAD_SINGLE, cases);
}
