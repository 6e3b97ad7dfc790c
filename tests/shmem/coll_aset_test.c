/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * The active-set forms, which are deprecated but part of the standard: sets of any start, stride
 * and size, and work arrays that are as they were after every call.
 */
#include <complex.h>
#include <pthread.h>
#include <string.h>

#include "coll_types.h"
#include "types.h"

/* Here they are called on purpose. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

enum {
	LEN = 50,
	ARRAYS = 3
};

static long sync_array[ARRAYS][SHMEM_SYNC_SIZE];

static void
check_restored(void)
{
	int i, k;

	for (i = 0; i < ARRAYS; i++)
		for (k = 0; k < SHMEM_SYNC_SIZE; k++)
			if (!mt_check(sync_array[i][k] == SHMEM_SYNC_VALUE, __FILE__, __LINE__,
				      "pSync %d word %d is %ld", i, k, sync_array[i][k]))
				return;
}

struct set {
	int start, log, size, me; /* me: rank, -1 outside */
};

static int64_t from64[LEN * CT_MAX_PES * 2], to64[LEN * CT_MAX_PES * 2];
static int32_t from32[LEN * CT_MAX_PES * 2], to32[LEN * CT_MAX_PES * 2];

static int
value(int r, size_t i)
{
	return r * 10000 + (int)i;
}

static void
fill(const struct set *s)
{
	size_t i;

	/* The array is used again, and dest too: nobody may be in the last call any more. */
	shmem_barrier_all();
	for (i = 0; i < LEN * CT_MAX_PES * 2; i++) {
		from64[i] = from32[i] = value(s->me, i);
		to64[i] = to32[i] = -5;
	}
	shmem_barrier_all();
}

static void
check(const char *what, size_t at, size_t n, int r, size_t from)
{
	size_t i;

	for (i = 0; i < n; i++) {
		int want = r < 0 ? -5 : value(r, from + i);

		if (!mt_check(to64[at + i] == want && to32[at + i] == want, __FILE__, __LINE__,
			      "%s element %zu is %d, %d, should be %d", what, at + i,
			      (int)to64[at + i], to32[at + i], want))
			return;
	}
}

static void
moves(const struct set *s)
{
	int a = s->start, l = s->log, n = s->size, root = n / 2, r;
	size_t len, at = 0, k;

	fill(s);
	if (s->me >= 0) {
		shmem_broadcast64(to64, from64, LEN, root, a, l, n, sync_array[0]);
		shmem_broadcast32(to32, from32, LEN, root, a, l, n, sync_array[1]);
		check("broadcast", 0, LEN, s->me == root ? -1 : root, 0);
	}
	fill(s);
	if (s->me >= 0) {
		shmem_fcollect64(to64, from64, LEN, a, l, n, sync_array[0]);
		shmem_fcollect32(to32, from32, LEN, a, l, n, sync_array[1]);
		for (r = 0; r < n; r++)
			check("fcollect", (size_t)r * LEN, LEN, r, 0);
	}
	fill(s);
	if (s->me >= 0) {
		len = (size_t)(s->me * 3 + 1) % 7;
		shmem_collect64(to64, from64, len, a, l, n, sync_array[0]);
		shmem_collect32(to32, from32, len, a, l, n, sync_array[1]);
		for (r = 0; r < n; r++) {
			len = (size_t)(r * 3 + 1) % 7;
			check("collect", at, len, r, 0);
			at += len;
		}
	}
	fill(s);
	if (s->me >= 0) {
		shmem_alltoall64(to64, from64, LEN, a, l, n, sync_array[0]);
		shmem_alltoall32(to32, from32, LEN, a, l, n, sync_array[1]);
		for (r = 0; r < n; r++)
			check("alltoall", (size_t)r * LEN, LEN, r, (size_t)s->me * LEN);
	}
	fill(s);
	if (s->me >= 0) {
		shmem_alltoalls64(to64, from64, 2, 1, LEN, a, l, n, sync_array[0]);
		shmem_alltoalls32(to32, from32, 2, 1, LEN, a, l, n, sync_array[1]);
		for (r = 0; r < n; r++)
			for (k = 0; k < LEN; k++)
				check("alltoalls", ((size_t)r * LEN + k) * 2, 1, r,
				      (size_t)s->me * LEN + k);
	}
}

/* Every set of the PEs there are; of many PEs the largest one of each stride, and some of the
 * others. */
static void
over_sets(void (*run)(const struct set *))
{
	uint64_t random = mt_options.seed;
	struct set s;

	for (s.start = 0; s.start < mt_npes; s.start++) {
		for (s.log = 0; 1 << s.log <= mt_npes; s.log++) {
			for (s.size = 1; s.start + (s.size - 1) * (1 << s.log) < mt_npes;
			     s.size++) {
				int away = mt_me - s.start, step = 1 << s.log;

				if (!mt_drawn(&random) && (s.start > 0 || s.size * step < mt_npes))
					continue;
				s.me = away >= 0 && away % step == 0 && away / step < s.size
					       ? away / step
					       : -1;
				mt_waiting("an active set");
				run(&s);
				shmem_barrier_all();
				check_restored();
				shmem_barrier_all();
			}
		}
	}
}

static void
case_moves(void)
{
	ct_fits();
	over_sets(moves);
}

static long arrived;

/* The same array at once again, as is allowed for these two. */
static void
syncs(const struct set *s)
{
	long round, sum;
	int r;

	if (s->me < 0)
		return;
	for (round = 1; round <= 20; round++) {
		__atomic_store_n(&arrived, round, __ATOMIC_RELEASE);
		if (round % 2)
			shmem_barrier(s->start, s->log, s->size, sync_array[2]);
		else
			shmem_sync(s->start, s->log, s->size, sync_array[2]);
		for (r = 0; r < s->size; r++) {
			sum = shmem_long_g(&arrived, s->start + (r << s->log));
			CHECK(sum == round || sum == round + 1);
		}
	}
	shmem_sync(s->start, s->log, s->size, sync_array[2]);
}

static void
case_syncs(void)
{
	over_sets(syncs);
}

/* The barrier completes what was put before. */
static void
barrier_completes(const struct set *s)
{
	int next = s->start + (((s->me + 1) % s->size) << s->log), round;

	if (s->me < 0)
		return;
	for (round = 1; round < 10; round++) {
		shmem_int64_put_nbi(to64, from64, LEN, next);
		shmem_int64_p(&to64[LEN], round, next);
		shmem_barrier(s->start, s->log, s->size, sync_array[0]);
		CHECK_EQ(to64[LEN], round);
		shmem_barrier(s->start, s->log, s->size, sync_array[0]);
	}
}

static void
case_barrier_completes(void)
{
	over_sets(barrier_completes);
}

#define REDUCE(T, name, op, expression)                                                          \
	static void name##_##op(const struct set *s)                                             \
	{                                                                                        \
		static T to[LEN], from[LEN], work[LEN / 2 + SHMEM_REDUCE_MIN_WRKDATA_SIZE];      \
		int i, r;                                                                        \
                                                                                                 \
		for (i = 0; i < LEN; i++)                                                        \
			from[i] = (T)((s->me + i) % 5 + 1);                                      \
		shmem_barrier_all();                                                             \
		if (s->me < 0)                                                                   \
			return;                                                                  \
		shmem_##name##_##op##_to_all(to, from, LEN, s->start, s->log, s->size, work,     \
					     sync_array[0]);                                     \
		for (i = 0; i < LEN; i++) {                                                      \
			T x = (T)(i % 5 + 1);                                                    \
			for (r = 1; r < s->size; r++) {                                          \
				T y = (T)((r + i) % 5 + 1);                                      \
				x = (T)(expression);                                             \
			}                                                                        \
			if (!mt_check(to[i] == x, __FILE__, __LINE__, "%s %s element %d", #name, \
				      #op, i))                                                   \
				return;                                                          \
		}                                                                                \
	}

#define BITS(T, name)              \
	REDUCE(T, name, and, x &y) \
	REDUCE(T, name, or, x | y) \
	REDUCE(T, name, xor, x ^ y)
#define ORDER(T, name)                      \
	REDUCE(T, name, max, x > y ? x : y) \
	REDUCE(T, name, min, x < y ? x : y)
#define ARITH(T, name)              \
	REDUCE(T, name, sum, x + y) \
	REDUCE(T, name, prod, x *y)
#define INTS(X) X(short, short) X(int, int) X(long, long) X(long long, longlong)
#define FLOATS(X) X(float, float) X(double, double) X(long double, longdouble)

/* clang-format off: expansion */
INTS(BITS)
INTS(ORDER)
FLOATS(ORDER)
INTS(ARITH)
FLOATS(ARITH)
TYPES_COMPLEX(ARITH)
/* clang-format on */

static void
reductions(const struct set *s)
{
#define RUN(op) shmem_barrier_all(), op(s);
#define RUN_BITS(T, name) RUN(name##_and) RUN(name##_or) RUN(name##_xor)
#define RUN_ORDER(T, name) RUN(name##_max) RUN(name##_min)
#define RUN_ARITH(T, name) RUN(name##_sum) RUN(name##_prod)
	INTS(RUN_BITS)
	INTS(RUN_ORDER)
	FLOATS(RUN_ORDER)
	INTS(RUN_ARITH)
	FLOATS(RUN_ARITH)
	TYPES_COMPLEX(RUN_ARITH)
}

static void
case_reductions(void)
{
	over_sets(reductions);
}

/* More arrays than the library may care to remember: each is a set of its own. */
static void
case_many_arrays(void)
{
	enum {
		MANY = 60
	};
	long *array = mt_alloc(MANY * SHMEM_SYNC_SIZE * sizeof(long));
	static long to, from;
	int i, round;

	for (i = 0; i < MANY * SHMEM_SYNC_SIZE; i++)
		array[i] = SHMEM_SYNC_VALUE;
	from = 1;
	shmem_barrier_all();
	for (round = 0; round < 3; round++) {
		for (i = 0; i < MANY; i++) {
			mt_waiting("one of many work arrays");
			shmem_long_sum_to_all(&to, &from, 1, 0, 0, mt_npes, &from,
					      array + (size_t)i * SHMEM_SYNC_SIZE);
			CHECK_EQ(to, mt_npes);
			shmem_barrier_all();
		}
	}
	for (i = 0; i < MANY * SHMEM_SYNC_SIZE; i++)
		CHECK_EQ(array[i], SHMEM_SYNC_VALUE);
	shmem_free(array);
}

enum {
	SETS = 6
};
static long set_sync[SETS][2][SHMEM_SYNC_SIZE], set_to[SETS], set_from[SETS], set_work[SETS][64];

static void *
set_main(void *arg)
{
	int i = *(int *)arg, round;

	for (round = 0; round < 30; round++) {
		set_from[i] = round + mt_me;
		shmem_long_sum_to_all(&set_to[i], &set_from[i], 1, 0, 0, mt_npes, set_work[i],
				      set_sync[i][round & 1]);
		CHECK_EQ(set_to[i], (long)round * mt_npes + mt_npes * (mt_npes - 1) / 2);
		shmem_barrier(0, 0, mt_npes, set_sync[i][round & 1]);
	}
	return NULL;
}

/* Active sets of the same PEs, told apart by their work arrays, all new at the same time. */
static void
case_sets_in_threads(void)
{
	pthread_t thread[SETS];
	int number[SETS], i, k;

	for (i = 0; i < SETS; i++)
		for (k = 0; k < 2 * SHMEM_SYNC_SIZE; k++)
			set_sync[i][k / SHMEM_SYNC_SIZE][k % SHMEM_SYNC_SIZE] = SHMEM_SYNC_VALUE;
	shmem_barrier_all();
	mt_waiting("threads with an active set each");
	for (i = 0; i < SETS; i++) {
		number[i] = i;
		CHECK_EQ(pthread_create(&thread[i], NULL, set_main, &number[i]), 0);
	}
	for (i = 0; i < SETS; i++)
		pthread_join(thread[i], NULL);
}

int
main(int argc, char **argv)
{
	static const struct mt_case cases[] = {
		{"moves", case_moves},
		{"syncs", case_syncs},
		{"barrier_completes", case_barrier_completes},
		{"reductions", case_reductions},
		{"many_arrays", case_many_arrays},
		{"sets_in_threads", case_sets_in_threads},
		{0},
	};
	int i, k;

	for (i = 0; i < ARRAYS; i++)
		for (k = 0; k < SHMEM_SYNC_SIZE; k++)
			sync_array[i][k] = SHMEM_SYNC_VALUE;
	return mt_main(argc, argv, SHMEM_THREAD_MULTIPLE, cases);
}
