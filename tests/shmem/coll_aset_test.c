/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Active sets, which are deprecated but part of the standard: every start, stride and size, more
 * work arrays than the library may remember, and arrays that are as they were after each call. All
 * calls and types, and sets of several threads: tests/calls.
 */
#include "multi.h"

/* Here they are called on purpose. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

enum {
	ARRAYS = 60,
	LEN = 50,
};

static long sync_array[ARRAYS][SHMEM_SYNC_SIZE];
static long to[LEN + 1], from[LEN], work[LEN + SHMEM_REDUCE_MIN_WRKDATA_SIZE];

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
				if (s.me >= 0)
					run(&s);
				shmem_barrier_all();
				check_restored();
				shmem_barrier_all();
			}
		}
	}
}

static void
moves(const struct set *s)
{
	int root = s->size / 2, i;

	for (i = 0; i < LEN; i++)
		from[i] = s->me * 1000 + i;
	shmem_long_sum_to_all(to, from, LEN, s->start, s->log, s->size, work, sync_array[0]);
	for (i = 0; i < LEN; i++)
		CHECK_EQ(to[i], (long)s->size * (s->size - 1) / 2 * 1000 + (long)s->size * i);
	shmem_barrier(s->start, s->log, s->size, sync_array[1]);
	shmem_broadcast64(to, from, LEN, root, s->start, s->log, s->size, sync_array[2]);
	for (i = 0; i < LEN && s->me != root; i++)
		CHECK_EQ(to[i], root * 1000 + i);
}

static void
case_moves(void)
{
	over_sets(moves);
}

static long arrived;

/* The same array at once again, as is allowed for these two. */
static void
syncs(const struct set *s)
{
	long round, sum;
	int r;

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

	for (round = 1; round < 10; round++) {
		shmem_long_put_nbi(to, from, LEN, next);
		shmem_long_p(&to[LEN], round, next);
		shmem_barrier(s->start, s->log, s->size, sync_array[0]);
		CHECK_EQ(to[LEN], round);
		shmem_barrier(s->start, s->log, s->size, sync_array[0]);
	}
}

static void
case_barrier_completes(void)
{
	over_sets(barrier_completes);
}

/* More arrays than the library may care to remember: each is a set of its own. */
static void
case_many_arrays(void)
{
	int i, round;

	from[0] = 1;
	shmem_barrier_all();
	for (round = 0; round < 3; round++) {
		for (i = 0; i < ARRAYS; i++) {
			mt_waiting("one of many work arrays");
			shmem_long_sum_to_all(to, from, 1, 0, 0, mt_npes, work, sync_array[i]);
			CHECK_EQ(to[0], mt_npes);
			shmem_barrier_all();
		}
	}
	check_restored();
}

int
main(int argc, char **argv)
{
	static const struct mt_case cases[] = {
		{"moves", case_moves},
		{"syncs", case_syncs},
		{"barrier_completes", case_barrier_completes},
		{"many_arrays", case_many_arrays},
		{0},
	};
	int i, k;

	for (i = 0; i < ARRAYS; i++)
		for (k = 0; k < SHMEM_SYNC_SIZE; k++)
			sync_array[i][k] = SHMEM_SYNC_VALUE;
	return mt_main(argc, argv, SHMEM_THREAD_MULTIPLE, cases);
}
