/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <pshmem.h>

#include "suite.h"

/* The profiling interface: definitions of the program win, and the library does not call them. */

static unsigned int seen_put, seen_barrier, seen_malloc, seen_quiet;

void
shmem_putmem(void *dest, const void *source, size_t nelems, int pe)
{
	seen_put++;
	pshmem_putmem(dest, source, nelems, pe);
}

void
shmem_barrier_all(void)
{
	seen_barrier++;
	pshmem_barrier_all();
}

void *
shmem_malloc(size_t size)
{
	seen_malloc++;
	return pshmem_malloc(size);
}

void
shmem_quiet(void)
{
	seen_quiet++;
	pshmem_quiet();
}

static void
wrapped(void)
{
	long *p = shmem_malloc(4 * sizeof(*p)), v = me, all;
	static long sum, mine;

	CU_ASSERT_EQUAL(seen_malloc, 1);
	shmem_putmem(p, &v, sizeof(v), to_right(1));
	CU_ASSERT_EQUAL(seen_put, 1);
	shmem_long_put(p + 1, &v, 1, to_right(1));
	CU_ASSERT_EQUAL(seen_put, 1);
	shmem_barrier_all();
	CU_ASSERT(seen_barrier == 1 && seen_quiet == 0);
	CU_ASSERT(p[0] == to_left(1) && p[1] == to_left(1));
	/* calls that contain barriers, puts and allocations of their own */
	mine = 1;
	pshmem_long_sum_reduce(SHMEM_TEAM_WORLD, &sum, &mine, 1);
	all = sum;
	CU_ASSERT_EQUAL(all, npes);
	shmem_free(p);
	CU_ASSERT(seen_barrier == 1 && seen_quiet == 0 && seen_put == 1 && seen_malloc == 1);
}

static CU_TestInfo tests[] = {
	{"wrapped", wrapped},
	CU_TEST_INFO_NULL,
};

int
main(void)
{
	return suite_main("profile", tests);
}
