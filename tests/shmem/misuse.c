/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Makes the mistake of misuse.def that the argument names; without one, lists them all for
 * test_misuse.py. Usage: misuse [NAME LEVEL]
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <shmemx.h>

/* Here they are called on purpose. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define WORLD SHMEM_TEAM_WORLD

static int ints[8], me, npes;
static long word, lock, psync[SHMEM_SYNC_SIZE], work[SHMEM_REDUCE_MIN_WRKDATA_SIZE + 64];
static long a[256], b[256], *heap;
static uint64_t sig;

/* ---- what threads do ---- */

static void *
run_put(void *arg)
{
	shmem_ctx_int_put(*(shmem_ctx_t *)arg, ints, ints + 4, 1, 0); /* wrong */
	return NULL;
}

static void *
run_quiet(void *arg)
{
	shmem_ctx_quiet(*(shmem_ctx_t *)arg); /* wrong */
	return NULL;
}

static void *
in_team(void *arg)
{
	long *dest = arg;
	int i;

	for (i = 0; i < 100000; i++)
		shmem_long_sum_reduce(WORLD, dest, b, 32); /* wrong */
	return NULL;
}

static void *
in_barrier(void *arg)
{
	shmem_barrier_all(); /* wrong */
	return arg;
}

static void *
run_finalize(void *arg)
{
	shmem_finalize(); /* wrong */
	return arg;
}

static void *
run_life(void *arg)
{
	int level;

	shmem_init_thread(SHMEM_THREAD_MULTIPLE, &level);
	shmem_barrier_all();
	shmem_finalize();
	return arg;
}

/* ---- no mistakes ---- */

static void
legal_arrays(void)
{
	long here[4] = {me}, i;

	/* in place, as reductions and scans may be; one behind the other */
	shmem_long_sum_reduce(WORLD, a, a, 64);
	shmem_long_sum_inscan(WORLD, a, a, 64);
	shmem_long_sum_exscan(WORLD, a, a, 64);
	shmem_long_sum_to_all(a, a, 64, 0, 0, npes, work, psync);
	shmem_sync_all();
	shmem_long_prod_reduce(WORLD, a, a + 64, 64);
	shmem_long_broadcast(WORLD, a + 4, a, 4, 0);
	shmem_long_fcollect(WORLD, a + 2, a, 2);
	shmem_long_collect(WORLD, a, a + 3 * npes, 3);
	shmem_long_alltoall(WORLD, a, a + 2 * npes, 2);
	/* interleaved */
	shmem_long_alltoalls(WORLD, a, a + 1, 2, 2, 3);
	shmem_int_alltoalls(WORLD, (int *)a, (int *)a + 1, 4, 6, 2);
	/* private sources need not be at one address */
	for (i = 0; i < 2; i++)
		shmem_long_max_reduce(WORLD, a, me == i ? here : b, 4);
	/* nothing at all */
	shmem_long_sum_reduce(WORLD, me == 0 ? NULL : a, me == 0 ? NULL : a + 1, 0);
	shmem_broadcastmem(WORLD, NULL, NULL, 0, 0);
	shmem_fcollectmem(WORLD, NULL, NULL, 0);
	shmem_collectmem(WORLD, me == 0 ? NULL : a, me == 0 ? a : NULL, 0);
	shmem_alltoallmem(WORLD, NULL, NULL, 0);
	shmem_alltoallsmem(WORLD, a, a, 1, 1, 0);
	/* shares of all sizes, none for some */
	shmem_long_collect(WORLD, a, me == 1 ? NULL : b, me == 1 ? 0 : (size_t)me + 1);
}

static void
legal_calls(void)
{
	/* equivalents of one another (section 9.9) */
	if (me == 0)
		shmem_sync_all();
	else if (me == 1)
		shmem_team_sync(WORLD);
	else
		shmem_barrier_all();
	shmem_free(NULL);
	shmem_free(me == 0 ? shmem_malloc(0) : NULL);
	shmem_init();
	shmem_finalize();
}

static void
legal_teams(void)
{
	shmem_team_config_t x_config = {0}, y_config = {0};
	shmem_team_t x, y, team;

	/* the members of each team agree, those of the next one on something else */
	x_config.num_contexts = 1 + me / 2;
	y_config.num_contexts = 4 + me % 2;
	shmem_team_split_2d(WORLD, 2, &x_config, SHMEM_TEAM_NUM_CONTEXTS, &x, &y_config,
			    me % 2 ? SHMEM_TEAM_NUM_CONTEXTS : 0, &y);
	shmem_team_sync(x);
	shmem_team_sync(y);
	shmem_team_destroy(y);
	shmem_team_destroy(x);
	/* a PE that is not a member needs no configuration */
	shmem_team_split_strided(WORLD, 0, 1, npes - 1, me < npes - 1 ? &x_config : NULL, 0, &team);
	shmem_team_destroy(team);
	/* refused on all PEs */
	if (shmem_team_split_strided(WORLD, 0, 1, npes + 1, NULL, 0, &team) == 0 ||
	    shmem_team_split_2d(WORLD, 0, NULL, 0, &x, NULL, 0, &y) == 0)
		shmem_global_exit(3);
}

static void
legal_threads(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, run_life, NULL);
	pthread_join(thread, NULL);
}

/* As in the days of OpenSHMEM 1.0; no finalize. Calls that have other names now are in tests/calls.
 */
static void
classic_program(void)
{
	long *p, *q;

	start_pes(0);
	start_pes(0);
	me = _my_pe();
	npes = _num_pes();
	p = shrealloc(shmalloc(sizeof(*p)), 1000 * sizeof(*p));
	q = shmalloc(sizeof(*q));
	shmem_long_p(&p[999], me, (me + 1) % npes);
	shmem_barrier_all();
	if (p[999] != (me + npes - 1) % npes || (q >= p && q < p + 1000))
		exit(2);
	shfree(q);
	shfree(p);
	if (shmalloc(1000 * sizeof(*p)) != p)
		exit(3);
	exit(0);
}

/* What other implementations allow: work arrays on the stack, bits of signed words, and a second
 * finalize. tests/foreign/test_instead.py has their names. */
static void
habits_of_peers(void)
{
	static int16_t most, mine;
	static long long all, own;
	static int bits;
	int16_t work16[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
	long here[SHMEM_REDUCE_SYNC_SIZE];

	for (int i = 0; i < SHMEM_REDUCE_SYNC_SIZE; i++)
		here[i] = SHMEM_SYNC_VALUE;
	own = 1LL << (40 + me);
	for (int round = 0; round < 3; round++) {
		mine = (int16_t)(me + round);
		shmem_barrier_all();
		shmem_int16_max_to_all(&most, &mine, 1, 0, 0, npes, work16, here);
		if (most != npes - 1 + round)
			exit(2);
	}
	shmem_longlong_or_reduce(WORLD, &all, &own, 1);
	shmem_int_atomic_or(&bits, 1 << me, 0);
	shmem_barrier_all();
	if (all >> 40 != (1 << npes) - 1 || (me == 0 && bits != (1 << npes) - 1))
		exit(3);
	shmem_finalize();
	shmem_finalize();
	exit(0);
}

static void
legal_program(void)
{
	legal_arrays();
	legal_calls();
	legal_teams();
	legal_threads();
}

/* Calls that return a status do so. */
static int
calls_refused(void)
{
	int level = -1, good;

	good = shmem_init_thread(77, &level) != 0 && level == -1;
	setenv("SHMEM_SYMMETRIC_SIZE", "much", 1);
	good &= shmem_init_thread(SHMEM_THREAD_SINGLE, &level) != 0;
	unsetenv("SHMEM_SYMMETRIC_SIZE");
	good &= shmem_init_thread(SHMEM_THREAD_SINGLE, &level) == 0;
	return good ? 0 : 2;
}

/* ---- mistakes ---- */

/* clang-format off: statements in arguments */
#define AGAIN(name, how, output)
#define MISTAKE(name, how, output, ...) \
	static void make_##name(void)   \
	{                               \
		__VA_ARGS__;            \
	}
#include "misuse.def"
#undef AGAIN
#undef MISTAKE
/* clang-format on */

static const struct mistake {
	const char *name, *how, *output;
	void (*make)(void);
} mistakes[] = {
#define AGAIN(name, how, output) {#name, how, output, make_##name},
#define MISTAKE(name, how, output, ...) AGAIN(name, how, output)
#include "misuse.def"
};

/* Names with raw_ are called without shmem_init(). */
int
main(int argc, char **argv)
{
	int level = argc == 3 ? atoi(argv[2]) : 0;
	const struct mistake *m;

	for (m = mistakes; argc == 1 && m < mistakes + sizeof(mistakes) / sizeof(*m); m++)
		printf("%s\t%s\t%s\n", m->name, m->how, m->output);
	if (argc == 1)
		return 0;
	if (strncmp(argv[1], "raw_", 4) != 0) {
		if (level == SHMEM_THREAD_SINGLE)
			shmem_init();
		else if (shmem_init_thread(level, &level) != 0)
			return 99;
		me = shmem_my_pe();
		npes = shmem_n_pes();
		heap = shmem_malloc(64 * sizeof(*heap));
	}
	for (m = mistakes; m < mistakes + sizeof(mistakes) / sizeof(*m); m++)
		if (strcmp(m->name, argv[1]) == 0) {
			m->make();
			if (strncmp(argv[1], "raw_", 4) != 0)
				shmem_finalize();
			return 0;
		}
	return 98;
}
