/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Collectives where many PEs share a host. The data from or to a host at a time then exceed the
 * library's buffers long before a block does. Each PE uses little memory, so that 100 of them start
 * with a heap of 20 MiB.
 */
#include <stdlib.h>
#include <string.h>

#include "multi.h"
#include "teams.h"

enum {
	ROOM = 1 << 20, /* bytes of each array */
	BLOCK = 40,	/* elements, at most, that a member gives where all get all */
};

static unsigned char *from, *at;

static uint64_t
key(int member, int round)
{
	return (uint64_t)member * 1009 + (uint64_t)round;
}

/* An element of @p size bytes, number @p i of what @p member gives. */
static void
element(unsigned char *e, size_t size, int member, size_t i, int round)
{
	size_t b;

	for (b = 0; b < size; b++)
		e[b] = mt_byte(key(member, round), i * size + b);
}

static void
exchange(shmem_team_t team, const ptrdiff_t *stride, size_t size, size_t n)
{
	if (size == 1)
		CHECK_EQ(shmem_alltoallsmem(team, at, from, stride[0], stride[1], n), 0);
	else if (size == 4)
		CHECK_EQ(shmem_int_alltoalls(team, (int *)(void *)at, (int *)(void *)from,
					     stride[0], stride[1], n),
			 0);
	else if (size == 8)
		CHECK_EQ(shmem_long_alltoalls(team, (long *)(void *)at, (long *)(void *)from,
					      stride[0], stride[1], n),
			 0);
	else
		CHECK_EQ(shmem_longdouble_alltoalls(team, (long double *)(void *)at,
						    (long double *)(void *)from, stride[0],
						    stride[1], n),
			 0);
}

/* Every element is in its place, and the gaps between have their former contents. */
static bool
arrived(const struct team *t, const ptrdiff_t *stride, size_t size, size_t n, int round)
{
	size_t all = n * (size_t)t->n, step = (size_t)stride[0] * size, i;
	unsigned char want[16];

	for (i = 0; i < all; i++) {
		element(want, size, (int)(i / n), (size_t)t->me * n + i % n, round);
		if (memcmp(at + i * step, want, size) != 0)
			return mt_check(false, __FILE__, __LINE__,
					"%s: %zu of %zu bytes, strides %td %td: element %zu",
					t->name, n, size, stride[0], stride[1], i);
		if (i + 1 < all &&
		    mt_differs_from(at + i * step + size, step - size, 0xee) != step - size)
			return mt_check(false, __FILE__, __LINE__,
					"%s: %zu of %zu bytes, strides %td %td: behind element %zu",
					t->name, n, size, stride[0], stride[1], i);
	}
	return true;
}

static void
alltoalls(const struct team *t, const ptrdiff_t *stride, size_t size, size_t n, int round)
{
	size_t all = n * (size_t)t->n, i;

	if (all * size * (size_t)(stride[0] > stride[1] ? stride[0] : stride[1]) > ROOM)
		return;
	for (i = 0; i < all; i++)
		element(from + i * (size_t)stride[1] * size, size, t->me, i, round);
	memset(at, 0xee, all * (size_t)stride[0] * size);
	shmem_team_sync(t->handle);
	exchange(t->handle, stride, size, n);
	(void)arrived(t, stride, size, n, round);
	shmem_team_sync(t->handle);
}

static const ptrdiff_t strides[][2] = {{1, 1}, {2, 1}, {1, 3}, {3, 2}};
static const size_t widths[] = {1, 4, 8, 16}, counts[] = {1, 3, 20};

static void
over_shapes(const struct team *t)
{
	int s, w, c;

	mt_waiting(t->name);
	for (s = 0; s < 4; s++)
		for (w = 0; w < 4; w++)
			for (c = 0; c < 3; c++)
				alltoalls(t, strides[s], widths[w], counts[c],
					  s * 100 + w * 10 + c);
}

static void
over_teams(void (*run)(const struct team *t))
{
	struct team teams[TEAMS];
	int i;

	teams_make(teams);
	for (i = 0; i < TEAMS; i++) {
		if (teams[i].me >= 0)
			run(&teams[i]);
		shmem_barrier_all();
	}
	teams_destroy(teams);
}

static void
case_alltoalls(void)
{
	from = mt_alloc(ROOM);
	at = mt_alloc(ROOM);
	over_teams(over_shapes);
	shmem_free(at);
	shmem_free(from);
}

/* From memory of this PE alone into static data, which others may not map (RINGBELL_STATIC). */
static void
case_private(void)
{
	static unsigned char data[ROOM];

	from = malloc(ROOM);
	at = data;
	CHECK(from != NULL);
	if (from != NULL)
		over_teams(over_shapes);
	free(from);
}

static long
value(int member, size_t i, int round)
{
	return (long)(i * 7 + (size_t)member * 1000003 + (size_t)round * 31);
}

static size_t
uneven(int member, int round)
{
	return (size_t)(member + round) % 3;
}

/* What the members with numbers below @p upto give, summed up. */
static long
sum(int upto, size_t i, int round)
{
	long s = 0;
	int m;

	for (m = 0; m < upto; m++)
		s += value(m, i, round);
	return s;
}

/* A destination for each, as nothing but the collectives keeps the members together. */
struct dests {
	long *all, *some, *in, *ex, *sum;
};

static void
check_gathered(const struct team *t, const struct dests *d, size_t n, int round)
{
	size_t i, off = 0;
	int m;

	for (m = 0; m < t->n; m++) {
		for (i = 0; i < n; i++)
			if (!mt_check(d->all[(size_t)m * n + i] == value(m, i, round), __FILE__,
				      __LINE__, "%s: fcollect of %zu: element %zu of member %d",
				      t->name, n, i, m))
				return;
		for (i = 0; i < uneven(m, round); i++)
			if (!mt_check(d->some[off + i] == value(m, i, round), __FILE__, __LINE__,
				      "%s: collect: element %zu of member %d", t->name, i, m))
				return;
		off += uneven(m, round);
	}
}

static void
gather(const struct team *t, const struct dests *d, size_t n, int round)
{
	long mine[BLOCK];
	size_t i;

	for (i = 0; i < BLOCK; i++)
		mine[i] = value(t->me, i, round);
	shmem_long_fcollect(t->handle, d->all, mine, n);
	shmem_long_sum_inscan(t->handle, d->in, mine, n);
	shmem_long_collect(t->handle, d->some, mine, uneven(t->me, round));
	shmem_long_sum_exscan(t->handle, d->ex, mine, n);
	shmem_long_sum_reduce(t->handle, d->sum, mine, n);
	check_gathered(t, d, n, round);
	for (i = 0; i < n; i++)
		if (!mt_check(d->in[i] == sum(t->me + 1, i, round) &&
				      d->ex[i] == sum(t->me, i, round) &&
				      d->sum[i] == sum(t->n, i, round),
			      __FILE__, __LINE__, "%s: scans of %zu: element %zu", t->name, n, i))
			return;
}

/* Dealt out over the hosts or not, in small blocks and ones that fill a buffer in part. Odd and
 * even numbers of buffers in turn: of two releases one is posted. */
static void
over_rounds(const struct team *t)
{
	static const size_t blocks[] = {1, 3, BLOCK};
	size_t len = BLOCK * (size_t)t->n;
	struct dests d[2];
	long *next = (long *)(void *)at;
	int round, i;

	mt_waiting(t->name);
	for (i = 0; i < 2; i++, next += 2 * len + 3 * BLOCK)
		d[i] = (struct dests){next, next + len, next + 2 * len, next + 2 * len + BLOCK,
				      next + 2 * len + 2 * BLOCK};
	for (round = 0; round < 8; round++)
		gather(t, &d[round % 2], blocks[round % 3], round);
	shmem_team_sync(t->handle);
}

static void
case_gather(void)
{
	at = mt_alloc(2 * (2 * (size_t)mt_npes + 3) * BLOCK * sizeof(long));
	over_teams(over_rounds);
	shmem_free(at);
}

int
main(int argc, char **argv)
{
	static const struct mt_case cases[] = {
		{"alltoalls", case_alltoalls},
		{"private", case_private},
		{"gather", case_gather},
		{NULL, NULL},
	};

	return mt_main(argc, argv, SHMEM_THREAD_SINGLE, cases);
}
