/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
/* A program that polls lets others run, also where its own PE has the word. */
#include <sched.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <shmem.h>

#include "suite.h"

/* In place of the C library's. */
static atomic_uint yields;

int
sched_yield(void)
{
	atomic_fetch_add(&yields, 1);
	return (int)syscall(SYS_sched_yield);
}

static void
words(void)
{
	static long word;
	unsigned int before;
	int i;

	shmem_barrier_all();
	before = atomic_load(&yields);
	for (i = 0; i < 64; i++)
		CU_ASSERT_EQUAL(shmem_long_test(&word, SHMEM_CMP_NE, 0), 0);
	CU_ASSERT(atomic_load(&yields) > before);
}

static void
locks(void)
{
	static long lock;
	unsigned int before;
	int i;

	if (me == 0)
		shmem_set_lock(&lock);
	shmem_barrier_all();
	before = atomic_load(&yields);
	for (i = 0; i < 64; i++)
		CU_ASSERT_EQUAL(shmem_test_lock(&lock), 1);
	CU_ASSERT(atomic_load(&yields) > before);
	shmem_barrier_all();
	if (me == 0)
		shmem_clear_lock(&lock);
	shmem_barrier_all();
}

static CU_TestInfo tests[] = {
	{"words", words},
	{"locks", locks},
	CU_TEST_INFO_NULL,
};

int
main(void)
{
	return suite_main("poll", tests);
}
