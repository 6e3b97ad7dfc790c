/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Mistakes, one of which the argument names. test_coll_misuse.py runs this program and knows what
 * the library should say to each.
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

#include "one_case.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

static long lock, sync_words[SHMEM_SYNC_SIZE], to[64], from[64];
static int me, npes;

static void
lock_twice(void)
{
	shmem_set_lock(&lock);
	shmem_set_lock(&lock);
}

static void
clear_free(void)
{
	shmem_clear_lock(&lock);
}

static void
clear_foreign(void)
{
	if (me == 0)
		shmem_set_lock(&lock);
	shmem_barrier_all();
	if (me == 1)
		shmem_clear_lock(&lock);
	shmem_barrier_all();
}

static void
lock_garbage(void)
{
	lock = 0x7777;
	shmem_barrier_all();
	shmem_set_lock(&lock);
}

static void
lock_on_stack(void)
{
	long here = 0;

	shmem_set_lock(&here);
}

static void
bad_root(void)
{
	shmem_long_broadcast(SHMEM_TEAM_WORLD, to, from, 1, npes);
}

static void
dest_on_stack(void)
{
	long here[4];

	shmem_long_sum_reduce(SHMEM_TEAM_WORLD, here, from, 4);
}

static void
bad_stride(void)
{
	shmem_long_alltoalls(SHMEM_TEAM_WORLD, to, from, 0, 1, 1);
}

static void
set_too_large(void)
{
	shmem_barrier(0, 0, npes + 1, sync_words);
}

static void
set_without_me(void)
{
	shmem_barrier(me == 0 ? 1 : 0, 0, 1, sync_words);
}

static void
sync_on_stack(void)
{
	long here[SHMEM_SYNC_SIZE] = {0};

	shmem_sync(0, 0, npes, here);
}

static void
some_on_stack(void)
{
	long here[SHMEM_SYNC_SIZE] = {0};

	if (me < npes - 1)
		shmem_barrier(0, 0, npes - 1, here);
}

static void
small_alignment(void)
{
	shmem_free(shmem_align(2, 100));
}

static void
destroy_world(void)
{
	shmem_team_destroy(SHMEM_TEAM_WORLD);
}

static void
destroyed_team(void)
{
	shmem_team_t team;

	shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, npes, NULL, 0, &team);
	shmem_team_destroy(team);
	shmem_team_sync(team);
}

static void
free_foreign(void)
{
	char *p = shmem_malloc(200);

	shmem_free(p + 64);
}

static void
free_twice(void)
{
	char *p = shmem_malloc(200);

	shmem_free(p);
	shmem_free(p);
}

static void
odd_alignment(void)
{
	(void)shmem_align(24, 100);
}

static void
other_size(void)
{
	(void)shmem_malloc(100 + (size_t)me * 1000);
}

static void
other_collective(void)
{
	if (me == 0)
		shmem_long_sum_reduce(SHMEM_TEAM_WORLD, to, from, 1);
	else
		shmem_long_max_reduce(SHMEM_TEAM_WORLD, to, from, 1);
}

static void
other_length(void)
{
	shmem_long_fcollect(SHMEM_TEAM_WORLD, to, from, me == 0 ? 2 : 3);
}

static void
other_dest(void)
{
	long *p = shmem_malloc(1000);

	shmem_long_sum_reduce(SHMEM_TEAM_WORLD, p + me, from, 1);
}

static void *
in_team(void *arg)
{
	long *dest = arg;
	int i;

	for (i = 0; i < 100000; i++)
		shmem_long_sum_reduce(SHMEM_TEAM_WORLD, dest, from, 32);
	return NULL;
}

static void
two_threads(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, in_team, to);
	in_team(to); /* the same, so that the members agree */
	pthread_join(thread, NULL);
}

/* One PE makes a call that the others do not, at a thread level that allows no other thread. */
static void
alone_malloc(void)
{
	if (me == 0)
		(void)shmem_malloc(64);
	else
		shmem_barrier_all();
}

static void
alone_at_the_end(void)
{
	if (me == 0)
		shmem_sync_all();
}

/* The other PE computes, as it may. The wait is reported, and does not end the job. */
static void
alone_for_long(void)
{
	const struct timespec t = {.tv_sec = 5};

	if (me == 0) {
		(void)shmem_calloc(8, 8);
	} else {
		nanosleep(&t, NULL);
		shmem_global_exit(7);
	}
}

/* PE 0 and 2 in a collective of all, PE 1 in one of a team with PE 2. */
static void
alone_in_team(void)
{
	shmem_team_t team;

	shmem_team_split_strided(SHMEM_TEAM_WORLD, 1, 1, 2, NULL, 0, &team);
	if (me == 1)
		shmem_team_sync(team);
	else
		shmem_barrier_all();
}

/* No mistake: PE 1 is stopped while it waits for PE 0, for longer than the limit. */
static void
alone_stopped(void)
{
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

/* The last element lies SIZE_MAX elements behind the first: one more, and the sum is 0. */
static void
endless_stride(void)
{
	shmem_long_alltoalls(SHMEM_TEAM_WORLD, to, from, (ptrdiff_t)(SIZE_MAX / 3), 1, 2);
}

static void *
in_barrier(void *arg)
{
	(void)arg;
	shmem_barrier_all();
	return NULL;
}

static void
alone_in_thread(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, in_barrier, NULL);
	pthread_join(thread, NULL);
}

static void
other_free(void)
{
	void *p = shmem_malloc(64), *q = shmem_malloc(64);

	shmem_free(me == 0 ? p : q);
}

static void
overlapping(void)
{
	shmem_long_sum_reduce(SHMEM_TEAM_WORLD, to + 1, to, 16);
}

static void
no_source(void)
{
	shmem_long_broadcast(SHMEM_TEAM_WORLD, to, NULL, 16, 0);
}

static void
request_twice(void)
{
	shmemx_req_h r, copy;

	(void)shmemx_long_sum_reduce_nb(SHMEM_TEAM_WORLD, to, from, 4, &r);
	copy = r;
	(void)shmemx_req_wait(&r);
	(void)shmemx_req_wait(&copy);
}

static void
request_left(void)
{
	shmem_team_t team;
	shmemx_req_h r;

	shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, npes, NULL, 0, &team);
	(void)shmemx_long_sum_reduce_nb(team, to, from, 4, &r);
	shmem_team_destroy(team);
	(void)shmemx_req_wait(&r);
}

static void
other_post(void)
{
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
static void
post_and_call(void)
{
	shmemx_req_h r;

	if (me == 0)
		shmem_sync_all();
	else if (shmemx_sync_all_nb(&r) == 0)
		(void)shmemx_req_wait(&r);
}

static void
post_on_stack(void)
{
	long here[4];
	shmemx_req_h r;

	(void)shmemx_long_sum_reduce_nb(SHMEM_TEAM_WORLD, here, from, 4, &r);
	(void)shmemx_req_wait(&r);
}

/* No mistake: the reference for the others. */
static void
none(void)
{
	shmem_set_lock(&lock);
	shmem_clear_lock(&lock);
	shmem_long_sum_reduce(SHMEM_TEAM_WORLD, to, from, 64);
	shmem_barrier(0, 0, npes, sync_words);
	shmem_free(shmem_malloc(100));
}

int
main(int argc, char **argv)
{
	static const struct one_case cases[] = {
		{"lock_twice", lock_twice},	      {"clear_free", clear_free},
		{"clear_foreign", clear_foreign},     {"lock_garbage", lock_garbage},
		{"lock_on_stack", lock_on_stack},     {"bad_root", bad_root},
		{"dest_on_stack", dest_on_stack},     {"bad_stride", bad_stride},
		{"set_too_large", set_too_large},     {"set_without_me", set_without_me},
		{"sync_on_stack", sync_on_stack},     {"destroy_world", destroy_world},
		{"destroyed_team", destroyed_team},   {"free_foreign", free_foreign},
		{"free_twice", free_twice},	      {"odd_alignment", odd_alignment},
		{"small_alignment", small_alignment}, {"some_on_stack", some_on_stack},
		{"other_size", other_size},	      {"other_collective", other_collective},
		{"other_length", other_length},	      {"other_dest", other_dest},
		{"two_threads", two_threads},	      {"none", none},
		{"alone_malloc", alone_malloc},	      {"alone_at_the_end", alone_at_the_end},
		{"alone_for_long", alone_for_long},   {"alone_in_team", alone_in_team},
		{"alone_stopped", alone_stopped},     {"alone_in_thread", alone_in_thread},
		{"other_free", other_free},	      {"endless_stride", endless_stride},
		{"overlapping", overlapping},	      {"no_source", no_source},
		{"request_twice", request_twice},     {"request_left", request_left},
		{"other_post", other_post},	      {"post_and_call", post_and_call},
		{"post_on_stack", post_on_stack},
	};
	int level = argc == 2 && strncmp(argv[1], "alone", 5) == 0 ? SHMEM_THREAD_SINGLE
								   : SHMEM_THREAD_MULTIPLE;

	if (shmem_init_thread(level, &level) != 0)
		return 99;
	me = shmem_my_pe();
	npes = shmem_n_pes();
	return run_one_case(argv[1], cases, sizeof(cases) / sizeof(cases[0]));
}
