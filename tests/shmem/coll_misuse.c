/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Mistakes of collectives, locks and memory, one of which the argument names. test_misuse.py runs
 * this program and knows what the library should say to each.
 */
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <shmemx.h>

#include "misuse.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

static long lock, sync_words[SHMEM_SYNC_SIZE], to[64], from[64];
static int me, npes;

static void *
in_team(void *arg)
{
	long *dest = arg;
	int i;

	for (i = 0; i < 100000; i++)
		shmem_long_sum_reduce(SHMEM_TEAM_WORLD, dest, from, 32);
	return NULL;
}

static void *
in_barrier(void *arg)
{
	(void)arg;
	shmem_barrier_all();
	return NULL;
}

static void
mistakes_with_locks(void)
{
	if (is("lock_twice")) {
		shmem_set_lock(&lock);
		shmem_set_lock(&lock);
	}
	if (is("clear_free"))
		shmem_clear_lock(&lock);
	if (is("clear_foreign")) {
		if (me == 0)
			shmem_set_lock(&lock);
		shmem_barrier_all();
		if (me == 1)
			shmem_clear_lock(&lock);
		shmem_barrier_all();
	}
	if (is("lock_garbage")) {
		lock = 0x7777;
		shmem_barrier_all();
		shmem_set_lock(&lock);
	}
	if (is("lock_on_stack")) {
		long here = 0;

		shmem_set_lock(&here);
	}
}

static void
mistakes_with_sets(void)
{
	if (is("set_too_large"))
		shmem_barrier(0, 0, npes + 1, sync_words);
	if (is("set_without_me"))
		shmem_barrier(me == 0 ? 1 : 0, 0, 1, sync_words);
	if (is("sync_on_stack")) {
		long here[SHMEM_SYNC_SIZE] = {0};

		shmem_sync(0, 0, npes, here);
	}
	if (is("some_on_stack")) {
		long here[SHMEM_SYNC_SIZE] = {0};

		if (me < npes - 1)
			shmem_barrier(0, 0, npes - 1, here);
	}
}

static void
mistakes_with_arrays(void)
{
	if (is("bad_root"))
		shmem_long_broadcast(SHMEM_TEAM_WORLD, to, from, 1, npes);
	if (is("dest_on_stack")) {
		long here[4];

		shmem_long_sum_reduce(SHMEM_TEAM_WORLD, here, from, 4);
	}
	if (is("bad_stride"))
		shmem_long_alltoalls(SHMEM_TEAM_WORLD, to, from, 0, 1, 1);
	/* The last element lies SIZE_MAX elements behind the first: one more, and the sum is 0. */
	if (is("endless_stride"))
		shmem_long_alltoalls(SHMEM_TEAM_WORLD, to, from, (ptrdiff_t)(SIZE_MAX / 3), 1, 2);
	if (is("overlapping"))
		shmem_long_sum_reduce(SHMEM_TEAM_WORLD, to + 1, to, 16);
	if (is("no_source"))
		shmem_long_broadcast(SHMEM_TEAM_WORLD, to, NULL, 16, 0);
}

static void
mistakes_with_memory(void)
{
	if (is("alone_malloc")) {
		if (me == 0)
			(void)shmem_malloc(64);
		else
			shmem_barrier_all();
	}
	if (is("small_alignment"))
		shmem_free(shmem_align(2, 100));
	if (is("odd_alignment"))
		(void)shmem_align(24, 100);
	if (is("free_foreign")) {
		char *p = shmem_malloc(200);

		shmem_free(p + 64);
	}
	if (is("free_twice")) {
		char *p = shmem_malloc(200);

		shmem_free(p);
		shmem_free(p);
	}
	if (is("other_free")) {
		void *p = shmem_malloc(64), *q = shmem_malloc(64);

		shmem_free(me == 0 ? p : q);
	}
	if (is("other_size"))
		(void)shmem_malloc(100 + (size_t)me * 1000);
}

static void
mistakes_with_teams(void)
{
	if (is("destroy_world"))
		shmem_team_destroy(SHMEM_TEAM_WORLD);
	if (is("destroyed_team")) {
		shmem_team_t team;

		shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, npes, NULL, 0, &team);
		shmem_team_destroy(team);
		shmem_team_sync(team);
	}
	if (is("two_threads")) {
		pthread_t thread;

		pthread_create(&thread, NULL, in_team, to);
		in_team(to); /* the same, so that the members agree */
		pthread_join(thread, NULL);
	}
	if (is("other_collective")) {
		if (me == 0)
			shmem_long_sum_reduce(SHMEM_TEAM_WORLD, to, from, 1);
		else
			shmem_long_max_reduce(SHMEM_TEAM_WORLD, to, from, 1);
	}
	if (is("other_length"))
		shmem_long_fcollect(SHMEM_TEAM_WORLD, to, from, me == 0 ? 2 : 3);
	if (is("other_dest")) {
		long *p = shmem_malloc(1000);

		shmem_long_sum_reduce(SHMEM_TEAM_WORLD, p + me, from, 1);
	}
}

static void
calls_of_one_member(void)
{
	/* One PE makes a call that the others do not, at a thread level that allows no other
	 * thread. */
	if (is("alone_at_the_end")) {
		if (me == 0)
			shmem_sync_all();
	}
	/* The other PE computes, as it may. The wait is reported, and does not end the job. */
	if (is("alone_for_long")) {
		const struct timespec t = {.tv_sec = 5};

		if (me == 0) {
			(void)shmem_calloc(8, 8);
		} else {
			nanosleep(&t, NULL);
			shmem_global_exit(7);
		}
	}
	/* PE 0 and 2 in a collective of all, PE 1 in one of a team with PE 2. */
	if (is("alone_in_team")) {
		shmem_team_t team;

		shmem_team_split_strided(SHMEM_TEAM_WORLD, 1, 1, 2, NULL, 0, &team);
		if (me == 1)
			shmem_team_sync(team);
		else
			shmem_barrier_all();
	}
	if (is("alone_in_thread")) {
		pthread_t thread;

		pthread_create(&thread, NULL, in_barrier, NULL);
		pthread_join(thread, NULL);
	}
	/* No mistake: PE 1 is stopped while it waits for PE 0, for longer than the limit. */
	if (is("alone_stopped")) {
		const struct timespec enter = {0, 300000000}, pause = {1, 500000000};
		pid_t child = 0;

		if (me == 0) {
			nanosleep(&enter, NULL);
			nanosleep(&enter, NULL);
		} else if (me == 1) {
			child = fork();
			if (child == 0) {
				nanosleep(&enter, NULL);
				kill(getppid(), SIGSTOP);
				nanosleep(&pause, NULL);
				kill(getppid(), SIGCONT);
				_exit(0);
			}
		}
		shmem_barrier_all();
		if (me == 1)
			waitpid(child, NULL, 0);
	}
}

static void
mistakes_with_requests(void)
{
	if (is("request_twice")) {
		shmemx_req_h r, copy;

		(void)shmemx_long_sum_reduce_nb(SHMEM_TEAM_WORLD, to, from, 4, &r);
		copy = r;
		(void)shmemx_req_wait(&r);
		(void)shmemx_req_wait(&copy);
	}
	if (is("request_left")) {
		shmem_team_t team;
		shmemx_req_h r;

		shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, npes, NULL, 0, &team);
		(void)shmemx_long_sum_reduce_nb(team, to, from, 4, &r);
		shmem_team_destroy(team);
		(void)shmemx_req_wait(&r);
	}
	if (is("other_post")) {
		shmemx_req_h r[2];

		if (me == 0) {
			(void)shmemx_long_sum_reduce_nb(SHMEM_TEAM_WORLD, to, from, 4, &r[0]);
			(void)shmemx_long_max_reduce_nb(SHMEM_TEAM_WORLD, to + 8, from, 4, &r[1]);
		} else {
			(void)shmemx_long_max_reduce_nb(SHMEM_TEAM_WORLD, to + 8, from, 4, &r[1]);
			(void)shmemx_long_sum_reduce_nb(SHMEM_TEAM_WORLD, to, from, 4, &r[0]);
		}
		(void)shmemx_req_wait_all(r, 2);
	}
	/* The others post what this PE calls. */
	if (is("post_and_call")) {
		shmemx_req_h r;

		if (me == 0)
			shmem_sync_all();
		else if (shmemx_sync_all_nb(&r) == 0)
			(void)shmemx_req_wait(&r);
	}
	if (is("post_on_stack")) {
		long here[4];
		shmemx_req_h r;

		(void)shmemx_long_sum_reduce_nb(SHMEM_TEAM_WORLD, here, from, 4, &r);
		(void)shmemx_req_wait(&r);
	}
	/* No mistake: the reference for the others. */
	if (is("none")) {
		shmem_set_lock(&lock);
		shmem_clear_lock(&lock);
		shmem_long_sum_reduce(SHMEM_TEAM_WORLD, to, from, 64);
		shmem_barrier(0, 0, npes, sync_words);
		shmem_free(shmem_malloc(100));
	}
}

int
main(int argc, char **argv)
{
	int level = argc == 2 && strncmp(argv[1], "alone", 5) == 0 ? SHMEM_THREAD_SINGLE
								   : SHMEM_THREAD_MULTIPLE;

	if (shmem_init_thread(level, &level) != 0)
		return 99;
	me = shmem_my_pe();
	npes = shmem_n_pes();
	misuse_wanted = argv[1];
	mistakes_with_locks();
	mistakes_with_sets();
	mistakes_with_arrays();
	mistakes_with_memory();
	mistakes_with_teams();
	calls_of_one_member();
	mistakes_with_requests();
	shmem_finalize();
	return misuse_found ? 0 : 98;
}
