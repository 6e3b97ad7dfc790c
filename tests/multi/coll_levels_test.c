/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Collectives by size and by where the members sit: sizes on both sides of every change of the
 * algorithm, one call after the other without any other synchronisation, from memory that other
 * PEs map and from memory that they do not, in place, with strides, on teams that overlap.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "multi.h"
#include "teams.h"

enum {
	MOST = 20000 /* elements of the largest block */
};

/* A destination for each call, so that a fast member finds it free. */
enum dest {
	BROADCAST,
	FCOLLECT,
	COLLECT,
	ALLTOALL,
	STRIDED,
	SUM,
	PLACE,
	INSCAN,
	EXSCAN,
	DESTS
};
static long *dest[DESTS];

static long
value(int member, size_t i, int round)
{
	return (long)(i * 7 + (size_t)member * 1000003 + (size_t)round * 31);
}

/* Sum over members 0..count-1. */
static long
sum(int count, size_t i, int round)
{
	long s = 0;
	int m;

	for (m = 0; m < count; m++)
		s += value(m, i, round);
	return s;
}

static size_t
uneven(size_t n, int member, int round)
{
	return n * (size_t)(member + round) % (n + 1);
}

static void
call_all(const struct team *t, const long *from, size_t n, int round)
{
	shmem_team_t h = t->handle;

	memcpy(dest[PLACE], from, n * sizeof(long));
	shmem_long_broadcast(h, dest[BROADCAST], from, n, round % t->n);
	shmem_long_sum_reduce(h, dest[SUM], from, n);
	shmem_long_alltoall(h, dest[ALLTOALL], from, n);
	shmem_long_sum_inscan(h, dest[INSCAN], from, n);
	shmem_long_fcollect(h, dest[FCOLLECT], from, n);
	shmem_long_sum_reduce(h, dest[PLACE], dest[PLACE], n);
	shmem_long_alltoalls(h, dest[STRIDED], from, 3, 1, n);
	shmem_long_collect(h, dest[COLLECT], from, uneven(n, t->me, round));
	shmem_long_sum_exscan(h, dest[EXSCAN], from, n);
}

#define SAME(got, want)                                                                            \
	do {                                                                                       \
		long g_ = (got), w_ = (want);                                                      \
		if (!mt_check(g_ == w_, __FILE__, __LINE__,                                        \
			      "%s: %s, n %zu, round %d, element %zu: %ld, not %ld", t->name, #got, \
			      n, round, i, g_, w_))                                                \
			return;                                                                    \
	} while (0)

static void
check_sums(const struct team *t, size_t n, int round)
{
	size_t i;

	for (i = 0; i < n; i++) {
		SAME(dest[BROADCAST][i], value(round % t->n, i, round));
		SAME(dest[SUM][i], sum(t->n, i, round));
		SAME(dest[PLACE][i], sum(t->n, i, round));
		SAME(dest[INSCAN][i], sum(t->me + 1, i, round));
		SAME(dest[EXSCAN][i], sum(t->me, i, round));
	}
}

static void
check_blocks(const struct team *t, size_t n, int round)
{
	size_t i, at = 0;
	int m;

	for (m = 0; m < t->n; m++) {
		size_t block = (size_t)m * n, mine = (size_t)t->me * n;

		for (i = 0; i < n; i++) {
			SAME(dest[FCOLLECT][block + i], value(m, i, round));
			SAME(dest[ALLTOALL][block + i], value(m, mine + i, round));
			SAME(dest[STRIDED][3 * (block + i)], value(m, mine + i, round));
		}
		for (i = 0; i < uneven(n, m, round); i++)
			SAME(dest[COLLECT][at + i], value(m, i, round));
		at += uneven(n, m, round);
	}
}

static void
all_at(const struct team *t, long *from, size_t n, int round)
{
	size_t i;

	if (t->me < 0)
		return;
	for (i = 0; i < n * (size_t)t->n; i++)
		from[i] = value(t->me, i, round);
	shmem_team_sync(t->handle);
	call_all(t, from, n, round);
	check_sums(t, n, round);
	check_blocks(t, n, round);
	shmem_team_sync(t->handle);
}

/* Lines have 32 bytes, steps and buffers 8 KiB, bundles 16 KiB, chains begin at 32 KiB. */
static const size_t sizes[] = {1, 4, 5, 64, 127, 128, 129, 513, 1024, 1025, 2049, 4097, MOST};

enum {
	SIZES = sizeof(sizes) / sizeof(sizes[0])
};

/* Number of sizes with a block for each member. Large teams leave out the largest sizes, because
 * their medium blocks already take other paths than those of small teams. */
static int
sizes_here(void)
{
	return mt_npes <= 16 ? SIZES : mt_npes <= 32 ? SIZES - 1 : SIZES - 3;
}

/* Bytes of such a block. */
static size_t
room(void)
{
	return sizes[sizes_here() - 1] * (size_t)mt_npes * sizeof(long);
}

static void
open_dests(void)
{
	int i;

	for (i = 0; i < DESTS; i++)
		dest[i] = mt_alloc(room() * (i == STRIDED ? 3 : 1));
}

static void
close_dests(void)
{
	int i;

	for (i = DESTS - 1; i >= 0; i--)
		shmem_free(dest[i]);
}

enum {
	SIZES_S = 20
};

/* All teams and sizes, or on a machine whose CPUs have much other work as many as fit into some
 * seconds: a collective needs a turn of each PE. */
static void
over_sizes(long *from, bool mixed, long *other)
{
	struct team teams[TEAMS];
	struct timespec since;
	int i, s;

	clock_gettime(CLOCK_MONOTONIC, &since);
	open_dests();
	teams_make(teams);
	for (i = 0; i < TEAMS; i++) {
		mt_waiting(teams[i].name);
		for (s = 0; s < sizes_here(); s++) {
			all_at(&teams[i], mixed && mt_me % 2 ? other : from, sizes[s], i + s);
			if (!mt_time_left(&since, SIZES_S * mt_options.factor))
				goto out;
		}
	}
out:
	teams_destroy(teams);
	close_dests();
}

static void
case_sizes(void)
{
	long *from = mt_alloc(room());

	over_sizes(from, false, NULL);
	shmem_free(from);
}

/* Sources need not be symmetric, and each member chooses its own. */
static void
case_private(void)
{
	size_t len = room();
	long *heap = mt_alloc(len), *private = malloc(len);

	CHECK(private != NULL);
	if (private != NULL) {
		over_sizes(private, false, NULL);
		over_sizes(heap, true, private);
	}
	free(private);
	shmem_free(heap);
}

/* Teams that share members take turns, and collectives of all kinds follow one another: a member
 * that is ahead must not disturb one that is behind. */
static void
case_overlap(void)
{
	long *at = mt_alloc(16 * sizeof(long)), *from = mt_alloc(16 * sizeof(long)), k;
	uint64_t random = mt_options.seed;
	struct team teams[TEAMS];
	int round, rounds = (int)mt_rounds(3000);

	teams_make(teams);
	mt_waiting("collectives on overlapping teams");
	for (round = 0; round < rounds; round++) {
		uint64_t draw = mt_random(&random);
		const struct team *t = &teams[draw % TEAMS];
		int kind = (int)(draw >> 8) % 5, root = (int)((draw >> 16) % (uint64_t)t->n);

		if (t->me < 0)
			continue;
		for (k = 0; k < 8; k++)
			from[k] = value(t->me, (size_t)k, round);
		switch (kind) {
		case 0:
			shmem_long_broadcast(t->handle, at, from, 8, root);
			CHECK_EQ(at[7], value(root, 7, round));
			break;
		case 1:
			shmem_long_sum_reduce(t->handle, from, from, 8);
			CHECK_EQ(from[7], sum(t->n, 7, round));
			break;
		case 2:
			shmem_team_sync(t->handle);
			break;
		case 3:
			shmem_long_max_reduce(t->handle, at, from, 1);
			CHECK_EQ(at[0], value(t->n - 1, 0, round));
			break;
		default:
			shmem_long_sum_inscan(t->handle, at, from, 8);
			CHECK_EQ(at[7], sum(t->me + 1, 7, round));
		}
	}
	teams_destroy(teams);
	shmem_free(from);
	shmem_free(at);
}

/* One member is the root all the time. It must not overwrite data that the slowest member has not
 * read, nor those that it has received. The standard asks for less. */
static void
case_one_root(void)
{
	long *at = mt_alloc(2048 * sizeof(long)), *from = mt_alloc(2048 * sizeof(long));
	size_t n;
	long i;

	mt_waiting("broadcasts of one root");
	for (i = 0; i < mt_rounds(2000); i++) {
		n = i % 3 == 0 ? 1 : i % 3 == 1 ? 1000 : 2048;
		from[0] = i;
		from[n - 1] = i;
		shmem_long_broadcast(SHMEM_TEAM_WORLD, at, from, n, 0);
		CHECK_EQ(at[0], i);
		CHECK_EQ(at[n - 1], i);
	}
	shmem_barrier_all();
	shmem_free(from);
	shmem_free(at);
}

/* Are these the @p n elements of @p member? */
static bool
is_of(const long *block, size_t n, int member, int round)
{
	size_t i;

	for (i = 0; i < n && block[i] == value(member, i, round); i++)
		;
	return i == n;
}

/* The source is reusable on return, at once, on every member. */
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
				CHECK(is_of(at + (size_t)m * N, N, m, round));
		else
			CHECK(is_of(at, N, round % mt_npes, round));
	}
	shmem_barrier_all();
	shmem_free(from);
	shmem_free(at);
}

/* All members get the same bits, however the sum was put together. In static data, which local PEs
 * map or not (RINGBELL_STATIC). */
static void
case_same_bits(void)
{
	static double at[MOST], from[MOST], first[MOST];
	size_t n, i;
	int s;

	mt_waiting("sums of doubles");
	for (s = 0; s < SIZES; s++) {
		n = sizes[s];
		for (i = 0; i < n; i++)
			from[i] = 1.0 / (double)(i + 3 * (size_t)mt_me + 1);
		shmem_barrier_all();
		shmem_double_sum_reduce(SHMEM_TEAM_WORLD, at, from, n);
		shmem_double_broadcast(SHMEM_TEAM_WORLD, first, at, n, 0);
		CHECK_MSG(memcmp(first, at, n * sizeof(double)) == 0,
			  "sum of %zu doubles differs from that of PE 0", n);
		shmem_barrier_all(); /* first is lent again */
		shmem_double_alltoall(SHMEM_TEAM_WORLD, first, at, n / (size_t)mt_npes);
		shmem_barrier_all();
	}
}

int
main(int argc, char **argv)
{
	static const struct mt_case cases[] = {
		{"sizes", case_sizes},
		{"private", case_private},
		{"overlap", case_overlap},
		{"one root", case_one_root},
		{"source free", case_source_free},
		{"same bits", case_same_bits},
		{NULL, NULL},
	};

	return mt_main(argc, argv, SHMEM_THREAD_SINGLE, cases);
}
