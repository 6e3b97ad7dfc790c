/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <stdlib.h>

#include "suite.h"

/* Set-up and exit, thread levels, queries. The cases build on each other. */

static int global;

static int
initialized(void)
{
	int yes = -1;

	shmem_query_initialized(&yes);
	return yes;
}

static void
before(void)
{
	CU_ASSERT_EQUAL(initialized(), 0);
}

static void
first(void)
{
	int level = -1;

	CU_ASSERT_EQUAL_FATAL(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &level), 0);
	CU_ASSERT_EQUAL(level, SHMEM_THREAD_MULTIPLE);
	level = -1;
	shmem_query_thread(&level);
	CU_ASSERT_EQUAL(level, SHMEM_THREAD_MULTIPLE);
	CU_ASSERT_EQUAL(initialized(), 1);
	me = shmem_my_pe();
	npes = shmem_n_pes();
	CU_ASSERT(me >= 0 && me < npes);
}

static void
nested(void)
{
	int *p = shmem_malloc(sizeof(*p)), level = -1;

	CU_ASSERT_PTR_NOT_NULL_FATAL(p);
	shmem_init();
	CU_ASSERT_EQUAL(shmem_init_thread(SHMEM_THREAD_SINGLE, &level), 0);
	CU_ASSERT_EQUAL(level, SHMEM_THREAD_MULTIPLE);
	shmem_int_p(p, me, to_right(1));
	shmem_finalize(); /* acts as a barrier, frees nothing */
	CU_ASSERT_EQUAL(*p, to_left(1));
	shmem_finalize();
	CU_ASSERT_EQUAL(initialized(), 1);
	shmem_free(p);
}

static void
queries(void)
{
	char name[SHMEM_MAX_NAME_LEN];
	int major = 0, minor = 0, on_stack = 0;
	int *p = sym_alloc(2 * sizeof(*p));

	shmem_info_get_version(&major, &minor);
	CU_ASSERT(major == SHMEM_MAJOR_VERSION && minor == SHMEM_MINOR_VERSION);
	shmem_info_get_name(name);
	CU_ASSERT_STRING_EQUAL(name, SHMEM_VENDOR_STRING);
	CU_ASSERT_EQUAL(shmem_pe_accessible(npes - 1), 1);
	CU_ASSERT_EQUAL(shmem_pe_accessible(npes), 0);
	CU_ASSERT_EQUAL(shmem_pe_accessible(-1), 0);
	CU_ASSERT_EQUAL(shmem_addr_accessible(p, to_right(1)), 1);
	CU_ASSERT_EQUAL(shmem_addr_accessible(&global, to_right(1)), 1);
	CU_ASSERT_EQUAL(shmem_addr_accessible(&on_stack, to_right(1)), 0);
	CU_ASSERT_EQUAL(shmem_addr_accessible(p, npes), 0);
	CU_ASSERT_PTR_EQUAL(shmem_ptr(p, me), p);
	CU_ASSERT_PTR_EQUAL(shmem_ptr(&global, me), &global);
	CU_ASSERT_PTR_NULL(shmem_ptr(p, -1));
	CU_ASSERT_PTR_NULL(shmem_ptr(p, npes));
	CU_ASSERT_PTR_NULL(shmem_ptr(&on_stack, me));
	CU_ASSERT_PTR_NULL(shmem_ptr(NULL, me));
	CU_ASSERT_PTR_EQUAL(shmem_team_ptr(SHMEM_TEAM_WORLD, p, me), p);
	CU_ASSERT_PTR_NULL(shmem_team_ptr(SHMEM_TEAM_WORLD, p, npes));
	CU_ASSERT_PTR_NULL(shmem_team_ptr(SHMEM_TEAM_INVALID, p, 0));
	shmem_pcontrol(0);
	shmem_pcontrol(3, "more", 1);
	shmem_free(p);
}

/* A pointer to another PE of this host: stores and puts meet in the same word. */
static void
alias(void)
{
	int *p = sym_alloc(2 * sizeof(*p));
	int *there = shmem_ptr(p, to_right(1));

	if (there != NULL) {
		there[0] = me + 100;
		shmem_int_p(&p[1], me + 200, to_right(1));
		shmem_quiet();
		CU_ASSERT_EQUAL(there[1], me + 200);
	} else {
		shmem_int_put(p, (const int[]){me + 100, me + 200}, 2, to_right(1));
	}
	shmem_barrier_all();
	CU_ASSERT(p[0] == to_left(1) + 100 && p[1] == to_left(1) + 200);
	shmem_free(p);
}

static void
last(void)
{
	shmem_finalize();
	CU_ASSERT_EQUAL(initialized(), 0);
}

static void
again(void)
{
	int round, level;

	for (round = 0; round < 3; round++) {
		int *p;

		CU_ASSERT_EQUAL_FATAL(shmem_init_thread(SHMEM_THREAD_FUNNELED, &level), 0);
		CU_ASSERT_EQUAL(level, SHMEM_THREAD_FUNNELED);
		CU_ASSERT(shmem_my_pe() == me && shmem_n_pes() == npes);
		p = sym_alloc(1 << 20);
		shmem_int_p(p, round + me, to_right(1));
		shmem_int_p(&global, round - me, to_right(1));
		shmem_barrier_all();
		CU_ASSERT(*p == round + to_left(1) && global == round - to_left(1));
		/* the rest of the heap goes with the library */
		shmem_finalize();
	}
	CU_ASSERT_EQUAL(initialized(), 0);
}

static CU_TestInfo tests[] = {
	{"before", before}, {"first", first}, {"nested", nested}, {"queries", queries},
	{"alias", alias},   {"last", last},   {"again", again},	  CU_TEST_INFO_NULL,
};

int
main(void)
{
	return suite_run("init", tests);
}
