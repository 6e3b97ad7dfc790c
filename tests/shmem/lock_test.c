/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Locks: one holder at a time, in the order of arrival, at rest as they were before.
 */
#include <stdint.h>
#include <string.h>

#include <shmemx.h>

#include "multi.h"

static long lock, log_lock, turn, order[MT_PES];

/*
 * The tail of the queue is a half of the lock of PE 0, where static locks live. It is the only way
 * to know that a PE is in the queue before the next one comes.
 */
static void
await_tail(int pe)
{
	mt_waiting("the PE before to queue");
	while (shmem_int_atomic_fetch((int *)(void *)&lock, 0) != pe + 1)
		;
}

static void
case_fifo(void)
{
	int round, i, first;

	for (round = 0; round < 10; round++) {
		first = round % mt_npes;
		turn = 0;
		shmem_barrier_all();
		/* first, first + 1, ... queue in this order while the first one holds the lock. */
		if (mt_me != first)
			await_tail(mt_pe(-1));
		mt_waiting("the lock");
		shmem_set_lock(&lock);
		if (mt_me == first && mt_npes > 1)
			await_tail(mt_pe(-1));
		i = (int)shmem_long_g(&turn, 0);
		shmem_long_p(&order[i], mt_me, 0);
		shmem_long_p(&turn, i + 1, 0);
		shmem_clear_lock(&lock);
		shmem_barrier_all();
		for (i = 0; mt_me == 0 && i < mt_npes; i++)
			CHECK_EQ(order[i], (first + i) % mt_npes);
		CHECK_EQ(lock, 0);
		shmem_barrier_all();
	}
}

/* A PE that waits does not keep test_lock from returning, and test_lock does not queue. */
static void
case_test_beside_queue(void)
{
	long n;
	int got;

	turn = 0;
	shmem_barrier_all();
	for (n = 0; n < 30 * mt_options.factor; n++) {
		mt_waiting("the lock, by one way or the other");
		if ((n + mt_me) % 2) {
			shmem_set_lock(&lock);
		} else {
			while ((got = shmem_test_lock(&lock)) != 0)
				CHECK_EQ(got, 1);
		}
		shmem_long_p(&turn, shmem_long_g(&turn, 0) + 1, 0);
		shmem_clear_lock(&lock);
	}
	shmem_barrier_all();
	if (mt_me == 0)
		CHECK_EQ(turn, n * mt_npes);
	CHECK_EQ(lock, 0);
	shmem_barrier_all();
}

/* A PE that waits for a time gets the lock where it is free in time, and only then. */
static void
case_limit(void)
{
	static long held, free_lock;
	long round;

	mt_waiting("a lock for a time");
	CHECK_EQ(shmemx_set_lock_for(&free_lock, UINT64_MAX), 0);
	shmem_clear_lock(&free_lock);
	shmem_barrier_all();
	for (round = 0; round < 3; round++) {
		if (mt_me == 0)
			CHECK_EQ(shmemx_set_lock_for(&held, 0), 0);
		shmem_barrier_all();
		if (mt_me != 0)
			CHECK_EQ(shmemx_set_lock_for(&held, round * 1000000), 1);
		shmem_barrier_all();
		if (mt_me == 0)
			shmem_clear_lock(&held);
		/* all in turn, by both kinds of wait */
		if (mt_me % 2 == 0)
			shmem_set_lock(&held);
		else
			CHECK_EQ(shmemx_set_lock_for(&held, UINT64_MAX), 0);
		shmem_clear_lock(&held);
		shmem_barrier_all();
		CHECK_EQ(held, 0);
		shmem_barrier_all();
	}
}

/* Locks all over the heap have homes all over the ring; two are held at a time. */
static void
case_many_locks(void)
{
	enum {
		LOCKS = 24
	};
	long *locks = shmem_calloc(LOCKS * 8, sizeof(long)), *count, i, k;

	CHECK(locks != NULL);
	if (locks == NULL)
		return;
	count = mt_alloc(LOCKS * sizeof(*count));
	memset(count, 0, LOCKS * sizeof(*count));
	shmem_barrier_all();
	for (i = 0; i < 40 * mt_options.factor; i++) {
		k = (i * 7 + mt_me) % LOCKS;
		mt_waiting("one of many locks");
		shmem_set_lock(&locks[k * 8]);
		shmem_set_lock(&log_lock);
		shmem_long_p(&count[0], shmem_long_g(&count[0], 0) + 1, 0);
		shmem_clear_lock(&log_lock);
		shmem_clear_lock(&locks[k * 8]);
	}
	shmem_barrier_all();
	if (mt_me == 0)
		CHECK_EQ(count[0], i * mt_npes);
	for (i = 0; i < LOCKS * 8; i++)
		CHECK_EQ(locks[i], 0);
	shmem_free(count);
	shmem_free(locks);
}

int
main(int argc, char **argv)
{
	static const struct mt_case cases[] = {
		{"fifo", case_fifo},
		{"test_beside_queue", case_test_beside_queue},
		{"many_locks", case_many_locks},
		{"limit", case_limit},
		{0},
	};

	return mt_main(argc, argv, SHMEM_THREAD_SINGLE, cases);
}
