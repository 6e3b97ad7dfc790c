/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
/*
 * A program that does to its descriptors what a program may do. Each argument is a deed: before
 * shmem_init, or "/" and what follows after it.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <shmem.h>

enum {
	FDS = 256,
	PRIVATE = 100000, /* bytes */
};

static void
close_all(void)
{
	int fd;

	for (fd = STDERR_FILENO + 1; fd < FDS; fd++)
		close(fd);
}

static void
act(const char *deed)
{
	if (strcmp(deed, "close") == 0)
		close_all();
	else if (strcmp(deed, "drop") == 0 && setuid(65534) != 0)
		prctl(PR_SET_DUMPABLE, 0);
}

/* From and to private memory, which the PE with the ports of a host reads, or does not any more. */
static bool
move_private(int me, int n)
{
	long *here = malloc(PRIVATE), *far = shmem_malloc(PRIVATE), i, bad = 0;
	int round;

	for (round = 0; round < 4; round++) {
		for (i = 0; i < PRIVATE / 8; i++)
			here[i] = me * PRIVATE + i + round;
		shmem_long_put(far, here, PRIVATE / 8, (me + 1) % n);
		shmem_barrier_all();
		for (i = 0; i < PRIVATE / 8; i++)
			bad += far[i] != (me + n - 1) % n * PRIVATE + i + round;
		shmem_long_get(here, far, PRIVATE / 8, (me + 1) % n);
		for (i = 0; i < PRIVATE / 8; i++)
			bad += here[i] != me * PRIVATE + i + round;
		shmem_barrier_all();
	}
	free(here);
	return bad == 0;
}

int
main(int argc, char **argv)
{
	int i;

	for (i = 1; i < argc && strcmp(argv[i], "/") != 0; i++)
		act(argv[i]);
	shmem_init();
	for (; i < argc; i++)
		act(argv[i]);
	if (move_private(shmem_my_pe(), shmem_n_pes()))
		printf("PE of %d is right\n", shmem_n_pes());
	shmem_finalize();
	return 0;
}
