/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * A job without a launcher: PE 0 makes the id and leaves it in a file, where the others find it.
 *
 * Usage: by_id FILE PE PES, once for each PE, at the same time and in any order
 */
#include <shmem.h>
#include <shmemx.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* By another name first, so that nobody reads half an id. */
static int
leave_id(const char *name, const char *id)
{
	char draft[4096];
	FILE *f;

	snprintf(draft, sizeof(draft), "%s.new", name);
	f = fopen(draft, "w");
	return f == NULL || fputs(id, f) < 0 || fclose(f) != 0 || rename(draft, name) != 0;
}

static int
find_id(const char *name, char id[SHMEMX_ID_SIZE])
{
	const struct timespec nap = {.tv_nsec = 10 * 1000 * 1000};
	FILE *f = NULL;
	int tries;

	for (tries = 0; tries < 6000 && (f = fopen(name, "r")) == NULL; tries++)
		nanosleep(&nap, NULL);
	if (f == NULL || fgets(id, SHMEMX_ID_SIZE, f) == NULL)
		return 1;
	return fclose(f);
}

int
main(int argc, char **argv)
{
	static long from = -1;
	char id[SHMEMX_ID_SIZE];
	int me, n;

	if (argc != 4) {
		fprintf(stderr, "usage: by_id FILE PE PES\n");
		return 2;
	}
	me = atoi(argv[2]);
	n = atoi(argv[3]);
	if (me == 0 ? shmemx_make_id(id) != 0 || leave_id(argv[1], id) != 0
		    : find_id(argv[1], id) != 0) {
		fprintf(stderr, "PE %d: no id in %s\n", me, argv[1]);
		return 1;
	}
	if (shmemx_init_by_id(id, me, n, SHMEM_THREAD_SINGLE, NULL) != 0)
		return 1;
	shmem_long_p(&from, me, (me + 1) % n);
	shmem_barrier_all();
	printf("PE %d of %d: %s\n", me, n, from == (me + n - 1) % n ? "right" : "wrong");
	shmem_finalize();
	return from != (me + n - 1) % n;
}
