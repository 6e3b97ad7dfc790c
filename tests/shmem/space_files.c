/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Files that are the memory of a space, for test_space_files.py, which runs this as several jobs.
 *
 * Usage: space_files fill|killed|check|team|chdir|hold|huge|plain|fork FILE
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <shmemx.h>

enum {
	MIB = 1 << 20,
	FAR = 3
};

static int me, n;

static shmemx_space_t
make(shmem_team_t team, const char *file, size_t page_size, int map)
{
	const shmemx_space_config_t c = {
		.size = 2 * MIB, .page_size = page_size, .node = -1, .file = file, .map = map};
	shmemx_space_t space;

	if (shmemx_space_create(team, &c, &space) != 0)
		shmem_global_exit(3);
	return space;
}

static void
expect(const char *what, long is, long should)
{
	if (is == should)
		return;
	fprintf(stderr, "PE %d: %s is %ld, not %ld\n", me, what, is, should);
	shmem_global_exit(1);
}

/* Each PE stores to those 0 to 3 to the right: its own word of each, and all add to one. */
static void
fill(long *a)
{
	int d;

	for (d = 0; d <= FAR; d++) {
		shmem_long_p(&a[1 + d], 100 * me + d, (me + d) % n);
		shmem_long_atomic_add(&a[0], d, (me + d) % n);
	}
	shmem_barrier_all();
}

static void
check(const long *a)
{
	int d;

	for (d = 0; d <= FAR; d++)
		expect("a word", a[1 + d], 100 * ((me - d % n + n) % n) + d);
	expect("the sum", a[0], 0 + 1 + 2 + 3);
}

/* The even PEs; the file of another team is not touched. */
static void
of_a_team(const char *file)
{
	shmem_team_t even;

	shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, (n + 1) / 2, NULL, 0, &even);
	if (even != SHMEM_TEAM_INVALID) {
		shmemx_space_t space = make(even, file, 0, 1);
		long *a = shmemx_space_malloc(space, sizeof(*a));

		shmem_long_p(a, 5, shmem_team_translate_pe(even, 0, SHMEM_TEAM_WORLD));
		shmem_team_sync(even);
		if (me == 0)
			expect("PE 0's word", *a, 5);
		shmemx_space_destroy(space);
	}
	shmem_barrier_all();
}

/* Until the test is done with it. */
static void
hold(const char *file)
{
	char done[4096];

	snprintf(done, sizeof(done), "%s.done", file);
	shmem_barrier_all();
	if (me == 0)
		printf("held\n"), fflush(stdout);
	while (me == 0 && access(done, F_OK) != 0)
		usleep(10000);
	shmem_barrier_all();
}

/* The place of a space that ended is the heap's again, and its file is let alone: the next job
 * reads it. */
static void
use_again(void)
{
	shmemx_space_t space = make(SHMEM_TEAM_WORLD, NULL, 0, 0);
	long *a = shmemx_space_malloc(space, (2 + FAR) * sizeof(*a));

	expect("a word of a new space", a[0], 0);
	shmem_barrier_all();
	fill(a);
	check(a);
	shmem_barrier_all();
	a[0] = -1;
	shmemx_space_destroy(space);
}

/* A child does not keep the file from the next space. */
static void
fork_beside(const char *file)
{
	shmemx_space_t space = make(SHMEM_TEAM_WORLD, file, 0, 1);
	char there = 0;
	int ends[2];
	pid_t pid = pipe(ends) == 0 ? fork() : -1;

	if (pid == 0 && write(ends[1], &there, 1) == 1)
		for (;;)
			pause();
	/* the child's handlers of fork() have run */
	if (pid < 0 || read(ends[0], &there, 1) != 1)
		exit(1);
	shmemx_space_destroy(space);
	shmemx_space_destroy(make(SHMEM_TEAM_WORLD, file, 0, 1));
	kill(pid, SIGKILL);
}

int
main(int argc, char **argv)
{
	const char *mode = argc > 2 ? argv[1] : "", *file = argc > 2 ? argv[2] : "";
	shmemx_space_t space;
	long *a;

	setenv("SHMEM_SPACES", "4M", 1);
	shmem_init();
	me = shmem_my_pe();
	n = shmem_n_pes();
	if (strcmp(mode, "team") == 0) {
		of_a_team(file);
		shmem_finalize();
		return 0;
	}
	if (strcmp(mode, "fork") == 0) {
		fork_beside(file);
		shmem_finalize();
		return 0;
	}
	if (strcmp(mode, "chdir") == 0 && me == 1 && chdir("elsewhere") != 0)
		shmem_global_exit(1);
	space = make(SHMEM_TEAM_WORLD, file, strcmp(mode, "huge") == 0 ? 2 * MIB : 0,
		     strcmp(mode, "plain") != 0);
	a = shmemx_space_malloc(space, (2 + FAR) * sizeof(*a));
	if (strcmp(mode, "check") != 0)
		fill(a);
	check(a);
	shmem_barrier_all();
	if (strcmp(mode, "hold") == 0)
		hold(file);
	if (strcmp(mode, "killed") == 0 && me == n - 1)
		raise(SIGKILL);
	if (strcmp(mode, "killed") == 0)
		shmem_barrier_all(); /* never ends */
	if (shmemx_space_flush(space) != 0 || shmemx_space_destroy(space) != 0)
		shmem_global_exit(1);
	use_again();
	shmem_finalize();
	return 0;
}
