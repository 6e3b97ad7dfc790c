/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <unistd.h>

#include "suite.h"

#include <shmemx.h>

/*
 * The type-generic calls at run time; test_completeness.py sees to it that each reaches its
 * function. Names that a program may have taken must not disturb them.
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

/* The deprecated names take what the new ones take. */
static void
old_names(void)
{
	static unsigned int u;
	static size_t z;
	static double d;
	int pe = to_right(1);

	shmem_set(&u, 5u, pe);
	shmem_set(&d, 2.5, pe);
	shmem_quiet();
	CU_ASSERT_EQUAL(shmem_fadd(&u, 2u, pe), 5);
	CU_ASSERT_EQUAL(shmem_finc(&u, pe), 7);
	CU_ASSERT_EQUAL(shmem_cswap(&u, 8u, 9u, pe), 8);
	CU_ASSERT_EQUAL(shmem_fetch(&u, pe), 9);
	CU_ASSERT_EQUAL(shmem_swap(&d, 3.5, pe), 2.5);
	shmem_inc(&z, pe);
	shmem_add(&z, (size_t)6, pe);
	shmem_wait_until(&z, SHMEM_CMP_EQ, 7);
	shmem_barrier_all();
}

/* Public verification suites wait for these as well. */
static void
short_words(void)
{
	static short s[3];
	static unsigned short us[3], want[3] = {60000, 60001, 60002};
	static const unsigned short to_come[3] = {60000, 60001, 60002};
	size_t which[3];
	int pe = to_right(1), i;

	for (i = 0; i < 3; i++) {
		CU_ASSERT_EQUAL(shmem_test_any(s, 3, NULL, SHMEM_CMP_LT, 0), SIZE_MAX);
		shmem_p(&us[i], to_come[i], pe);
	}
	shmem_barrier_all();
	for (i = 0; i < 3; i++)
		shmem_p(&s[i], (short)(-1 - i), pe);
	shmem_wait_until_all(s, 3, NULL, SHMEM_CMP_LT, 0);
	CU_ASSERT_EQUAL(shmem_wait_until_any(s, 3, NULL, SHMEM_CMP_EQ, -2), 1);
	CU_ASSERT_EQUAL(shmem_wait_until_some(s, 3, which, NULL, SHMEM_CMP_LE, -2), 2);
	shmem_wait_until_all_vector(us, 3, NULL, SHMEM_CMP_EQ, want);
	CU_ASSERT_EQUAL(shmem_test_all(us, 3, NULL, SHMEM_CMP_GT, 59999), 1);
	CU_ASSERT_EQUAL(shmem_test_some(us, 3, which, NULL, SHMEM_CMP_GT, 60000), 2);
	CU_ASSERT_EQUAL(shmem_test_any(us, 3, NULL, SHMEM_CMP_EQ, 60002), 2);
	shmem_barrier_all();
}

/* Names that other libraries' extensions have made common. */
static void
extensions(void)
{
	char name[256];
	double before = shmemx_wtime(), after;

	while ((after = shmemx_wtime()) == before)
		;
	CU_ASSERT(after > before && after < before + 3600);
	CU_ASSERT_EQUAL_FATAL(gethostname(name, sizeof(name)), 0);
	CU_ASSERT_STRING_EQUAL(shmemx_nodename(), name);
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

/* Of shmemx.h, by the same names as typed calls without the type. */
static void
posted(void)
{
	static long from[2], to[2];
	static double _Complex z[2];
	shmemx_req_h request[2];

	from[0] = from[1] = me + 1;
	z[0] = me + 1;
	CU_ASSERT_EQUAL(shmemx_sum_reduce_nb(SHMEM_TEAM_WORLD, to, from, 2, &request[0]), 0);
	CU_ASSERT_EQUAL(shmemx_sum_inscan_nb(SHMEM_TEAM_WORLD, z + 1, z, 1, &request[1]), 0);
	CU_ASSERT_EQUAL(shmemx_req_wait_all(request, 2), 0);
	CU_ASSERT_EQUAL(to[1], (long)npes * (npes + 1) / 2);
	CU_ASSERT((int)z[1] == (me + 1) * (me + 2) / 2);
	CU_ASSERT_EQUAL(shmemx_broadcast_nb(SHMEM_TEAM_WORLD, to, from, 1, npes - 1, request), 0);
	CU_ASSERT_EQUAL(shmemx_req_wait(request), 0);
	CU_ASSERT_EQUAL(to[0], npes);
	shmem_barrier_all();
}

static void
more_forms(void)
{
	static float to[8];
	static const float source[] = {1, 2, 3, 4};
	static int flag;
	int pe = to_right(1);

	shmemx_iput_nbi(to, source, 2, 1, 2, pe);
	shmemx_iput_nbi(SHMEM_CTX_DEFAULT, to + 1, source + 2, 2, 1, 2, pe);
	shmem_quiet();
	shmem_p(&flag, 1, pe);
	CU_ASSERT_EQUAL(shmemx_wait_until_for(&flag, SHMEM_CMP_EQ, 1, UINT64_MAX), 0);
	CU_ASSERT(to[0] == 1 && to[1] == 3 && to[2] == 2 && to[3] == 4);
	shmem_barrier_all();
}

static CU_TestInfo tests[] = {
	{"moves", moves},	    {"atomics", atomics},
	{"old names", old_names},   {"short words", short_words},
	{"extensions", extensions}, {"collectives", collectives},
	{"posted", posted},	    {"more forms", more_forms},
	CU_TEST_INFO_NULL,
};

int
main(void)
{
	return suite_main("generic", tests);
}
