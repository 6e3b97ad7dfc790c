/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Mistakes with collectives that the checked mode alone finds, one of which the argument names:
 * members whose calls differ, arrays that overlap, threads that may not finalize. And calls that
 * look like mistakes but are none. test_misuse.py runs this program and knows the message that
 * each must get.
 */
#include <pthread.h>
#include <stdlib.h>

#include <shmem.h>

#include "misuse.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define WORLD SHMEM_TEAM_WORLD

static long psync[SHMEM_SYNC_SIZE], work[SHMEM_REDUCE_MIN_WRKDATA_SIZE + 64];
static long a[256], b[256];
static long *heap;
static int me, npes;

static void *
run_finalize(void *arg)
{
	shmem_finalize();
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

static void
legal_program(void)
{
	legal_arrays();
	legal_calls();
	legal_teams();
	legal_threads();
}

static void
arrays_that_overlap(void)
{
	if (is("over_broadcast"))
		shmem_long_broadcast(WORLD, a + 1, a, 4, 0);
	if (is("over_broadcast_same"))
		shmem_broadcastmem(WORLD, a, a, 32, 0);
	if (is("over_broadcast_old"))
		shmem_broadcast64(a, a + 3, 4, 0, 0, 0, npes, psync);
	if (is("over_fcollect")) {
		/* after the PE's own block, before the last one */
		shmem_long_fcollect(WORLD, a, a + 2 * npes - 1, 2);
	}
	if (is("over_collect")) {
		/* only the blocks of the others reach so far */
		shmem_long_collect(WORLD, a, a + 4, me == 0 ? 1 : 7);
	}
	if (is("over_collect_old"))
		shmem_collect32(a, a, 1, 0, 0, npes, psync);
	if (is("over_alltoall"))
		shmem_long_alltoall(WORLD, a, a, 1);
	if (is("over_alltoalls")) {
		/* one of the strided elements is in the other array: element 3 * 2 is element 1 * 5
		 * + 1 */
		shmem_long_alltoalls(WORLD, a, a + 1, 2, 5, 4);
	}
	if (is("over_alltoalls_old"))
		shmem_alltoalls32(a, a, 1, 2, 1, 0, 0, npes, psync);
	if (is("over_scan"))
		shmem_long_sum_inscan(WORLD, a, a + 2, 4);
	if (is("over_to_all"))
		shmem_long_max_to_all(a + 3, a, 8, 0, 0, npes, work, psync);
}

static void
arguments_that_differ(void)
{
	if (is("other_root"))
		shmem_long_broadcast(WORLD, a, b, 4, me == 2);
	if (is("other_root_old"))
		shmem_broadcast32(a, b, 4, me == 1, 0, 0, npes, psync);
	if (is("other_broadcast"))
		shmem_long_broadcast(WORLD, a, b, me == npes - 1 ? 3 : 4, 0);
	if (is("other_alltoall"))
		shmem_long_alltoall(WORLD, a, b, me == 1 ? 0 : 2);
	if (is("other_stride"))
		shmem_long_alltoalls(WORLD, a, b, 2, 1 + me, 2);
	if (is("other_nreduce"))
		shmem_long_xor_to_all(a, b, 3 + me, 0, 0, npes, work, psync);
	if (is("other_static"))
		shmem_long_fcollect(WORLD, me == 0 ? a : a + 8, b, 1);
	if (is("other_source"))
		shmem_long_min_reduce(WORLD, a, heap + me, 1);
	if (is("other_call")) {
		if (me == 1)
			shmem_long_collect(WORLD, a, b, 1);
		else
			shmem_long_fcollect(WORLD, a, b, 1);
	}
	if (is("other_align"))
		(void)shmem_align((size_t)64 << me, 64);
	if (is("other_realloc"))
		(void)shmem_realloc(heap, 100 + (size_t)me);
}

static void
teams_that_differ(void)
{
	if (is("other_start")) {
		shmem_team_t team;

		shmem_team_split_strided(WORLD, me == 2, 1, 2, NULL, 0, &team);
	}
	if (is("other_step")) {
		shmem_team_t team;

		shmem_team_split_strided(WORLD, 0, 1 + (me == 1), 2, NULL, 0, &team);
	}
	if (is("other_count")) {
		shmem_team_t team;

		shmem_team_split_strided(WORLD, 0, 1, 1 + (me == 1), NULL, 0, &team);
	}
	if (is("other_range")) {
		shmem_team_t x, y;

		shmem_team_split_2d(WORLD, 1 + me, NULL, 0, &x, NULL, 0, &y);
	}
	if (is("other_config")) {
		shmem_team_config_t config = {.num_contexts = me};
		shmem_team_t team;

		shmem_team_split_strided(WORLD, 0, 1, 2, &config, SHMEM_TEAM_NUM_CONTEXTS, &team);
	}
	if (is("other_mask")) {
		shmem_team_config_t config = {0};
		shmem_team_t x, y;

		shmem_team_split_2d(WORLD, npes, NULL, 0, &x, &config, 0, &y);
		shmem_team_split_2d(WORLD, npes, &config, me == 1 ? SHMEM_TEAM_NUM_CONTEXTS : 0, &x,
				    NULL, 0, &y);
	}
}

static void
other_mistakes(void)
{
	if (is("through_alias")) {
		long *alias = shmem_ptr(heap, (me + 1) % npes);

		if (alias == NULL)
			shmem_global_exit(4);
		shmem_long_p(alias, 1, me);
	}
	if (is("finalize_elsewhere")) {
		pthread_t thread;

		pthread_create(&thread, NULL, run_finalize, NULL);
		pthread_join(thread, NULL);
		exit(0);
	}
	if (is("legal"))
		legal_program();
}

/* coll_check CASE [LEVEL] */
int
main(int argc, char **argv)
{
	static const int levels[] = {SHMEM_THREAD_SINGLE, SHMEM_THREAD_FUNNELED,
				     SHMEM_THREAD_SERIALIZED, SHMEM_THREAD_MULTIPLE};
	int level = levels[argc > 2 ? atoi(argv[2]) & 3 : 3];

	if (shmem_init_thread(level, &level) != 0)
		return 99;
	me = shmem_my_pe();
	npes = shmem_n_pes();
	heap = shmem_malloc(64 * sizeof(*heap));
	misuse_wanted = argv[1];
	arrays_that_overlap();
	arguments_that_differ();
	teams_that_differ();
	other_mistakes();
	shmem_finalize();
	return misuse_found ? 0 : 98;
}
