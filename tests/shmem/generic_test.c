/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "suite.h"

/*
 * The type-generic calls at run time; completeness.py sees to it that each reaches its function.
 * Names that a program may have taken must not disturb them.
 */

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define p 1
#define put 2
#define size 3
#define int32 4
#define test 5

static void
moves(void)
{
	static const double source[] = {1, 2, 3, 4};
	static double to[8], back[4];
	static int *none;
	shmem_ctx_t ctx = SHMEM_CTX_DEFAULT;
	int pe = to_right(1);

	shmem_put(to, source, 2, pe);
	shmem_put(ctx, to + 2, source + 2, 2, pe);
	shmem_p(&to[4], 5, pe);
	shmem_p(ctx, &to[5], 6, pe);
	shmem_put_nbi(ctx, &to[6], source, 1, pe);
	shmem_iput(&to[7], source, 1, 1, 1, pe);
	shmem_put(none, none, 0, pe);
	shmem_quiet();
	CU_ASSERT_EQUAL(shmem_g(&to[3], pe), 4);
	CU_ASSERT_EQUAL(shmem_g(ctx, (const double *)&to[5], pe), 6);
	shmem_get(back, to, 1, pe);
	shmem_get(ctx, back + 1, to + 1, 1, pe);
	shmem_get_nbi(back + 2, to + 2, 1, pe);
	shmem_ibget(back + 3, to + 3, 1, 1, 1, 1, pe);
	shmem_quiet();
	CU_ASSERT(back[0] == 1 && back[1] == 2 && back[2] == 3 && back[3] == 4);
	shmem_sync(SHMEM_TEAM_WORLD);
}

static void
atomics(void)
{
	static long l;
	static float f;
	static volatile int flag;
	static uint64_t sig, old;
	int pe = to_right(1);

	shmem_atomic_set(&l, 7, pe);
	shmem_quiet();
	CU_ASSERT_EQUAL(shmem_atomic_fetch_add(&l, 2, pe), 7);
	CU_ASSERT_EQUAL(shmem_fadd(&l, 1, pe), 9);
	CU_ASSERT_EQUAL(shmem_swap(&f, 1.5f, pe), 0);
	CU_ASSERT_EQUAL(shmem_atomic_fetch(SHMEM_CTX_DEFAULT, (const float *)&f, pe), 1.5f);
	shmem_signal_add(&sig, 4, pe);
	shmem_signal_set(SHMEM_CTX_DEFAULT, &sig, 4, pe);
	shmem_quiet();
	shmem_atomic_fetch_or_nbi(&old, &sig, 3, pe);
	shmem_quiet();
	CU_ASSERT_EQUAL(old, 4);
	shmem_wait_until(&sig, SHMEM_CMP_EQ, 7);
	CU_ASSERT_EQUAL(shmem_test((int *)&flag, SHMEM_CMP_EQ, 0), 1);
	shmem_sync_all();
}

static void
collectives(void)
{
	static long from[2], to[2];
	static double _Complex z[2];

	from[0] = from[1] = me + 1;
	z[0] = me + 1;
	CU_ASSERT_EQUAL(shmem_sum_reduce(SHMEM_TEAM_WORLD, to, from, 2), 0);
	CU_ASSERT_EQUAL(to[1], (long)npes * (npes + 1) / 2);
	CU_ASSERT_EQUAL(shmem_sum_inscan(SHMEM_TEAM_WORLD, z + 1, z, 1), 0);
	CU_ASSERT((int)z[1] == (me + 1) * (me + 2) / 2);
	shmem_sync_all();
	CU_ASSERT_EQUAL(shmem_broadcast(SHMEM_TEAM_WORLD, to, from, 1, npes - 1), 0);
	CU_ASSERT_EQUAL(to[0], npes);
	shmem_barrier_all();
}

static CU_TestInfo tests[] = {
	{"moves", moves},
	{"atomics", atomics},
	{"collectives", collectives},
	CU_TEST_INFO_NULL,
};

int
main(void)
{
	return suite_main("generic", tests);
}
