/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Memory spaces: symmetric among the members of teams that overlap, taken by all calls, queried,
 * full, filled from files, gone with their team.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <shmemx.h>

#include "multi.h"

enum {
	MIB = 1 << 20,
	WORDS = 1000
};

static shmemx_space_t
make(shmem_team_t team, size_t size, const char *file)
{
	const shmemx_space_config_t c = {.size = size, .node = -1, .file = file};
	shmemx_space_t space = SHMEMX_SPACE_INVALID;

	CHECK_EQ(shmemx_space_create(team, &c, &space), 0);
	CHECK(space != SHMEMX_SPACE_INVALID);
	return space;
}

static shmemx_space_info_t
look(shmemx_space_t space)
{
	shmemx_space_info_t info = {0};

	CHECK_EQ(shmemx_space_query(space, &info), 0);
	return info;
}

/* Puts, gets, atomics, signals, collectives, locks and pointers of objects in a space. */
static void
use_all(shmem_team_t team, shmemx_space_t space)
{
	int me = shmem_team_my_pe(team), n = shmem_team_n_pes(team), to = (me + 1) % n, i;
	int world = shmem_team_translate_pe(team, to, SHMEM_TEAM_WORLD);
	long *a = shmemx_space_malloc(space, WORDS * sizeof(long)), *there, got[WORDS];
	long *all = shmemx_space_malloc(space, (size_t)n * sizeof(long)), *lock;
	uint64_t *sig = shmemx_space_malloc(space, sizeof(*sig));

	mt_waiting("calls on objects in a space");
	CHECK(a != NULL && all != NULL && sig != NULL);
	lock = shmemx_space_align(space, 4096, sizeof(*lock));
	CHECK_EQ((uintptr_t)lock % 4096, 0);
	*sig = 0;
	*lock = 0;
	a[0] = 5;
	shmem_team_sync(team);
	for (i = 0; i < WORDS; i++)
		got[i] = me * 10000 + i;
	shmem_long_put_signal(a + 1, got + 1, WORDS - 1, sig, 3, SHMEM_SIGNAL_SET, world);
	shmem_signal_wait_until(sig, SHMEM_CMP_EQ, 3);
	for (i = 1; i < WORDS; i++)
		CHECK_EQ(a[i], (me + n - 1) % n * 10000 + i);
	CHECK_EQ(shmem_long_atomic_fetch_add(&a[0], 2, world), 5);
	shmem_team_sync(team);
	CHECK_EQ(a[0], 7);
	shmem_long_get(got, a, WORDS, world);
	CHECK_EQ(got[0], 7);
	CHECK_EQ(got[WORDS - 1], me * 10000 + WORDS - 1);
	CHECK_EQ(shmem_long_g(&a[1], world), me * 10000 + 1);
	there = shmem_ptr(a, world);
	CHECK_EQ(there != NULL, shmemx_pe_host(world) == shmemx_pe_host(mt_me));
	if (there != NULL)
		CHECK_EQ(there[2], me * 10000 + 2);
	CHECK_EQ(shmem_addr_accessible(a, world), 1);
	CHECK_EQ(shmem_long_fcollect(team, all, a, 1), 0);
	for (i = 0; i < n; i++)
		CHECK_EQ(all[i], 7);
	shmem_team_sync(team);
	CHECK_EQ(shmem_long_sum_reduce(team, all, a, 1), 0);
	CHECK_EQ(all[0], 7 * n);
	for (i = 0; i < 3; i++) {
		shmem_set_lock(lock);
		shmem_clear_lock(lock);
	}
	shmem_team_sync(team);
	shmemx_space_free(space, sig);
	shmemx_space_free(space, a);
	shmemx_space_free(space, all);
	shmemx_space_free(space, lock);
	CHECK_EQ(look(space).used, 0);
}

static void
on_node_0(void)
{
	const shmemx_space_config_t c = {.size = MIB, .node = 0, .page_size = 2 * MIB};
	shmemx_space_t space;

	CHECK_EQ(shmemx_space_create(SHMEM_TEAM_WORLD, &c, &space), 0);
	CHECK_EQ(look(space).node, 0);
	CHECK_EQ(look(space).page_size, 2 * MIB);
	CHECK_EQ(shmemx_space_destroy(space), 0);
}

static void
case_world(void)
{
	shmemx_space_t space = make(SHMEM_TEAM_WORLD, 3 * MIB, NULL);
	shmemx_space_info_t i = look(space), heap;
	char *p;

	CHECK_EQ(i.size, 4 * MIB);
	CHECK_EQ(i.used, 0);
	CHECK_EQ(i.largest_free, 4 * MIB);
	CHECK_EQ(i.page_size, 4096);
	CHECK(i.node >= -1);
	CHECK_EQ(((char *)i.base)[4 * MIB - 1], 0);
	use_all(SHMEM_TEAM_WORLD, space);
	if (i.node == 0) /* the kernel tells nodes, and has this one */
		on_node_0();
	p = shmemx_space_malloc(space, 100);
	CHECK_EQ(look(space).used, 128);
	CHECK_EQ(look(space).largest_free, 4 * MIB - 128);
	/* full: NULL on all, and the space is as it was */
	CHECK(shmemx_space_malloc(space, 4 * MIB) == NULL);
	CHECK(shmemx_space_malloc(space, 0) == NULL);
	memset(p, 1, 100);
	shmemx_space_free(space, p);
	CHECK_EQ(shmemx_heap_query(&heap), 0);
	CHECK((char *)i.base >= (char *)heap.base + heap.size);
	CHECK(heap.used + heap.largest_free <= heap.size);
	CHECK_EQ(shmemx_heap_query(NULL), -1);
	CHECK_EQ(shmemx_space_query(SHMEMX_SPACE_INVALID, &i), -1);
	CHECK_EQ(shmemx_space_destroy(space), 0);
	/* its memory is zeros for the next one */
	space = make(SHMEM_TEAM_WORLD, 2 * MIB, NULL);
	CHECK(look(space).base == i.base);
	CHECK_EQ(((char *)i.base)[0], 0);
	CHECK_EQ(shmemx_space_destroy(space), 0);
}

/* The even PEs and the first half have spaces at the same time: a member of both has both. */
static void
case_teams(void)
{
	shmem_team_t even, half;
	shmemx_space_t one = NULL, two = NULL;
	int round;

	shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, (mt_npes + 1) / 2, NULL, 0, &even);
	shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, (mt_npes + 1) / 2, NULL, 0, &half);
	for (round = 0; round < 2; round++) {
		if (even != SHMEM_TEAM_INVALID)
			one = make(even, 2 * MIB, NULL);
		if (half != SHMEM_TEAM_INVALID)
			two = make(half, 4 * MIB, NULL);
		if (one != NULL && two != NULL)
			CHECK(look(one).base != look(two).base);
		if (one != NULL)
			use_all(even, one);
		if (two != NULL)
			use_all(half, two);
		shmem_barrier_all();
		if (round == 0 && one != NULL)
			CHECK_EQ(shmemx_space_destroy(one), 0);
		if (round == 0 && two != NULL)
			CHECK_EQ(shmemx_space_destroy(two), 0);
	}
	/* goes with its team, which leaves room for all */
	shmem_team_destroy(even);
	shmem_team_destroy(half);
	shmem_barrier_all();
	one = make(SHMEM_TEAM_WORLD, 16 * MIB, NULL);
	CHECK_EQ(shmemx_space_destroy(one), 0);
}

static void
refused(shmemx_space_config_t c)
{
	shmemx_space_t space = (shmemx_space_t)&c;

	CHECK_EQ(shmemx_space_create(SHMEM_TEAM_WORLD, &c, &space), -1);
	CHECK(space == SHMEMX_SPACE_INVALID);
}

static void
case_refused(void)
{
	shmemx_space_t space, rest;
	const shmemx_space_config_t small = {.size = MIB, .node = -1};

	refused((shmemx_space_config_t){.size = 0, .node = -1});
	refused((shmemx_space_config_t){.size = 17 * MIB, .node = -1});
	refused((shmemx_space_config_t){.size = MIB, .node = -2});
	refused((shmemx_space_config_t){.size = MIB, .node = 900});
	refused((shmemx_space_config_t){.size = MIB, .node = -1, .page_size = 5000});
	/* on one member alone */
	refused((shmemx_space_config_t){
		.size = MIB, .node = -1, .file = mt_me == mt_npes - 1 ? "/proc/self/mem/x" : NULL});
	CHECK_EQ(shmemx_space_create(SHMEM_TEAM_INVALID, &small, &space), -1);
	space = make(SHMEM_TEAM_WORLD, 15 * MIB, NULL);
	refused(small);
	CHECK_EQ(shmemx_space_destroy(space), 0);
	/* and what was refused has left nothing */
	rest = make(SHMEM_TEAM_WORLD, 16 * MIB, NULL);
	CHECK_EQ(shmemx_space_destroy(rest), 0);
}

static char folder[64];

/* A file name that all know, in a folder of its own. */
static void
name_file(char *path, size_t size)
{
	static char made[64];

	if (mt_me == 0) {
		strcpy(made, "/tmp/ringbell-space-XXXXXX");
		CHECK(mkdtemp(made) != NULL);
		strcpy(folder, made);
	}
	shmem_broadcastmem(SHMEM_TEAM_WORLD, folder, made, sizeof(folder), 0);
	snprintf(path, size, "%s/data", folder);
}

static void
remove_files(void)
{
	char path[96];

	snprintf(path, sizeof(path), "%s/data.%d", folder, mt_me);
	CHECK_EQ(unlink(path), 0);
	shmem_barrier_all();
	if (mt_me == 0)
		CHECK_EQ(rmdir(folder), 0);
}

/* Its owner's alone; and one that is longer than the space is refused, and stays as it is. */
static void
look_at_file(const char *path)
{
	char own[112];
	struct stat st = {0};

	snprintf(own, sizeof(own), "%s.%d", path, mt_me);
	CHECK_EQ(stat(own, &st), 0);
	CHECK_EQ(st.st_mode & 0777, 0600);
	CHECK_EQ(truncate(own, 2 * MIB + 1), 0);
	refused((shmemx_space_config_t){.size = MIB, .node = -1, .file = path});
	CHECK_EQ(stat(own, &st), 0);
	CHECK_EQ(st.st_size, 2 * MIB + 1);
}

/* The content outlives the space, at the same places. */
static void
case_file(void)
{
	char path[96];
	shmemx_space_t space;
	long *p, *q;

	name_file(path, sizeof(path));
	space = make(SHMEM_TEAM_WORLD, 2 * MIB, path);
	p = shmemx_space_malloc(space, 64);
	q = shmemx_space_malloc(space, 64);
	CHECK_EQ(*p, 0);
	*p = mt_me + 1;
	CHECK_EQ(shmemx_space_flush(space), 0);
	shmem_long_p(q, 100 + mt_me, mt_pe(1));
	CHECK_EQ(shmemx_space_destroy(space), 0);
	space = make(SHMEM_TEAM_WORLD, 2 * MIB, path);
	CHECK(shmemx_space_malloc(space, 64) == p);
	CHECK(shmemx_space_malloc(space, 64) == q);
	CHECK_EQ(*p, mt_me + 1);
	CHECK_EQ(*q, 100 + mt_pe(-1));
	CHECK_EQ(shmemx_space_destroy(space), 0);
	look_at_file(path);
	remove_files();
}

static shmemx_space_info_t
look_heap(void)
{
	shmemx_space_info_t info = {0};

	CHECK_EQ(shmemx_heap_query(&info), 0);
	return info;
}

/* Transfers to all distances, with what is there before. */
static void
use_block(long *a, size_t n)
{
	size_t i;
	int d;

	for (d = 0; d < mt_distances(); d++) {
		for (i = 0; i < n - 1; i += n / 3)
			shmem_long_p(&a[i], (long)i + mt_me, mt_pe(d));
		shmem_long_atomic_add(&a[n - 1], 1, mt_pe(d));
		shmem_barrier_all();
		for (i = 0; i < n - 1; i += n / 3)
			CHECK_EQ(a[i], (long)i + mt_pe(-d));
		shmem_barrier_all();
	}
}

/* What the heap grew by serves all calls; it stays, so this is the last case. */
static void
case_grow(void)
{
	shmemx_space_info_t before = look_heap(), after;
	long *all = shmem_malloc(before.largest_free), *more, *moved;
	size_t n = 5 * MIB / sizeof(long);

	CHECK(all != NULL);
	CHECK(shmem_malloc(5 * MIB) == NULL);
	CHECK_EQ(shmemx_heap_grow(0), -1);
	CHECK_EQ(shmemx_heap_grow(17 * MIB), -1);
	CHECK_EQ(shmemx_heap_grow(5 * MIB), 0); /* 6 */
	after = look_heap();
	CHECK_EQ(after.size, before.size + 6 * MIB);
	CHECK_EQ(after.used, before.used + before.largest_free);
	CHECK_EQ(after.largest_free, 6 * MIB);
	more = shmem_calloc(n, sizeof(long));
	CHECK(more != NULL);
	CHECK((char *)more >= (char *)before.base + before.size);
	CHECK_EQ(more[n - 1], 0);
	use_block(more, n);
	CHECK_EQ(more[n - 1], mt_distances());
	CHECK(shmem_malloc(2 * MIB) == NULL);
	CHECK_EQ(shmemx_heap_grow(8 * MIB), 0);
	/* it moves from one part to another */
	more[1] = mt_me;
	moved = shmem_realloc(more, 7 * MIB);
	CHECK(moved != NULL && moved != more);
	CHECK_EQ(moved[1], mt_me);
	CHECK_EQ(moved[n - 1], mt_distances());
	use_block(moved, 7 * MIB / sizeof(long));
	more = shmem_align(MIB, 5 * MIB);
	CHECK(more != NULL && (uintptr_t)more % MIB == 0);
	CHECK_EQ(shmemx_heap_grow(4 * MIB), -1); /* 14 of 16 are taken */
	shmem_free(more);
	shmem_free(moved);
	shmem_free(all);
	after = look_heap();
	CHECK_EQ(after.used, before.used);
	CHECK_EQ(after.size, before.size + 14 * MIB);
}

int
main(int argc, char **argv)
{
	static const struct mt_case cases[] = {
		{"world", case_world}, {"teams", case_teams}, {"refused", case_refused},
		{"file", case_file},   {"grow", case_grow},   {0},
	};

	setenv("SHMEM_SPACES", "16M", 1);
	setenv("SHMEM_SYMMETRIC_SIZE", "8M", 1); /* a case fills it */
	return mt_main(argc, argv, SHMEM_THREAD_SINGLE, cases);
}
