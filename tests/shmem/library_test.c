/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Queries, the profiling interface, polling programs, and the calls that 1.6 does not name. Alone,
 * on a ring, and several PEs on a host. Set-up and exit: setup_test.c.
 */
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <pshmem.h>
#include <shmemx.h>

#include "multi.h"

static int global;
static atomic_uint yields;
static atomic_uint puts_seen, barriers_seen, mallocs_seen, quiets_seen;

/* In place of the C library's: a yield, or where other programs keep the CPU, a nap. */
int
sched_yield(void)
{
	atomic_fetch_add(&yields, 1);
	return (int)syscall(SYS_sched_yield);
}

int
nanosleep(const struct timespec *t, struct timespec *left)
{
	atomic_fetch_add(&yields, 1);
	return clock_nanosleep(CLOCK_REALTIME, 0, t, left);
}

/* In place of the library's, which does not call these itself. */
void
shmem_putmem(void *dest, const void *source, size_t nelems, int pe)
{
	puts_seen++;
	pshmem_putmem(dest, source, nelems, pe);
}

void
shmem_barrier_all(void)
{
	barriers_seen++;
	pshmem_barrier_all();
}

void *
shmem_malloc(size_t size)
{
	mallocs_seen++;
	return pshmem_malloc(size);
}

void
shmem_quiet(void)
{
	quiets_seen++;
	pshmem_quiet();
}

static void
case_queries(void)
{
	char name[SHMEM_MAX_NAME_LEN], host[256];
	int major = 0, minor = 0, on_stack = 0;
	double before = shmemx_wtime(), after;
	int *p = mt_alloc(2 * sizeof(*p));

	shmem_info_get_version(&major, &minor);
	CHECK(major == SHMEM_MAJOR_VERSION && minor == SHMEM_MINOR_VERSION);
	shmem_info_get_name(name);
	CHECK(strcmp(name, SHMEM_VENDOR_STRING) == 0);
	CHECK_EQ(shmem_pe_accessible(mt_npes), 0);
	CHECK_EQ(shmem_pe_accessible(-1), 0);
	CHECK_EQ(shmem_addr_accessible(p, mt_npes), 0);
	CHECK(shmem_ptr(p, mt_me) == p);
	CHECK(shmem_ptr(&global, mt_me) == &global);
	CHECK(shmem_ptr(p, -1) == NULL && shmem_ptr(p, mt_npes) == NULL);
	CHECK(shmem_ptr(&on_stack, mt_me) == NULL && shmem_ptr(NULL, mt_me) == NULL);
	CHECK(shmem_team_ptr(SHMEM_TEAM_WORLD, p, mt_me) == p);
	CHECK(shmem_team_ptr(SHMEM_TEAM_WORLD, p, mt_npes) == NULL);
	CHECK(shmem_team_ptr(SHMEM_TEAM_INVALID, p, 0) == NULL);
	shmem_pcontrol(0);
	shmem_pcontrol(3, "more", 1);
	while ((after = shmemx_wtime()) == before)
		;
	CHECK(after > before && after < before + 3600);
	CHECK_EQ(gethostname(host, sizeof(host)), 0);
	CHECK(strcmp(shmemx_nodename(), host) == 0);
	shmem_free(p);
}

/* Calls that contain barriers, puts and allocations of their own do not call the program's. */
static void
case_wrapped(void)
{
	unsigned int puts = puts_seen, barriers = barriers_seen, quiets = quiets_seen;
	unsigned int mallocs = mallocs_seen;
	long *p = shmem_malloc(4 * sizeof(*p)), v = mt_me;
	static long sum, mine;

	CHECK_EQ(mallocs_seen, mallocs + 1);
	shmem_putmem(p, &v, sizeof(v), mt_pe(1));
	CHECK_EQ(puts_seen, puts + 1);
	shmem_long_put(p + 1, &v, 1, mt_pe(1));
	shmem_barrier_all();
	CHECK(barriers_seen == barriers + 1 && quiets_seen == quiets);
	CHECK(p[0] == mt_pe(-1) && p[1] == mt_pe(-1));
	mine = 1;
	pshmem_long_sum_reduce(SHMEM_TEAM_WORLD, &sum, &mine, 1);
	CHECK_EQ(sum, mt_npes);
	shmem_free(p);
	CHECK(barriers_seen == barriers + 1 && quiets_seen == quiets);
	CHECK(puts_seen == puts + 1 && mallocs_seen == mallocs + 1);
}

/* A program that polls lets others run, also where its own PE has the word. */
static void
case_polls(void)
{
	static long word, lock;
	unsigned int before;
	int i;

	before = yields;
	for (i = 0; i < 64; i++)
		CHECK_EQ(shmem_long_test(&word, SHMEM_CMP_NE, 0), 0);
	CHECK(yields > before);
	if (mt_me == 0)
		shmem_set_lock(&lock);
	shmem_barrier_all();
	before = yields;
	for (i = 0; i < 64; i++)
		CHECK_EQ(shmem_test_lock(&lock), 1);
	CHECK(yields > before);
	shmem_barrier_all();
	if (mt_me == 0)
		shmem_clear_lock(&lock);
	shmem_barrier_all();
}

/* Public verification suites wait for sets of short words as well. */
static void
case_short_words(void)
{
	static short s[3];
	static unsigned short us[3], want[3] = {60000, 60001, 60002};
	size_t which[3];
	int i;

	CHECK(shmem_test_any(s, 3, NULL, SHMEM_CMP_LT, 0) == SIZE_MAX);
	shmem_barrier_all();
	for (i = 0; i < 3; i++) {
		shmem_p(&us[i], (unsigned short)(60000 + i), mt_pe(1));
		shmem_p(&s[i], (short)(-1 - i), mt_pe(1));
	}
	shmem_wait_until_all(s, 3, NULL, SHMEM_CMP_LT, 0);
	CHECK_EQ(shmem_wait_until_any(s, 3, NULL, SHMEM_CMP_EQ, -2), 1);
	CHECK_EQ(shmem_wait_until_some(s, 3, which, NULL, SHMEM_CMP_LE, -2), 2);
	shmem_wait_until_all_vector(us, 3, NULL, SHMEM_CMP_EQ, want);
	CHECK_EQ(shmem_test_all(us, 3, NULL, SHMEM_CMP_GT, 59999), 1);
	CHECK_EQ(shmem_test_some(us, 3, which, NULL, SHMEM_CMP_GT, 60000), 2);
	CHECK_EQ(shmem_test_any(us, 3, NULL, SHMEM_CMP_EQ, 60002), 2);
}

MT_PROGRAM(SHMEM_THREAD_MULTIPLE, {"queries", case_queries}, {"wrapped", case_wrapped},
	   {"polls", case_polls}, {"short words", case_short_words})
