/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Teams: their members and numbers, and what a split returns to each PE; and active sets, more than
 * the library remembers.
 */

#include "multi.h"

/* Active sets are called on purpose. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

static long in, out;

/* The team works: the sum of its members' world numbers arrives at all of them. */
static void
check_works(shmem_team_t team, int first, int step, int size)
{
	int i, me = shmem_team_my_pe(team);
	long sum = 0;

	CHECK_EQ(shmem_team_n_pes(team), size);
	CHECK_EQ(first + me * step, mt_me);
	for (i = 0; i < size; i++) {
		CHECK_EQ(shmem_team_translate_pe(team, i, SHMEM_TEAM_WORLD), first + i * step);
		CHECK_EQ(shmem_team_translate_pe(SHMEM_TEAM_WORLD, first + i * step, team), i);
		sum += first + i * step;
	}
	in = mt_me;
	CHECK_EQ(shmem_long_sum_reduce(team, &out, &in, 1), 0);
	CHECK_EQ(out, sum);
	CHECK_EQ(shmem_team_sync(team), 0);
}

static void
case_predefined(void)
{
	shmem_team_config_t config = {.num_contexts = 77};
	int shared;

	check_works(SHMEM_TEAM_WORLD, 0, 1, mt_npes);
	shared = shmem_team_n_pes(SHMEM_TEAM_SHARED);
	CHECK(shared >= 1 && shared <= mt_npes);
	CHECK(shmem_team_my_pe(SHMEM_TEAM_SHARED) >= 0);
	CHECK_EQ(shmem_team_translate_pe(SHMEM_TEAM_SHARED, shmem_team_my_pe(SHMEM_TEAM_SHARED),
					 SHMEM_TEAM_WORLD),
		 mt_me);
	CHECK_EQ(shmem_team_get_config(SHMEM_TEAM_WORLD, 0, NULL), 0);
	CHECK_EQ(shmem_team_get_config(SHMEM_TEAM_WORLD, SHMEM_TEAM_NUM_CONTEXTS, &config), 0);
	CHECK_EQ(config.num_contexts, 0);
}

static void
case_invalid(void)
{
	shmem_team_t a = SHMEM_TEAM_WORLD, b = SHMEM_TEAM_WORLD;
	shmem_team_config_t config;

	CHECK_EQ(shmem_team_my_pe(SHMEM_TEAM_INVALID), -1);
	CHECK_EQ(shmem_team_n_pes(SHMEM_TEAM_INVALID), -1);
	CHECK_EQ(shmem_team_translate_pe(SHMEM_TEAM_INVALID, 0, SHMEM_TEAM_WORLD), -1);
	CHECK_EQ(shmem_team_translate_pe(SHMEM_TEAM_WORLD, 0, SHMEM_TEAM_INVALID), -1);
	CHECK_EQ(shmem_team_translate_pe(SHMEM_TEAM_WORLD, mt_npes, SHMEM_TEAM_WORLD), -1);
	CHECK_EQ(shmem_team_translate_pe(SHMEM_TEAM_WORLD, -1, SHMEM_TEAM_WORLD), -1);
	CHECK(shmem_team_get_config(SHMEM_TEAM_INVALID, SHMEM_TEAM_NUM_CONTEXTS, &config) != 0);
	CHECK(shmem_team_sync(SHMEM_TEAM_INVALID) != 0);
	CHECK(shmem_long_sum_reduce(SHMEM_TEAM_INVALID, &out, &in, 1) != 0);
	shmem_team_destroy(SHMEM_TEAM_INVALID);
	CHECK(shmem_team_split_strided(SHMEM_TEAM_INVALID, 0, 1, 1, NULL, 0, &a) != 0);
	CHECK(a == SHMEM_TEAM_INVALID);
	a = SHMEM_TEAM_WORLD;
	CHECK(shmem_team_split_2d(SHMEM_TEAM_INVALID, 1, NULL, 0, &a, NULL, 0, &b) != 0);
	CHECK(a == SHMEM_TEAM_INVALID && b == SHMEM_TEAM_INVALID);
}

static void
case_bad_triplets(void)
{
	const struct {
		int start, stride, size;
	} bad[] = {
		{-1, 1, 1}, {mt_npes, 1, 1}, {0, 1, mt_npes + 1}, {0, 1, 0},	       {0, 1, -1},
		{0, 0, 2},  {1, -1, 3},	     {0, mt_npes, 2},	  {mt_npes - 1, 1, 2},
	};
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		shmem_team_t t = SHMEM_TEAM_WORLD;

		CHECK_MSG(shmem_team_split_strided(SHMEM_TEAM_WORLD, bad[i].start, bad[i].stride,
						   bad[i].size, NULL, 0, &t) != 0,
			  "triplet %zu is refused", i);
		CHECK(t == SHMEM_TEAM_INVALID);
	}
	/* The mistake of one member makes the call fail on all. */
	{
		shmem_team_t x = SHMEM_TEAM_WORLD, y = SHMEM_TEAM_WORLD;
		shmem_team_config_t config = {.num_contexts = 1};

		CHECK(shmem_team_split_2d(SHMEM_TEAM_WORLD, 2, &config,
					  mt_me == mt_npes - 1 ? ~0L : 0L, &x, NULL, 0, &y) != 0);
		CHECK(x == SHMEM_TEAM_INVALID && y == SHMEM_TEAM_INVALID);
	}
}

static void
case_config(void)
{
	shmem_team_config_t config = {.num_contexts = 3}, got = {.num_contexts = 99};
	shmem_team_t t;

	CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, mt_npes, &config,
					  SHMEM_TEAM_NUM_CONTEXTS, &t),
		 0);
	CHECK_EQ(shmem_team_get_config(t, 0, NULL), 0);
	CHECK_EQ(shmem_team_get_config(t, 0, &got), 0);
	CHECK_EQ(got.num_contexts, 99);
	CHECK_EQ(shmem_team_get_config(t, SHMEM_TEAM_NUM_CONTEXTS, &got), 0);
	CHECK_EQ(got.num_contexts, 3);
	shmem_team_destroy(t);
	/* Without its mask bit a member does not count. */
	CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, mt_npes, &config, 0, &t), 0);
	CHECK_EQ(shmem_team_get_config(t, SHMEM_TEAM_NUM_CONTEXTS, &got), 0);
	CHECK_EQ(got.num_contexts, 0);
	shmem_team_destroy(t);
}

/* As many teams as there are, then an answer that all agree on, then as many again. */
static void
case_exhaustion(void)
{
	enum {
		MANY = 300
	};
	static shmem_team_t team[MANY];
	int round, n, first = 0, ret;

	for (round = 0; round < 3; round++) {
		for (n = 0; n < MANY; n++) {
			mt_waiting("a split that may fail");
			ret = shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, mt_npes, NULL, 0,
						       &team[n]);
			CHECK_EQ(ret != 0, team[n] == SHMEM_TEAM_INVALID);
			if (ret != 0)
				break;
		}
		CHECK(n >= 10);
		if (round == 0)
			first = n;
		CHECK_EQ(n, first);
		check_works(team[n - 1], 0, 1, mt_npes);
		/* In another order than they were made. */
		for (ret = 0; ret < n; ret++)
			shmem_team_destroy(team[round % 2 == 0 ? ret : n - 1 - ret]);
	}
}

/* Each work array makes a set of its own, and is as it was after the call. */
static void
case_many_sets(void)
{
	enum {
		ARRAYS = 60
	};
	static long work[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
	long *psync = mt_alloc(ARRAYS * SHMEM_SYNC_SIZE * sizeof(*psync));
	int i, round;

	for (i = 0; i < ARRAYS * SHMEM_SYNC_SIZE; i++)
		psync[i] = SHMEM_SYNC_VALUE;
	in = 1;
	shmem_barrier_all();
	for (i = 0; i < ARRAYS; i++) {
		mt_waiting("one of many work arrays");
		for (round = 0; round < 3; round++) {
			shmem_long_sum_to_all(&out, &in, 1, 0, 0, mt_npes, work,
					      psync + i * SHMEM_SYNC_SIZE);
			CHECK_EQ(out, mt_npes);
			shmem_barrier_all();
		}
	}
	for (i = 0; i < ARRAYS * SHMEM_SYNC_SIZE; i++)
		CHECK_EQ(psync[i], SHMEM_SYNC_VALUE);
	shmem_barrier_all();
	shmem_free(psync);
}

MT_PROGRAM(SHMEM_THREAD_SINGLE, {"predefined", case_predefined}, {"invalid", case_invalid},
	   {"bad_triplets", case_bad_triplets}, {"config", case_config},
	   {"exhaustion", case_exhaustion}, {"many sets", case_many_sets})
