/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Collectives one upon another: of every kind, in a row without any synchronisation between, with
 * late members, on several teams, in several threads.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "coll_types.h"

enum {
	KINDS = 9,
	BLOCK = 4000, /* elements of a member, at most */
};

/* Elements that some calls take before the members meet: a block of each member at least. */
static size_t
room(void)
{
	return BLOCK * (size_t)(mt_npes > 10 ? mt_npes : 10);
}

/* Each call has a destination of its own, because the standard wants it ready on all members. */
struct lane {
	shmem_team_t team;
	int n, me;
	long *to, *from; /* to: symmetric, room() elements */
	uint64_t random; /* alike on all members */
	size_t used;
};

static long
value(int r, size_t i)
{
	return r * 100000L + (long)i;
}

static void
check(const struct lane *l, const long *to, size_t n, int r, size_t from)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (!mt_check(to[i] == value(r, from + i), __FILE__, __LINE__,
			      "team of %d: element %zu is %ld, should be %ld", l->n, i, to[i],
			      value(r, from + i)))
			return;
}

static void
check_sum(const struct lane *l, const long *to, size_t n, int members)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (!mt_check(to[i] == value(0, i) * members +
					       100000L * (members * (members - 1) / 2),
			      __FILE__, __LINE__, "team of %d: sum %zu is %ld", l->n, i, to[i]))
			return;
}

static void
blocks(struct lane *l, long *to, size_t len, int kind)
{
	size_t at = 0, n;
	int r;

	if (kind == 0)
		CHECK_EQ(shmem_long_fcollect(l->team, to, l->from, len), 0);
	else if (kind == 1)
		CHECK_EQ(shmem_long_alltoall(l->team, to, l->from, len), 0);
	else
		CHECK_EQ(shmem_long_collect(l->team, to, l->from, l->me % 2 ? len : len / 2), 0);
	for (r = 0; r < l->n; r++) {
		n = kind == 2 && r % 2 == 0 ? len / 2 : len;
		check(l, to + at, n, r, kind == 1 ? (size_t)l->me * len : 0);
		at += n;
	}
}

/* One call of a kind and size that all members draw alike. @return elements of dest used */
static size_t
one(struct lane *l, long *to)
{
	uint64_t r = mt_random(&l->random);
	size_t len = r >> 8 & 1 ? r >> 16 & 31 : (r >> 16) % BLOCK;
	int kind = (int)(r % KINDS), root = (int)((r >> 40) % (uint64_t)l->n);

	if (kind < 3) {
		blocks(l, to, len, kind);
		return len * (size_t)l->n;
	}
	if (kind == 3) {
		CHECK_EQ(shmem_long_sum_reduce(l->team, to, l->from, len), 0);
		check_sum(l, to, len, l->n);
	} else if (kind == 4) {
		CHECK_EQ(shmem_long_sum_inscan(l->team, to, l->from, len), 0);
		check_sum(l, to, len, l->me + 1);
	} else if (kind == 5) {
		CHECK_EQ(shmem_long_sum_exscan(l->team, to, l->from, len), 0);
		check_sum(l, to, len, l->me);
	} else if (kind == 6) {
		CHECK_EQ(shmem_team_sync(l->team), 0);
	} else if (kind == 7) {
		CHECK_EQ(shmem_long_max_reduce(l->team, to, l->from, len), 0);
		check(l, to, len, l->n - 1, 0);
	} else {
		CHECK_EQ(shmem_long_broadcast(l->team, to, l->from, len, root), 0);
		check(l, to, len, root, 0);
	}
	return len;
}

static void
lane_make(struct lane *l, shmem_team_t team, uint64_t seed)
{
	size_t i;

	l->team = team;
	l->n = shmem_team_n_pes(team);
	l->me = shmem_team_my_pe(team);
	l->random = seed;
	l->used = 0;
	l->from = malloc(room() * sizeof(long));
	for (i = 0; i < room(); i++)
		l->from[i] = value(l->me, i);
}

/* Calls in a row until the destinations are used up, again and again. */
static void
lane_run(struct lane *l, long calls, uint64_t own)
{
	while (calls-- > 0) {
		if (l->used + BLOCK * (size_t)l->n > room()) {
			shmem_team_sync(l->team);
			l->used = 0;
		}
		if (mt_random(&own) % 64 == 0)
			usleep((useconds_t)(mt_random(&own) % 3000));
		l->used += one(l, l->to + l->used);
	}
}

static void
case_row(void)
{
	struct ct_team team[CT_TEAMS];
	struct lane lane;
	int i;

	ct_teams_make(team);
	lane.to = mt_alloc(room() * sizeof(long));
	for (i = 0; i < CT_TEAMS; i++) {
		mt_waiting("collectives in a row");
		if (team[i].me >= 0) {
			lane_make(&lane, team[i].team, mt_options.seed + (uint64_t)i);
			lane_run(&lane, 200 * mt_options.factor, (uint64_t)mt_me);
			free(lane.from);
		}
		shmem_barrier_all();
	}
	shmem_free(lane.to);
	ct_teams_free(team);
}

/* Teams that overlap, taken in turns that all members know. */
static void
case_interleaved(void)
{
	struct ct_team team[CT_TEAMS];
	struct lane lane[CT_TEAMS];
	uint64_t random = mt_options.seed;
	long round;
	int i;

	ct_teams_make(team);
	for (i = 0; i < CT_TEAMS; i++) {
		lane[i].to = mt_alloc(room() * sizeof(long));
		if (team[i].me >= 0)
			lane_make(&lane[i], team[i].team, mt_options.seed + (uint64_t)i);
	}
	for (round = 0; round < 300 * mt_options.factor; round++) {
		i = (int)(mt_random(&random) % CT_TEAMS);
		mt_waiting("collectives of several teams in turn");
		if (team[i].me >= 0)
			lane_run(&lane[i], 1, (uint64_t)round * 64 + (uint64_t)mt_me);
	}
	for (i = 0; i < CT_TEAMS; i++) {
		if (team[i].me >= 0)
			free(lane[i].from);
		shmem_free(lane[i].to);
	}
	ct_teams_free(team);
}

static void *
thread_main(void *arg)
{
	struct lane *l = arg;
	shmem_team_t child;
	int i;

	for (i = 0; i < 4; i++) {
		lane_run(l, 30 * mt_options.factor, l->random + (uint64_t)mt_me);
		/* Splits of different parents at the same time draw on the same slots. */
		CHECK_EQ(shmem_team_split_strided(l->team, 0, 1, l->n, NULL, 0, &child), 0);
		CHECK_EQ(shmem_team_n_pes(child), l->n);
		CHECK_EQ(shmem_team_sync(child), 0);
		shmem_team_destroy(child);
	}
	return NULL;
}

/* Four threads of a PE, each with its team; the teams have the same members. */
static void
case_threads(void)
{
	enum {
		THREADS = 4
	};
	static struct lane lane[THREADS];
	pthread_t thread[THREADS];
	shmem_team_t team;
	int i;

	for (i = 0; i < THREADS; i++) {
		CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, i % 2 ? mt_npes - 1 : 0,
						  i % 2 ? -1 : 1, mt_npes, NULL, 0, &team),
			 0);
		lane[i].to = mt_alloc(room() * sizeof(long));
		lane_make(&lane[i], team, mt_options.seed + 100 * (uint64_t)i);
	}
	mt_waiting("threads with a team each");
	for (i = 0; i < THREADS; i++)
		CHECK_EQ(pthread_create(&thread[i], NULL, thread_main, &lane[i]), 0);
	for (i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	for (i = 0; i < THREADS; i++) {
		free(lane[i].from);
		shmem_free(lane[i].to);
		shmem_team_destroy(lane[i].team);
	}
}

/* Here they are called on purpose. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

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

/* The user's traffic is neither waited for nor harmed. */
static void
case_beside_puts(void)
{
	enum {
		BYTES = 100000
	};
	unsigned char *to = mt_alloc(BYTES), *from = malloc(BYTES);
	struct lane lane;
	int round;

	lane.to = mt_alloc(room() * sizeof(long));
	lane_make(&lane, SHMEM_TEAM_WORLD, mt_options.seed);
	for (round = 0; round < 20; round++) {
		ct_fill(from, BYTES, (uint64_t)(round * 64 + mt_me));
		shmem_putmem_nbi(to, from, BYTES, mt_pe(1));
		lane_run(&lane, 5, (uint64_t)mt_me);
		shmem_barrier_all();
		CHECK_EQ(ct_differs(to, BYTES, (uint64_t)(round * 64 + mt_pe(-1))), BYTES);
		shmem_barrier_all();
	}
	free(lane.from);
	free(from);
	shmem_free(lane.to);
	shmem_free(to);
}

int
main(int argc, char **argv)
{
	static const struct mt_case cases[] = {
		{"row", case_row},
		{"interleaved", case_interleaved},
		{"threads", case_threads},
		{"sets_in_threads", case_sets_in_threads},
		{"beside_puts", case_beside_puts},
		{0},
	};

	return mt_main(argc, argv, SHMEM_THREAD_MULTIPLE, cases);
}
