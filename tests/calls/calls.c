/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Usage: calls [-s SEED] [-e EPOCHS] [-k FILE] [-a SECONDS] [-l] [-v]
 *   -k  leave out the calls that FILE names (skip.c)
 *   -a  an epoch that takes longer hangs
 *   -l  PE 0 lists all calls that are made
 *   -v  each PE tells each call before it makes it
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "calls.h"
#include "watch.h"

static struct options {
	int epochs;
	unsigned int limit;
	bool list;
	const char *skip;
} options = {.epochs = 20, .limit = 60};

static bool
parse(int argc, char **argv)
{
	int opt;

	while ((opt = getopt(argc, argv, "s:e:k:a:lv")) != -1) {
		if (opt == 's')
			world.seed = strtoull(optarg, NULL, 0);
		else if (opt == 'e')
			options.epochs = atoi(optarg);
		else if (opt == 'k')
			options.skip = optarg;
		else if (opt == 'a')
			options.limit = (unsigned int)atoi(optarg);
		else if (opt == 'l')
			options.list = true;
		else if (opt == 'v')
			world.verbose = true;
		else
			return false;
	}
	if (optind != argc || options.epochs < 1)
		return false;
	if (options.skip == NULL || skip_read(options.skip))
		return true;
	fprintf(stderr, "calls: %s cannot be read, or is no list of calls\n", options.skip);
	return false;
}

static void
list(const struct epoch *e)
{
	int i;

	for (i = 0; i < e->n; i++)
		if (!e->op[i].dropped)
			show_op(&e->op[i], e->number);
}

int
main(int argc, char **argv)
{
	static struct epoch epoch;
	long calls = 0;
	int provided, level, i;

	world.seed = 1;
	if (!parse(argc, argv)) {
		fprintf(stderr,
			"usage: %s [-s SEED] [-e EPOCHS] [-k FILE] [-a SECONDS] [-l] [-v]\n",
			argv[0]);
		return 2;
	}
	/* Other seeds, other ways through the library. */
	world.threads = world.seed % 3 != 0;
	watch_open(options.limit);
	level = world.threads ? SHMEM_THREAD_MULTIPLE : SHMEM_THREAD_SINGLE;
	if (shmem_init_thread(level, &provided) != 0 || provided < level)
		return 1;
	world.me = shmem_my_pe();
	world.npes = shmem_n_pes();
	if (world.npes > MAX_PES) {
		fprintf(stderr, "calls: %d PEs, more than %d\n", world.npes, MAX_PES);
		return 2;
	}
	world_open();
	for (i = 0; i < options.epochs; i++) {
		make_epoch(&epoch, i);
		ref_epoch(&epoch);
		if (options.list && world.me == 0)
			list(&epoch);
		run_epoch(&epoch);
		ref_forget(&epoch);
		calls += epoch.n;
	}
	if (world.me == 0)
		printf("seed %llu: %d epochs, %ld calls, ok\n", (unsigned long long)world.seed,
		       options.epochs, calls);
	world_close();
	shmem_finalize();
	return 0;
}
