/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Nonblocking collectives of all PEs: more under way than anything has room for, advanced by
 * whichever call the PE waits in, begun by the post or by a service lcore. Posts and tests of a
 * sync do not wait, and a call of the heap is not taken for such a sync. All kinds on teams:
 * coll_test.c. POSTED_LEVEL is a thread level: below the highest one, requests take no locks.
 */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include <shmemx.h>

#include "multi.h"

enum {
	MANY = 1000,
	LARGE = 20000 /* longs: many turns */
};

static long
value(int pe, size_t i)
{
	return pe * 100000L + (long)i;
}

/* Of the element @p i of all PEs. */
static long
sum_of_all(size_t i)
{
	return value(0, i) * mt_npes + 100000L * mt_npes * (mt_npes - 1) / 2;
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
		CHECK_EQ(to[i], sum_of_all(i));
	shmem_free(from);
	shmem_free(to);
}

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
		CHECK_EQ(to[i], sum_of_all(i));
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
			CHECK_EQ(to[i], mt_npes * sum_of_all(i));
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
		CHECK_EQ(to[7], sum_of_all(7));
	}
	shmem_team_destroy(team);
	shmem_free(from);
	shmem_free(to);
}

/* All post. Only the last PE waits, and then tells the others, which make no call until then. */
static void
only_last_waits(long *to, long *from)
{
	static uint64_t number, told;
	struct timespec nap = {.tv_nsec = 100 * 1000};
	int pe;
	shmemx_req_h r;

	*from = mt_me;
	shmem_barrier_all();
	CHECK_EQ(shmemx_long_sum_reduce_nb(SHMEM_TEAM_WORLD, to, from, 1, &r), 0);
	number++;
	if (mt_me == mt_npes - 1) {
		CHECK_EQ(shmemx_req_wait(&r), 0);
		for (pe = 0; pe < mt_npes; pe++)
			shmem_uint64_p(&told, number, pe);
		shmem_quiet();
	}
	while (__atomic_load_n(&told, __ATOMIC_ACQUIRE) < number)
		nanosleep(&nap, NULL);
	if (mt_me != mt_npes - 1)
		CHECK_EQ(shmemx_req_wait(&r), 0);
	CHECK_EQ(*to, mt_npes * (mt_npes - 1) / 2);
}

static void
sum_once(long *to, long *from, long value, bool by_test)
{
	shmemx_req_h r;

	*from = value;
	CHECK_EQ(shmemx_long_sum_reduce_nb(SHMEM_TEAM_WORLD, to, from, 1, &r), 0);
	while (by_test && r != SHMEMX_REQ_INVALID)
		CHECK(shmemx_req_test(&r) >= 0);
	if (!by_test)
		CHECK_EQ(shmemx_req_wait(&r), 0);
	CHECK_EQ(*to, value * mt_npes);
	shmem_sync_all();
}

/* Posts leave the collective to a wait that follows at once: service lcores take it where none
 * does. When requests are tested, posts begin collectives again. */
static void
case_at_once(void)
{
	enum {
		OFTEN = 200 /* more than between two looks at the clock */
	};
	long *to = mt_alloc(sizeof(*to)), *from = mt_alloc(sizeof(*from)), i;
	static long mine, here; /* PEs of the host that has most: alike on all */
	bool checked = getenv("SHMEM_CHECK") != NULL;
	int kind;

	mine = shmem_team_n_pes(SHMEM_TEAM_SHARED);
	CHECK_EQ(shmem_long_max_reduce(SHMEM_TEAM_WORLD, &here, &mine, 1), 0);
	for (kind = 0; kind < 2; kind++) {
		mt_waiting("sums that are waited for at once, or tested");
		for (i = 0; i < OFTEN; i++)
			sum_once(to, from, mt_npes + i, kind == 1);
		mt_waiting("a collective that a post, or service lcores advance");
		/* the check before the sum is a collective as well: a post ends in it */
		if ((here == mt_npes && kind == 1 && !checked) || here == 1)
			only_last_waits(to, from);
	}
	shmem_free(from);
	shmem_free(to);
}

/* Neither a post nor a test of a sync of all PEs waits for the last one, which posts when it knows
 * that both have returned on the others. */
static void
case_sync_leaves(void)
{
	static int tested;
	int last = mt_npes - 1, round;
	shmemx_req_h r;

	mt_waiting("a posted sync whose last PE waits for the others' tests");
	for (round = 1; round <= 2 && last > 0; round++) {
		if (mt_me == last)
			shmem_int_wait_until(&tested, SHMEM_CMP_EQ, round * last);
		CHECK_EQ(shmemx_sync_all_nb(&r), 0);
		if (mt_me != last) {
			CHECK_EQ(shmemx_req_test(&r), 1);
			shmem_int_atomic_inc(&tested, last);
		}
		CHECK_EQ(shmemx_req_wait(&r), 0);
	}
}

/* The last PE waits for each sync at once, so that its posts begin none; those of the others do. */
static void
begin_on_all_but_last(int last)
{
	shmemx_req_h r;
	int i;

	for (i = 0; i < 8; i++) {
		CHECK_EQ(shmemx_sync_all_nb(&r), 0);
		while (mt_me != last && r != SHMEMX_REQ_INVALID)
			CHECK(shmemx_req_test(&r) >= 0);
		if (mt_me == last)
			CHECK_EQ(shmemx_req_wait(&r), 0);
	}
}

/* A call of the heap waits for all PEs, also where a sync is under way and has begun on some alone:
 * the syncs of those must not count as their calls of the heap. */
static void
case_heap_behind_sync(void)
{
	static int allocated;
	struct timespec nap = {.tv_nsec = 100 * 1000};
	int last = mt_npes - 1, i;
	shmemx_req_h r;
	void *p;

	begin_on_all_but_last(last);
	mt_waiting("shmem_malloc behind a posted sync");
	CHECK_EQ(shmemx_sync_all_nb(&r), 0);
	for (i = 0; mt_me != last && i < 500; i++) {
		CHECK_EQ(__atomic_load_n(&allocated, __ATOMIC_ACQUIRE), 0);
		nanosleep(&nap, NULL);
	}
	p = shmem_malloc(64);
	CHECK(p != NULL);
	for (i = 0; mt_me == last && i < last; i++)
		shmem_int_p(&allocated, 1, i);
	CHECK_EQ(shmemx_req_wait(&r), 0);
	if (mt_me != last)
		shmem_int_wait_until(&allocated, SHMEM_CMP_EQ, 1);
	shmem_free(p);
}

MT_PROGRAM(POSTED_LEVEL, {"handles", case_handles}, {"barrier", case_barrier}, {"many", case_many},
	   {"between", case_between}, {"progress", case_progress}, {"threads", case_threads},
	   {"sync leaves", case_sync_leaves}, {"heap behind sync", case_heap_behind_sync},
	   {"at_once", case_at_once})
