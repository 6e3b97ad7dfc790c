/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Collectives of all kinds on teams that overlap, one after the other without any other
 * synchronisation: blocking ones, and posted ones of which many are under way and are completed in
 * any order and way. Sources are in the heap, in static data and in memory of the PE alone. What
 * each type moves is in tests/calls, and both sides of each size in sizes_test.c.
 */
#include <stdlib.h>
#include <string.h>

#include <shmemx.h>

#include "multi.h"
#include "teams.h"

enum {
	ROOM = 1 << 17, /* longs of a team's destinations */
	FROM = 1 << 14, /* longs of the sources */
	UNDER_WAY = 24, /* of a team at once */
	MANY_PES = 64,	/* above it one of each kind: a round takes seconds */
};

enum source {
	HEAP,
	PRIVATE,
	DATA,
	SOURCES
};

enum kind {
	FCOLLECT,
	ALLTOALL,
	COLLECT,
	ALLTOALLS,
	BROADCAST,
	SUM,
	PLACE, /* a sum in place */
	MAX,
	MIN,
	INSCAN,
	EXSCAN,
	SYNC,
	KINDS
};

struct call {
	shmemx_req_h request; /* SHMEMX_REQ_INVALID: it is complete */
	long *to;
	size_t n;
	ptrdiff_t dst, sst;
	enum kind kind;
	int root;
	enum source source;
};

/* One team and its calls. */
struct lane {
	const struct team *team;
	long *to;	 /* symmetric */
	uint64_t random; /* alike on all members */
	size_t used;	 /* of to */
	struct call calls[UNDER_WAY];
	shmemx_req_h request[UNDER_WAY];
	int count;
};

static long *sources[SOURCES]; /* the same longs in three places */
static uint64_t own;	       /* lots that each PE draws for itself */

static long
value(int pe, size_t i)
{
	return pe * 100000L + (long)i;
}

/* Over members 0 to count - 1. */
static long
sum(const struct team *t, int count, size_t i)
{
	long s = 0;
	int m;

	for (m = 0; m < count; m++)
		s += value(t->world[m], i);
	return s;
}

static size_t
given(const struct call *c, int member)
{
	return c->kind == COLLECT && member % 2 == 0 ? c->n / 2 : c->n;
}

#define CALL(name, ...) \
	(posted ? shmemx_##name##_nb(__VA_ARGS__, &c->request) : shmem_##name(__VA_ARGS__))

static int
make_call(const struct lane *l, struct call *c, bool posted)
{
	/* symmetric sources are one object on all members */
	const long *from = sources[mt_random(&own) % 3 == 0 ? PRIVATE : c->source];
	shmem_team_t t = l->team->handle;

	switch (c->kind) {
	case FCOLLECT:
		return CALL(long_fcollect, t, c->to, from, c->n);
	case ALLTOALL:
		return CALL(long_alltoall, t, c->to, from, c->n);
	case COLLECT:
		return CALL(long_collect, t, c->to, from, given(c, l->team->me));
	case ALLTOALLS:
		return CALL(long_alltoalls, t, c->to, from, c->dst, c->sst, c->n);
	case BROADCAST:
		return CALL(long_broadcast, t, c->to, from, c->n, c->root);
	case SUM:
		return CALL(long_sum_reduce, t, c->to, from, c->n);
	case PLACE:
		memcpy(c->to, from, c->n * sizeof(*from));
		return CALL(long_sum_reduce, t, c->to, c->to, c->n);
	case MAX:
		return CALL(long_max_reduce, t, c->to, from, c->n);
	case MIN:
		return CALL(long_min_reduce, t, c->to, from, c->n);
	case INSCAN:
		return CALL(long_sum_inscan, t, c->to, from, c->n);
	case EXSCAN:
		return CALL(long_sum_exscan, t, c->to, from, c->n);
	default:
		return CALL(team_sync, t);
	}
}

static bool
is_right(const struct lane *l, const struct call *c, size_t i, long got, long want)
{
	return mt_check(got == want, __FILE__, __LINE__,
			"%s: kind %d of %zu, strides %td %td: element %zu is %ld, not %ld",
			l->team->name, c->kind, c->n, c->dst, c->sst, i, got, want);
}

/* A block of each member, one behind the other, each from its element @p first on. */
static void
check_blocks(const struct lane *l, const struct call *c, size_t first)
{
	const long *to = c->to;
	size_t i;
	int m;

	for (m = 0; m < l->team->n; m++)
		for (i = 0; i < given(c, m); i++, to += c->dst)
			if (!is_right(l, c, i, *to,
				      value(l->team->world[m], (first + i) * (size_t)c->sst)))
				return;
}

static void
check_call(const struct lane *l, const struct call *c)
{
	const struct team *t = l->team;
	int low = t->world[0], high = t->world[t->n - 1];
	size_t i;

	if (c->kind <= ALLTOALLS) {
		check_blocks(l, c, c->kind % 2 == 1 ? (size_t)t->me * c->n : 0);
		return;
	}
	for (i = 0; i < c->n && c->kind != SYNC; i++) {
		long want = c->kind == BROADCAST ? value(t->world[c->root], i)
			    : c->kind == MAX	 ? value(high > low ? high : low, i)
			    : c->kind == MIN	 ? value(high > low ? low : high, i)
						 : sum(t,
						       c->kind == INSCAN   ? t->me + 1
						       : c->kind == EXSCAN ? t->me
									   : t->n,
						       i);

		if (!is_right(l, c, i, c->to[i], want))
			return;
	}
}

/* Draws a call. @return false: its team has no room for it */
static bool
draw_call(struct lane *l, struct call *c)
{
	uint64_t r = mt_random(&l->random);
	size_t members = (size_t)l->team->n, all, room;
	bool many = mt_npes > MANY_PES;

	*c = (struct call){.kind = (enum kind)(many ? (uint64_t)l->count : r % KINDS),
			   .root = (int)((r >> 40) % members),
			   .source = r >> 50 & 1 ? HEAP : DATA,
			   .request = SHMEMX_REQ_INVALID,
			   .to = l->to + l->used,
			   .dst = 1,
			   .sst = 1};
	if (c->kind == ALLTOALLS) {
		c->dst = 1 + (ptrdiff_t)(r >> 32) % 3;
		c->sst = 1 + (ptrdiff_t)(r >> 36) % 3;
	}
	all = c->kind <= ALLTOALLS ? members : 1;
	c->n = (r >> 16) % (r >> 8 & 1 ? 32 : FROM / all / (size_t)c->sst);
	room = c->n * all * (size_t)c->dst;
	if (l->count == (many ? KINDS : UNDER_WAY) || l->used + room > ROOM ||
	    c->n * all * (size_t)c->sst > FROM)
		return false;
	l->used += room;
	return true;
}

static void
fill_lane(struct lane *l, bool blocking)
{
	struct call c;

	while (draw_call(l, &c)) {
		bool posted = !blocking || mt_random(&l->random) % 2;

		CHECK_EQ(make_call(l, &c, posted), 0);
		if (!posted) {
			CHECK_MSG(c.request == SHMEMX_REQ_INVALID, "a request of a blocking call");
			check_call(l, &c);
		}
		l->request[l->count] = c.request;
		l->calls[l->count++] = c;
	}
}

static void
ended(struct lane *l, size_t i)
{
	CHECK(l->request[i] == SHMEMX_REQ_INVALID);
	check_call(l, &l->calls[i]);
	l->calls[i].kind = SYNC; /* is not looked at again */
}

/* All that is under way on the team, in one of several ways. */
static void
complete(struct lane *l, uint64_t way)
{
	size_t indices[UNDER_WAY], n, k, all = (size_t)l->count;
	int ret;

	for (; way == 1 && (k = shmemx_req_wait_any(l->request, all)) != SIZE_MAX;)
		ended(l, k);
	for (; way == 2 && (n = shmemx_req_wait_some(l->request, all, indices)) != 0;)
		for (k = 0; k < n; k++)
			ended(l, indices[k]);
	for (k = all; way > 2 && k-- > 0;) {
		if (l->request[k] == SHMEMX_REQ_INVALID)
			continue;
		if (way == 3)
			CHECK_EQ(shmemx_req_wait(&l->request[k]), 0);
		while (way == 4 && (ret = shmemx_req_test(&l->request[k])) != 0)
			CHECK_EQ(ret, 1);
		ended(l, k);
	}
	if (way == 0)
		CHECK_EQ(shmemx_req_wait_all(l->request, all), 0);
	for (k = 0; k < all; k++)
		ended(l, k);
	l->count = 0;
	l->used = 0;
}

/* Rounds of posted calls, in which each PE takes its teams in an order of its own, and rounds with
 * blocking ones, in which all take them in the same order. */
static void
take_turns(struct lane *lane, long rounds)
{
	uint64_t alike = mt_options.seed;
	int i, k, first;
	long round;

	for (round = 0; round < rounds; round++) {
		bool blocking = round % 2;

		mt_progress();
		mt_waiting(blocking ? "blocking collectives of several teams"
				    : "collectives of several teams under way");
		first = (int)(mt_random(blocking ? &alike : &own) % TEAMS);
		for (k = 0; k < TEAMS; k++) {
			i = (first + k) % TEAMS;
			if (lane[i].team->me >= 0)
				fill_lane(&lane[i], blocking);
		}
		first = (int)(mt_random(&own) % TEAMS);
		for (k = 0; k < TEAMS; k++) {
			i = (first + k) % TEAMS;
			if (lane[i].team->me >= 0)
				complete(&lane[i], mt_random(&own) % 5);
		}
		shmem_barrier_all();
	}
}

static void
case_teams(void)
{
	static struct lane lane[TEAMS];
	static long data[FROM];
	struct team teams[TEAMS];
	size_t i, k;

	own = mt_options.seed + (uint64_t)mt_me;
	sources[HEAP] = mt_alloc(FROM * sizeof(long));
	sources[PRIVATE] = malloc(FROM * sizeof(long));
	sources[DATA] = data;
	if (!mt_check(sources[PRIVATE] != NULL, __FILE__, __LINE__, "no memory"))
		shmem_global_exit(1);
	for (i = 0; i < SOURCES; i++)
		for (k = 0; k < FROM; k++)
			sources[i][k] = value(mt_me, k);
	teams_make(teams);
	for (i = 0; i < TEAMS; i++)
		lane[i] = (struct lane){.team = &teams[i],
					.random = mt_options.seed + i,
					.to = mt_alloc(ROOM * sizeof(long))};
	shmem_barrier_all();
	take_turns(lane, 2 * mt_rounds(4) * mt_options.factor);
	for (i = TEAMS; i-- > 0;)
		shmem_free(lane[i].to);
	teams_destroy(teams);
	free(sources[PRIVATE]);
	shmem_free(sources[HEAP]);
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

/* The source is reusable on return, at once, on every member. */
static void
case_source_free(void)
{
	enum {
		N = 20000 /* longs: more than buffers hold */
	};
	size_t len = N * sizeof(long), n = N / (size_t)mt_npes;
	unsigned char *at = mt_alloc(len), *from = mt_alloc(len);
	int round, m;

	mt_waiting("collectives whose source is overwritten");
	for (round = 0; round < 6; round++) {
		mt_fill(from, len, (uint64_t)(mt_me + round));
		shmem_barrier_all();
		if (round % 2)
			shmem_fcollectmem(SHMEM_TEAM_WORLD, at, from, n);
		else
			shmem_broadcastmem(SHMEM_TEAM_WORLD, at, from, len, round % mt_npes);
		memset(from, 0xff, len);
		shmem_barrier_all();
		for (m = 0; round % 2 && m < mt_npes; m++)
			CHECK_EQ(mt_differs(at + (size_t)m * n, n, (uint64_t)(m + round)), n);
		if (round % 2 == 0)
			CHECK_EQ(mt_differs(at, len, (uint64_t)(round % mt_npes + round)), len);
	}
	shmem_barrier_all();
	shmem_free(from);
	shmem_free(at);
}

/* All members get the same bits, however the sum was put together. */
static void
case_same_bits(void)
{
	/* lines have 32 bytes, steps 8 KiB, chains begin at 32 KiB */
	static const size_t sizes[] = {1, 5, 129, 1025, 4097, 20000};
	static double at[20000], from[20000], first[20000];
	size_t n, i, s;

	mt_waiting("sums of doubles");
	for (s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
		n = sizes[s];
		for (i = 0; i < n; i++)
			from[i] = 1.0 / (double)(i + 3 * (size_t)mt_me + 1);
		shmem_barrier_all();
		shmem_double_sum_reduce(SHMEM_TEAM_WORLD, at, from, n);
		shmem_double_broadcast(SHMEM_TEAM_WORLD, first, at, n, 0);
		CHECK_MSG(memcmp(first, at, n * sizeof(double)) == 0,
			  "sum of %zu doubles differs from that of PE 0", n);
		shmem_barrier_all();
	}
}

MT_PROGRAM(SHMEM_THREAD_SINGLE, {"teams", case_teams}, {"one root", case_one_root},
	   {"source free", case_source_free}, {"same bits", case_same_bits})
