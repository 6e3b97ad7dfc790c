/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Locks: one PE at a time is inside, in the order of arrival, and the next one sees its
 * stores.
 */
#include <stdint.h>
#include <string.h>

#include <shmemx.h>

#include "multi.h"

static long static_lock;
static long shared[300]; /* PE 0's copy counts */

/** Read, alter and write back a record that only the lock protects. */
static void
alter(int home)
{
	long copy[300];
	int i;

	shmem_long_get(copy, shared, 300, home);
	for (i = 1; i < 300; i++)
		if (!mt_check(copy[i] == copy[0], __FILE__, __LINE__,
			      "word %d is %ld, word 0 is %ld", i, copy[i], copy[0]))
			break;
	for (i = 0; i < 300; i++)
		copy[i]++;
	/* No quiet: clear_lock does it. */
	shmem_long_put(shared, copy, 300, home);
}

static void
many_turns(long *lock, long turns, bool by_test)
{
	int home = mt_npes / 2;
	long i;

	memset(shared, 0, sizeof(shared));
	*lock = 0;
	shmem_barrier_all();
	for (i = 0; i < turns; i++) {
		mt_waiting("a lock");
		if (by_test) {
			while (shmem_test_lock(lock))
				;
		} else {
			shmem_set_lock(lock);
		}
		alter(home);
		shmem_clear_lock(lock);
	}
	mt_waiting("the others");
	shmem_barrier_all();
	if (mt_me == home)
		CHECK_EQ(shared[0], turns * mt_npes);
	shmem_barrier_all();
}

static void
case_heap_lock(void)
{
	long *lock = mt_alloc(sizeof(*lock));

	many_turns(lock, mt_rounds(100), false);
	shmem_free(lock);
}

/* Some wait in the queue and some test, which neither queues nor is kept from returning. */
static void
case_test_beside_queue(void)
{
	many_turns(&static_lock, mt_rounds(50), mt_me % 2);
}

static long turn, order[MT_PES];

/*
 * The tail of the queue is a half of the lock of PE 0, where static locks live. It is the only way
 * to know that a PE is in the queue before the next one comes.
 */
static void
await_tail(int pe)
{
	mt_waiting("the PE before to queue");
	while (shmem_int_atomic_fetch((int *)(void *)&static_lock, 0) != pe + 1)
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
		shmem_set_lock(&static_lock);
		if (mt_me == first && mt_npes > 1)
			await_tail(mt_pe(-1));
		i = (int)shmem_long_g(&turn, 0);
		shmem_long_p(&order[i], mt_me, 0);
		shmem_long_p(&turn, i + 1, 0);
		shmem_clear_lock(&static_lock);
		shmem_barrier_all();
		for (i = 0; mt_me == 0 && i < mt_npes; i++)
			CHECK_EQ(order[i], (first + i) % mt_npes);
		CHECK_EQ(static_lock, 0);
		shmem_barrier_all();
	}
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

MT_PROGRAM(SHMEM_THREAD_SINGLE, {"heap_lock", case_heap_lock},
	   {"test_beside_queue", case_test_beside_queue}, {"fifo", case_fifo},
	   {"limit", case_limit})
