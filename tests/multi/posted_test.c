/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Nonblocking collectives: of all kinds, many under way on several teams at once, completed in any
 * order and way, and advanced by whichever call the PE waits in.
 * POSTED_LEVEL is a thread level: below the highest one, requests take no locks.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <shmemx.h>

#include "multi.h"
#include "teams.h"

enum {
	ROOM = 1 << 18, /* longs of a team's destinations */
	FROM = 1 << 14, /* longs of its source */
	KINDS = 11,
	UNDER_WAY = 24, /* of a team at once */
	MANY = 1000,
};

/* A collective that was posted. */
struct posted {
	shmemx_req_h request;
	long *to;
	size_t n;
	int kind, root;
};

/* One team and what is under way on it. */
struct lane {
	const struct team *team;
	long *to, *from; /* symmetric */
	uint64_t random; /* alike on all members */
	size_t used;	 /* of to */
	struct posted posted[UNDER_WAY];
	shmemx_req_h request[UNDER_WAY];
	int count;
};

static long
value(int member, size_t i)
{
	return member * 100000L + (long)i;
}

static size_t
given(const struct posted *p, int member)
{
	return p->kind == 2 && member % 2 == 0 ? p->n / 2 : p->n;
}

static int
post(const struct lane *l, struct posted *p, shmemx_req_h *r)
{
	shmem_team_t t = l->team->handle;

	switch (p->kind) {
	case 0:
		return shmemx_long_fcollect_nb(t, p->to, l->from, p->n, r);
	case 1:
		return shmemx_long_alltoall_nb(t, p->to, l->from, p->n, r);
	case 2:
		return shmemx_long_collect_nb(t, p->to, l->from, given(p, l->team->me), r);
	case 3:
		return shmemx_long_sum_reduce_nb(t, p->to, l->from, p->n, r);
	case 4:
		return shmemx_long_sum_inscan_nb(t, p->to, l->from, p->n, r);
	case 5:
		return shmemx_long_sum_exscan_nb(t, p->to, l->from, p->n, r);
	case 6:
		return shmemx_team_sync_nb(t, r);
	case 7:
		return shmemx_long_max_reduce_nb(t, p->to, l->from, p->n, r);
	case 8:
		return shmemx_long_broadcast_nb(t, p->to, l->from, p->n, p->root, r);
	case 9:
		return shmemx_long_alltoalls_nb(t, p->to, l->from, 1, 1, p->n, r);
	default:
		return shmemx_long_min_reduce_nb(t, p->to, l->from, p->n, r);
	}
}

/* n longs of @p member, from its element @p first on. */
static void
check_block(const struct lane *l, const long *to, size_t n, int member, size_t first)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (!mt_check(to[i] == value(member, first + i), __FILE__, __LINE__,
			      "%s: element %zu of %zu of member %d is %ld, not %ld", l->team->name,
			      i, n, member, to[i], value(member, first + i)))
			return;
}

/* The sum of what the first @p members give. */
static void
check_sum(const struct lane *l, const long *to, size_t n, int members)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (!mt_check(to[i] == value(0, i) * members +
					       100000L * (members * (members - 1) / 2),
			      __FILE__, __LINE__, "%s: sum %zu of %zu is %ld", l->team->name, i, n,
			      to[i]))
			return;
}

static void
check_posted(const struct lane *l, const struct posted *p)
{
	const long *to = p->to;
	int m, me = l->team->me, n = l->team->n;

	if (p->kind <= 2 || p->kind == 9) {
		for (m = 0; m < n; to += given(p, m++))
			check_block(l, to, given(p, m), m,
				    p->kind == 1 || p->kind == 9 ? (size_t)me * p->n : 0);
	} else if (p->kind <= 5) {
		check_sum(l, to, p->n, p->kind == 3 ? n : p->kind == 4 ? me + 1 : me);
	} else if (p->kind != 6) {
		check_block(l, to, p->n, p->kind == 7 ? n - 1 : p->kind == 8 ? p->root : 0, 0);
	}
}

static void
ended(struct lane *l, size_t i)
{
	CHECK(l->request[i] == SHMEMX_REQ_INVALID);
	check_posted(l, &l->posted[i]);
	l->posted[i].kind = 6; /* is not looked at again */
	l->posted[i].n = 0;
}

static void
by_test(struct lane *l, int i)
{
	int ret;

	while ((ret = shmemx_req_test(&l->request[i])) == 1)
		;
	CHECK_EQ(ret, 0);
	ended(l, (size_t)i);
}

/* All that is under way on the team, in one of several ways. */
static void
complete(struct lane *l, uint64_t own)
{
	size_t indices[UNDER_WAY], n, k, left = (size_t)l->count;
	int i;

	switch (mt_random(&own) % 5) {
	case 0:
		CHECK_EQ(shmemx_req_wait_all(l->request, left), 0);
		for (k = 0; k < left; k++)
			ended(l, k);
		break;
	case 1:
		for (; (k = shmemx_req_wait_any(l->request, (size_t)l->count)) != SIZE_MAX; left--)
			ended(l, k);
		CHECK_EQ(left, 0);
		break;
	case 2:
		for (; (n = shmemx_req_wait_some(l->request, (size_t)l->count, indices)) != 0;
		     left -= n)
			for (k = 0; k < n; k++)
				ended(l, indices[k]);
		CHECK_EQ(left, 0);
		break;
	case 3:
		for (i = l->count - 1; i >= 0; i--)
			by_test(l, i);
		break;
	default:
		for (i = l->count; i-- > 0;) {
			CHECK_EQ(shmemx_req_wait(&l->request[i]), 0);
			ended(l, (size_t)i);
		}
	}
	l->count = 0;
}

/* Is there room for the next one? Alike on all members, as its size is. */
static bool
has_room(const struct lane *l, size_t n)
{
	return l->count < UNDER_WAY && l->used + n * (size_t)l->team->n <= ROOM &&
	       n * (size_t)l->team->n <= FROM;
}

static bool
post_one(struct lane *l)
{
	struct posted *p = &l->posted[l->count];
	uint64_t before = l->random, r = mt_random(&l->random);
	size_t n = r >> 8 & 1 ? r >> 16 & 31 : (r >> 16) % (FROM / (size_t)l->team->n);

	if (!has_room(l, n)) {
		l->random = before;
		return false;
	}
	*p = (struct posted){.kind = (int)(r % KINDS),
			     .root = (int)((r >> 40) % (uint64_t)l->team->n),
			     .to = l->to + l->used,
			     .n = n};
	l->used += n * (size_t)l->team->n;
	CHECK_EQ(post(l, p, &l->request[l->count]), 0);
	CHECK(l->request[l->count] != SHMEMX_REQ_INVALID);
	l->count++;
	return true;
}

static void
open_lanes(struct team teams[TEAMS], struct lane *lane)
{
	size_t i, k;

	teams_make(teams);
	for (i = 0; i < TEAMS; i++) {
		lane[i] = (struct lane){.team = &teams[i], .random = mt_options.seed + i};
		lane[i].to = mt_alloc(ROOM * sizeof(long));
		lane[i].from = mt_alloc(FROM * sizeof(long));
		for (k = 0; k < FROM; k++)
			lane[i].from[k] = value(teams[i].me, k);
	}
	shmem_barrier_all();
}

static void
close_lanes(struct team teams[TEAMS], struct lane *lane)
{
	int i;

	for (i = 0; i < TEAMS; i++) {
		shmem_free(lane[i].to);
		shmem_free(lane[i].from);
	}
	teams_destroy(teams);
}

/* Each PE takes its teams in an order of its own. */
static void
case_teams(void)
{
	static struct lane lane[TEAMS];
	struct team teams[TEAMS];
	uint64_t own = mt_options.seed + (uint64_t)mt_me;
	long round;
	int i, k, first;

	open_lanes(teams, lane);
	for (round = 0; round < mt_rounds(6) * mt_options.factor; round++) {
		mt_waiting("collectives of several teams under way");
		first = (int)(mt_random(&own) % TEAMS);
		for (k = 0; k < TEAMS; k++) {
			i = (first + k) % TEAMS;
			while (teams[i].me >= 0 && post_one(&lane[i]))
				;
		}
		first = (int)(mt_random(&own) % TEAMS);
		for (k = 0; k < TEAMS; k++) {
			i = (first + k) % TEAMS;
			if (teams[i].me >= 0)
				complete(&lane[i], mt_random(&own));
			lane[i].used = 0;
		}
		shmem_barrier_all();
	}
	close_lanes(teams, lane);
}

/* More at once than anything in the library has room for. */
static void
case_many(void)
{
	static shmemx_req_h request[MANY];
	long *to = mt_alloc(MANY * sizeof(*to)), *from = mt_alloc(MANY * sizeof(*from));
	size_t i;

	for (i = 0; i < MANY; i++) {
		from[i] = value(mt_me, i);
		CHECK_EQ(shmemx_long_sum_reduce_nb(SHMEM_TEAM_WORLD, &to[i], &from[i], 1,
						   &request[i]),
			 0);
	}
	mt_waiting("a thousand reductions");
	CHECK_EQ(shmemx_req_wait(&request[MANY - 1]), 0);
	CHECK_EQ(shmemx_req_wait_all(request, MANY), 0);
	for (i = 0; i < MANY; i++)
		CHECK_EQ(to[i], value(0, i) * mt_npes + 100000L * mt_npes * (mt_npes - 1) / 2);
	shmem_free(from);
	shmem_free(to);
}

enum {
	LARGE = 20000 /* longs: many turns */
};

static shmemx_req_h
post_large(long *to, long *from)
{
	shmemx_req_h r;
	size_t i;

	for (i = 0; i < LARGE; i++) {
		from[i] = value(mt_me, i);
		to[i] = -1;
	}
	shmem_barrier_all();
	CHECK_EQ(shmemx_long_sum_reduce_nb(SHMEM_TEAM_WORLD, to, from, LARGE, &r), 0);
	return r;
}

static void
wait_large(shmemx_req_h *r, const long *to)
{
	size_t i;

	CHECK_EQ(shmemx_req_wait(r), 0);
	for (i = 0; i < LARGE; i += 777)
		CHECK_EQ(to[i], value(0, i) * mt_npes + 100000L * mt_npes * (mt_npes - 1) / 2);
}

/* The last PE completes it, and only then calls the others out of other waits: which advance it. */
static void
case_progress(void)
{
	static long flag, lock;
	long *to = mt_alloc(LARGE * sizeof(*to)), *from = mt_alloc(LARGE * sizeof(*from));
	bool last = mt_me == mt_npes - 1;
	shmemx_req_h r;
	int kind, pe;

	for (kind = 0; kind < 5; kind++) {
		flag = 0;
		if (kind == 4 && last)
			shmem_set_lock(&lock);
		r = post_large(to, from);
		mt_waiting("progress in other calls");
		if (last)
			wait_large(&r, to);
		for (pe = 0; last && kind < 2 && pe < mt_npes; pe++)
			shmem_long_atomic_set(&flag, 1, pe);
		if (kind == 4 && last)
			shmem_clear_lock(&lock);
		if (kind == 0)
			shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
		while (kind == 1 && !shmem_long_test(&flag, SHMEM_CMP_EQ, 1))
			;
		if (kind == 3)
			shmem_barrier_all();
		if (kind == 4 && !last) {
			shmem_set_lock(&lock);
			shmem_clear_lock(&lock);
		}
		if (!last)
			wait_large(&r, to);
		shmem_barrier_all();
	}
	shmem_free(from);
	shmem_free(to);
}

/* A blocking call of the team has its turn behind what is posted, and what is posted later behind
 * it: no other order gives these sums. */
static void
case_between(void)
{
	long *to = mt_alloc(2 * LARGE * sizeof(*to)), *from = mt_alloc(LARGE * sizeof(*from));
	shmemx_req_h r[2];
	int round;
	size_t i;

	for (round = 0; round < 20; round++) {
		mt_waiting("blocking calls among posted ones");
		for (i = 0; i < LARGE; i++)
			from[i] = value(mt_me, i);
		shmem_barrier_all();
		CHECK_EQ(shmemx_long_sum_reduce_nb(SHMEM_TEAM_WORLD, to, from, LARGE, &r[0]), 0);
		CHECK_EQ(shmem_long_max_reduce(SHMEM_TEAM_WORLD, to + LARGE, to, LARGE), 0);
		CHECK_EQ(shmemx_long_sum_reduce_nb(SHMEM_TEAM_WORLD, to, to + LARGE, LARGE, &r[1]),
			 0);
		CHECK_EQ(shmemx_req_wait_all(r, 2), 0);
		for (i = 0; i < LARGE; i += 777)
			CHECK_EQ(to[i], mt_npes * (value(0, i) * mt_npes +
						   100000L * mt_npes * (mt_npes - 1) / 2));
		shmem_barrier_all();
	}
	shmem_free(from);
	shmem_free(to);
}

/* What was put before a barrier is there when it ends. */
static void
case_barrier(void)
{
	enum {
		N = 5000
	};
	long *to = mt_alloc(N * sizeof(*to)), *from = mt_alloc(N * sizeof(*from));
	shmemx_req_h r[2];
	long round;
	size_t i;

	for (round = 0; round < 50; round++) {
		mt_waiting("barriers under way");
		for (i = 0; i < N; i++)
			from[i] = value(mt_me, i) + round;
		shmem_long_put_nbi(to, from, N, (mt_me + 1) % mt_npes);
		CHECK_EQ(shmemx_barrier_all_nb(&r[0]), 0);
		CHECK_EQ(shmemx_req_wait(&r[0]), 0);
		for (i = 0; i < N; i += 99)
			CHECK_EQ(to[i], value((mt_me + mt_npes - 1) % mt_npes, i) + round);
		CHECK_EQ(shmemx_sync_all_nb(&r[0]), 0);
		CHECK_EQ(shmemx_sync_all_nb(&r[1]), 0);
		CHECK_EQ(shmemx_req_wait(&r[1]), 0);
		CHECK_EQ(shmemx_req_test(&r[0]), 0);
	}
	shmem_free(from);
	shmem_free(to);
}

/* A handle that names nothing. Copies of one that was completed are known as such. */
static void
case_handles(void)
{
	shmemx_req_h r = SHMEMX_REQ_INVALID, copy, none[2] = {r, r};
	static long to, from;
	size_t index;

	CHECK_EQ(shmemx_req_test(&r), -1);
	CHECK_EQ(shmemx_req_wait(&r), -1);
	CHECK_EQ(shmemx_req_wait_all(none, 2), 0);
	CHECK(shmemx_req_wait_any(none, 2) == SIZE_MAX);
	CHECK_EQ(shmemx_req_wait_some(none, 2, &index), 0);
	CHECK_EQ(shmemx_long_sum_reduce_nb(SHMEM_TEAM_INVALID, &to, &from, 1, &r), -1);
	CHECK(r == SHMEMX_REQ_INVALID);
	CHECK_EQ(shmemx_long_sum_reduce_nb(SHMEM_TEAM_WORLD, &to, &from, 1, &r), 0);
	copy = r;
	CHECK_EQ(shmemx_req_wait(&r), 0);
	if (getenv("SHMEM_CHECK") == NULL)
		CHECK_EQ(shmemx_req_wait(&copy), -1);
}

static void *
wait_in_thread(void *arg)
{
	CHECK_EQ(shmemx_req_wait(arg), 0);
	return NULL;
}

/* One thread posts, another waits; the first is in a blocking collective meanwhile. */
static void
case_threads(void)
{
	long *to = mt_alloc(LARGE * sizeof(*to)), *from = mt_alloc(LARGE * sizeof(*from));
	static long sum, one;
	shmem_team_t team;
	shmemx_req_h r;
	pthread_t thread;
	int round;

	if (POSTED_LEVEL != SHMEM_THREAD_MULTIPLE)
		return;
	CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, mt_npes, NULL, 0, &team), 0);
	for (round = 0; round < 20; round++) {
		mt_waiting("one thread posts, another waits");
		r = post_large(to, from);
		CHECK_EQ(pthread_create(&thread, NULL, wait_in_thread, &r), 0);
		one = 1;
		CHECK_EQ(shmem_long_sum_reduce(team, &sum, &one, 1), 0);
		CHECK_EQ(sum, mt_npes);
		pthread_join(thread, NULL);
		CHECK(r == SHMEMX_REQ_INVALID);
		CHECK_EQ(to[7], value(0, 7) * mt_npes + 100000L * mt_npes * (mt_npes - 1) / 2);
	}
	shmem_team_destroy(team);
	shmem_free(from);
	shmem_free(to);
}

int
main(int argc, char **argv)
{
	static const struct mt_case cases[] = {
		{"handles", case_handles},   {"barrier", case_barrier},
		{"many", case_many},	     {"between", case_between},
		{"progress", case_progress}, {"teams", case_teams},
		{"threads", case_threads},   {NULL, NULL},
	};

	return mt_main(argc, argv, POSTED_LEVEL, cases);
}
