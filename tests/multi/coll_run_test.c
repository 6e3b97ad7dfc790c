/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Collectives in use: sizes from one element to megabytes, one after the other without any other
 * synchronisation, on several teams at the same time, with late members.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "multi.h"
#include "teams.h"

static long
value(int member, size_t i, int round)
{
	return (long)(i * 7 + (size_t)member * 1000003 + (size_t)round * 31);
}

/** @return is block @p block of @p n elements the one that @p member filled from @p first on? */
static bool
is(const long *block, size_t n, int member, size_t first, int round)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (block[i] != value(member, first + i, round))
			return false;
	return true;
}

static void
sized(const struct team *t, long *at, long *from, size_t n, int round)
{
	size_t i, members = (size_t)t->n, off, mine;
	int m;

	for (i = 0; i < n * members; i++)
		from[i] = value(t->me, i, round);
	shmem_team_sync(t->handle);
	shmem_long_broadcast(t->handle, at, from, n, round % t->n);
	CHECK_MSG(is(at, n, round % t->n, 0, round), "broadcast of %zu on %s", n, t->name);
	shmem_team_sync(t->handle);
	shmem_long_fcollect(t->handle, at, from, n);
	for (m = 0; m < t->n; m++)
		CHECK_MSG(is(at + (size_t)m * n, n, m, 0, round), "fcollect of %zu on %s", n,
			  t->name);
	shmem_team_sync(t->handle);
	mine = n * (size_t)(t->me + round) % (n + 1);
	shmem_long_collect(t->handle, at, from, mine);
	for (off = 0, m = 0; m < t->n; m++) {
		mine = n * (size_t)(m + round) % (n + 1);
		CHECK_MSG(is(at + off, mine, m, 0, round), "collect of %zu on %s", n, t->name);
		off += mine;
	}
	shmem_team_sync(t->handle);
	shmem_long_alltoall(t->handle, at, from, n);
	for (m = 0; m < t->n; m++)
		CHECK_MSG(is(at + (size_t)m * n, n, m, (size_t)t->me * n, round),
			  "alltoall of %zu on %s", n, t->name);
	shmem_team_sync(t->handle);
	shmem_long_sum_reduce(t->handle, at, from, n);
	for (i = 0; i < n; i++) {
		long want = 0;

		for (m = 0; m < t->n; m++)
			want += value(m, i, round);
		if (!mt_check(at[i] == want, __FILE__, __LINE__, "sum of %zu on %s: element %zu", n,
			      t->name, i))
			break;
	}
	shmem_team_sync(t->handle);
}

static void
case_sizes(void)
{
	static const size_t sizes[] = {1, 2, 15, 512, 4097, 30000, 131072};
	int most = mt_npes <= 16 ? 7 : 5;
	size_t max = sizes[most - 1] * (size_t)mt_npes * sizeof(long);
	long *at = mt_alloc(max), *from = mt_alloc(max);
	struct team teams[TEAMS];
	int i, round;

	teams_make(teams);
	for (i = 0; i < TEAMS; i++) {
		mt_waiting(teams[i].name);
		/* The largest on one team only: it is 5 MiB a member on 5 hosts. */
		for (round = 0; teams[i].me >= 0 && round < (i == 2 || most < 7 ? most : 6);
		     round++)
			sized(&teams[i], at, from, sizes[round], round);
		shmem_barrier_all();
	}
	teams_destroy(teams);
	shmem_free(from);
	shmem_free(at);
}

/** Disjoint teams at work at the same time, each at its own pace, on the same buffers. */
static void
case_side_by_side(void)
{
	long *at = mt_alloc(2000 * 64 * sizeof(long)), *from = mt_alloc(2000 * 64 * sizeof(long));
	struct team t = {.name = "half", .me = mt_me / 2};
	int round, i, odd = mt_me % 2, halves = mt_npes > 1 ? 2 : 1;
	shmem_team_t half[2];

	for (i = 0; i < halves; i++)
		CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, i, 2, (mt_npes + 1 - i) / 2,
						  NULL, 0, &half[i]),
			 0);
	t.handle = half[odd];
	t.n = (mt_npes + 1 - odd) / 2;
	mt_waiting("two teams side by side");
	for (round = 0; round < 30 * mt_options.factor; round++)
		sized(&t, at, from, odd ? 100 : (size_t)(round * 60 + 1), round);
	for (i = 0; i < halves; i++)
		shmem_team_destroy(half[i]);
	shmem_barrier_all();
	shmem_free(from);
	shmem_free(at);
}

/** One after the other into fresh memory, with no synchronisation but their own. */
static void
case_back_to_back(void)
{
	enum {
		ROUNDS = 60,
		N = 40
	};
	size_t all = (size_t)N * (size_t)mt_npes;
	long *at = mt_alloc(ROUNDS * all * sizeof(long)), *from = mt_alloc(N * sizeof(long));
	long *sum = mt_alloc(ROUNDS * N * sizeof(long)), *to;
	int round, m, root;
	size_t i;

	memset(at, 0, ROUNDS * all * sizeof(long));
	for (i = 0; i < N; i++)
		from[i] = value(mt_me, i, 0);
	shmem_barrier_all();
	mt_waiting("collectives back to back");
	for (round = 0; round < ROUNDS; round++) {
		to = at + (size_t)round * all;
		root = round % mt_npes;
		/* In turn one PE comes late, and one runs ahead. */
		if (round % 7 == mt_me)
			usleep(300);
		if (round % 4 == 0)
			shmem_long_broadcast(SHMEM_TEAM_WORLD, to, from, N, root);
		else if (round % 4 == 1)
			shmem_long_fcollect(SHMEM_TEAM_WORLD, to, from, N);
		else if (round % 4 == 2)
			shmem_long_collect(SHMEM_TEAM_WORLD, to, from, mt_me == root ? N : 0);
		else
			shmem_long_max_reduce(SHMEM_TEAM_WORLD, to, from, N);
		/* A root or sender may reuse its source. */
		shmem_long_sum_reduce(SHMEM_TEAM_WORLD, sum + round * N, from, N);
	}
	for (round = 0; round < ROUNDS; round++) {
		to = at + (size_t)round * all;
		root = round % mt_npes;
		if (round % 4 == 0 || round % 4 == 2)
			CHECK_MSG(is(to, N, root, 0, 0), "round %d", round);
		else if (round % 4 == 1)
			for (m = 0; m < mt_npes; m++)
				CHECK_MSG(is(to + m * N, N, m, 0, 0), "round %d", round);
		else
			CHECK_MSG(is(to, N, mt_npes - 1, 0, 0), "round %d", round);
		for (i = 0; i < N; i++) {
			long want = 0;

			for (m = 0; m < mt_npes; m++)
				want += value(m, i, 0);
			CHECK_EQ(sum[(size_t)round * N + i], want);
		}
	}
	shmem_barrier_all();
	shmem_free(sum);
	shmem_free(from);
	shmem_free(at);
}

/** The source is reusable on return, at once, on every member. */
static void
case_source_free(void)
{
	enum {
		N = 20000
	};
	long *at = mt_alloc((size_t)mt_npes * N * sizeof(long)), *from = mt_alloc(N * sizeof(long));
	int round, m;
	size_t i;

	mt_waiting("collectives whose source is overwritten");
	for (round = 0; round < 6; round++) {
		for (i = 0; i < N; i++)
			from[i] = value(mt_me, i, round);
		shmem_barrier_all();
		if (round % 2)
			shmem_long_fcollect(SHMEM_TEAM_WORLD, at, from, N);
		else
			shmem_long_broadcast(SHMEM_TEAM_WORLD, at, from, N, round % mt_npes);
		memset(from, 0xff, N * sizeof(long));
		shmem_barrier_all();
		if (round % 2)
			for (m = 0; m < mt_npes; m++)
				CHECK(is(at + (size_t)m * N, N, m, 0, round));
		else
			CHECK(is(at, N, round % mt_npes, 0, round));
	}
	shmem_barrier_all();
	shmem_free(from);
	shmem_free(at);
}

/** No elements: nobody touches the buffers, NULL is fine. */
static void
case_nothing(void)
{
	static long word = 5;

	mt_waiting("collectives of nothing");
	CHECK_EQ(shmem_long_broadcast(SHMEM_TEAM_WORLD, NULL, NULL, 0, 0), 0);
	CHECK_EQ(shmem_long_fcollect(SHMEM_TEAM_WORLD, NULL, NULL, 0), 0);
	CHECK_EQ(shmem_long_collect(SHMEM_TEAM_WORLD, NULL, NULL, 0), 0);
	CHECK_EQ(shmem_long_alltoall(SHMEM_TEAM_WORLD, NULL, NULL, 0), 0);
	CHECK_EQ(shmem_long_alltoalls(SHMEM_TEAM_WORLD, NULL, NULL, 1, 1, 0), 0);
	CHECK_EQ(shmem_long_sum_reduce(SHMEM_TEAM_WORLD, NULL, NULL, 0), 0);
	CHECK_EQ(shmem_long_sum_inscan(SHMEM_TEAM_WORLD, NULL, NULL, 0), 0);
	CHECK_EQ(shmem_long_max_reduce(SHMEM_TEAM_WORLD, &word, &word, 0), 0);
	shmem_barrier_all();
	CHECK_EQ(word, 5);
}

int
main(int argc, char **argv)
{
	static const struct mt_case cases[] = {
		{"sizes", case_sizes},
		{"side_by_side", case_side_by_side},
		{"back_to_back", case_back_to_back},
		{"source_free", case_source_free},
		{"nothing", case_nothing},
		{0},
	};

	return mt_main(argc, argv, SHMEM_THREAD_SINGLE, cases);
}
