/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Reductions and scans of every type and operation, on teams of all shapes, in place too.
 */
#include <complex.h>
#include <string.h>

#include "multi.h"
#include "teams.h"
#include "types.h"

#define LEN 9

static long double
value(int member, int i)
{
	/* a product of more of them would be exact neither in a float nor in an int */
	return member >= 20 ? 1 : (long double)((member * 3 + i) % 5 + 1);
}

static void
ready(const struct team *t)
{
	mt_waiting("team_sync");
	CHECK_EQ(shmem_team_sync(t->handle), 0);
	mt_waiting(t->name);
}

#define FILL(T, from)                                     \
	do {                                              \
		int i_;                                   \
		for (i_ = 0; i_ < LEN; i_++)              \
			(from)[i_] = (T)value(t->me, i_); \
	} while (0)

/* Fold the members' values from..to with a = a OP b and compare; T wraps and rounds as it does. */
#define EXPECT(T, what, at, first, members, combine)                                   \
	do {                                                                           \
		int i_, m_;                                                            \
		for (i_ = 0; i_ < LEN; i_++) {                                         \
			T a = (first), b;                                              \
			for (m_ = 0; m_ < (members); m_++) {                           \
				b = (T)value(m_, i_);                                  \
				combine;                                               \
			}                                                              \
			if (!mt_check((at)[i_] == a, __FILE__, __LINE__,               \
				      "%s on team %s: element %d", what, t->name, i_)) \
				break;                                                 \
		}                                                                      \
	} while (0)

#define REDUCE(T, name, op, first, combine)                                            \
	static void name##_##op(const struct team *t, T *at, T *from)                  \
	{                                                                              \
		FILL(T, from);                                                         \
		memset(at, 0, LEN * sizeof(T));                                        \
		ready(t);                                                              \
		CHECK_EQ(shmem_##name##_##op##_reduce(t->handle, at, from, LEN), 0);   \
		EXPECT(T, #name "_" #op, at, first, t->n, combine);                    \
		ready(t);                                                              \
		/* In place. */                                                        \
		CHECK_EQ(shmem_##name##_##op##_reduce(t->handle, from, from, LEN), 0); \
		EXPECT(T, #name "_" #op " in place", from, first, t->n, combine);      \
		ready(t);                                                              \
	}

#define ARITH(T, name)                                                               \
	REDUCE(T, name, sum, 0, a = (T)(a + b))                                      \
	REDUCE(T, name, prod, 1, a = (T)(a * b))                                     \
	static void name##_scan(const struct team *t, T *at, T *from)                \
	{                                                                            \
		FILL(T, from);                                                       \
		memset(at, 0x7f, LEN * sizeof(T));                                   \
		ready(t);                                                            \
		CHECK_EQ(shmem_##name##_sum_inscan(t->handle, at, from, LEN), 0);    \
		EXPECT(T, #name "_inscan", at, 0, t->me + 1, a = (T)(a + b));        \
		ready(t);                                                            \
		CHECK_EQ(shmem_##name##_sum_exscan(t->handle, at, from, LEN), 0);    \
		EXPECT(T, #name "_exscan", at, 0, t->me, a = (T)(a + b));            \
		ready(t);                                                            \
		CHECK_EQ(shmem_##name##_sum_exscan(t->handle, from, from, LEN), 0);  \
		EXPECT(T, #name "_exscan in place", from, 0, t->me, a = (T)(a + b)); \
		ready(t);                                                            \
	}

#define ORDER(T, name)                             \
	REDUCE(T, name, max, 0, a = b > a ? b : a) \
	REDUCE(T, name, min, 100, a = b < a ? b : a)

#define BITS(T, name)                                 \
	REDUCE(T, name, and, (T)(-1), a = (T)(a & b)) \
	REDUCE(T, name, or, 0, a = (T)(a | b))        \
	REDUCE(T, name, xor, 0, a = (T)(a ^ b))

/* clang-format off */
TYPES_RMA(ARITH)
TYPES_COMPLEX(ARITH)
TYPES_RMA(ORDER)
TYPES_REDUCE_BIT(BITS)
/* clang-format on */

static void
on_team(const struct team *t, void *at, void *from)
{
#define CALL(T, name)             \
	name##_sum(t, at, from);  \
	name##_prod(t, at, from); \
	name##_scan(t, at, from);
	TYPES_RMA(CALL)
	TYPES_COMPLEX(CALL)
#undef CALL
#define CALL(T, name)            \
	name##_max(t, at, from); \
	name##_min(t, at, from);
	TYPES_RMA(CALL)
#undef CALL
#define CALL(T, name)            \
	name##_and(t, at, from); \
	name##_or(t, at, from);  \
	name##_xor(t, at, from);
	TYPES_REDUCE_BIT(CALL)
#undef CALL
}

static void
case_typed(void)
{
	void *at = mt_alloc(LEN * sizeof(long double)), *from = mt_alloc(LEN * sizeof(long double));
	struct team teams[TEAMS];
	int i;

	teams_make(teams);
	for (i = 0; i < TEAMS; i++) {
		if (teams[i].me >= 0)
			on_team(&teams[i], at, from);
		shmem_barrier_all();
	}
	teams_destroy(teams);
	shmem_free(from);
	shmem_free(at);
}

/** Signs and extremes: unsigned compares as unsigned, negative numbers as negative ones. */
static void
case_extremes(void)
{
	static unsigned int u, umax, umin;
	static int i, imax, imin;
	static double d, dmax, dmin;
	static unsigned char c, cmax;

	u = mt_me == mt_npes - 1 ? 0xfffffff0u : (unsigned int)mt_me + 1;
	i = mt_me == mt_npes - 1 ? -5 : mt_me;
	d = mt_me % 2 ? -1e300 : -0.5 - mt_me;
	c = (unsigned char)(mt_me > 55 ? 255 : 200 + mt_me);
	shmem_barrier_all();
	mt_waiting("reductions of extremes");
	shmem_uint_max_reduce(SHMEM_TEAM_WORLD, &umax, &u, 1);
	shmem_uint_min_reduce(SHMEM_TEAM_WORLD, &umin, &u, 1);
	shmem_int_max_reduce(SHMEM_TEAM_WORLD, &imax, &i, 1);
	shmem_int_min_reduce(SHMEM_TEAM_WORLD, &imin, &i, 1);
	shmem_double_max_reduce(SHMEM_TEAM_WORLD, &dmax, &d, 1);
	shmem_double_min_reduce(SHMEM_TEAM_WORLD, &dmin, &d, 1);
	shmem_uchar_max_reduce(SHMEM_TEAM_WORLD, &cmax, &c, 1);
	CHECK_EQ(umax, 0xfffffff0u);
	CHECK_EQ(umin, mt_npes > 1 ? 1 : 0xfffffff0u);
	CHECK_EQ(imax, mt_npes > 1 ? mt_npes - 2 : -5);
	CHECK_EQ(imin, -5);
	CHECK(dmax == -0.5);
	CHECK(dmin == (mt_npes > 1 ? -1e300 : -0.5));
	CHECK_EQ(cmax, mt_npes > 55 ? 255 : 199 + mt_npes);
	shmem_barrier_all();
}

int
main(int argc, char **argv)
{
	static const struct mt_case cases[] = {
		{"typed", case_typed},
		{"extremes", case_extremes},
		{0},
	};

	return mt_main(argc, argv, SHMEM_THREAD_SINGLE, cases);
}
