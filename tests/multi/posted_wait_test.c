/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Nonblocking collectives that are waited for at once, or tested, and then those that a PE leaves
 * to go on while it computes: begun by the post, or by a service lcore. Posts and tests of a sync
 * of all PEs do not wait, and a call of the heap is not taken for such a sync.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <shmemx.h>

#include "multi.h"

static uint64_t *outside; /* memory of all PEs that the library does not know */

static void
open_outside(void)
{
	/* a folder of hosts that have a launcher each, and a /dev */
	const char *ring = getenv("MULTI_RING");
	char name[256];
	int fd;

	if (ring != NULL)
		snprintf(name, sizeof(name), "%s/posted", ring);
	else
		snprintf(name, sizeof(name), "/ringbell-posted-%d", (int)getppid());
	fd = ring != NULL ? open(name, O_CREAT | O_RDWR, 0600)
			  : shm_open(name, O_CREAT | O_RDWR, 0600);
	CHECK(fd >= 0 && ftruncate(fd, sizeof(*outside)) == 0);
	outside = mmap(NULL, sizeof(*outside), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (outside == MAP_FAILED)
		shmem_global_exit(1);
	close(fd);
	shmem_barrier_all();
	if (mt_me == 0)
		ring != NULL ? unlink(name) : shm_unlink(name);
}

/* All post. Only the last PE waits, and then tells the others, which make no call until then. */
static void
only_last_waits(long *to, long *from)
{
	static uint64_t number;
	struct timespec nap = {.tv_nsec = 100 * 1000};
	shmemx_req_h r;

	*from = mt_me;
	shmem_barrier_all();
	CHECK_EQ(shmemx_long_sum_reduce_nb(SHMEM_TEAM_WORLD, to, from, 1, &r), 0);
	number++;
	if (mt_me == mt_npes - 1) {
		CHECK_EQ(shmemx_req_wait(&r), 0);
		__atomic_store_n(outside, number, __ATOMIC_RELEASE);
	}
	while (__atomic_load_n(outside, __ATOMIC_ACQUIRE) < number)
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
	open_outside();
	for (kind = 0; kind < 2; kind++) {
		mt_waiting("sums that are waited for at once, or tested");
		for (i = 0; i < OFTEN; i++)
			sum_once(to, from, mt_npes + i, kind == 1);
		mt_waiting("a collective that a post, or service lcores advance");
		/* the check before the sum is a collective as well: a post ends in it */
		if ((here == mt_npes && kind == 1 && !checked) || here == 1)
			only_last_waits(to, from);
	}
	munmap(outside, sizeof(*outside));
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

int
main(int argc, char **argv)
{
	static const struct mt_case cases[] = {
		{"sync leaves", case_sync_leaves},
		{"heap behind sync", case_heap_behind_sync},
		{"at_once", case_at_once},
		{NULL, NULL},
	};

	return mt_main(argc, argv, SHMEM_THREAD_SINGLE, cases);
}
