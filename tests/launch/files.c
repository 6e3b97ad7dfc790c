/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
/*
 * A program that does to its descriptors what a program may do. Each argument is a deed: before
 * shmem_init, or "/" and what follows after it.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <shmem.h>

enum {
	FDS = 256,
	SOCKETS = 40,
	OWN = 2 << 20,	  /* bytes of the program's own file */
	PRIVATE = 100000, /* bytes */
	GROWS = 80 << 20, /* a part of the heap that is committed, and given back */
};

static long count;
static int own[SOCKETS][2];
static bool reused;

static void
close_all(void)
{
	int fd;

	for (fd = STDERR_FILENO + 1; fd < FDS; fd++)
		close(fd);
}

/* Every number becomes a file or a socket of the program. */
static void
reuse_all(void)
{
	FILE *f = tmpfile();
	int i, fd;

	for (i = 0; i < SOCKETS; i++)
		if (f == NULL || socketpair(AF_UNIX, SOCK_STREAM, 0, own[i]) != 0)
			exit(2);
	if (ftruncate(fileno(f), OWN) != 0 || posix_fallocate(fileno(f), 0, OWN) != 0)
		exit(3);
	for (fd = STDERR_FILENO + 1; fd < FDS; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			dup2(fileno(f), fd);
	reused = true;
}

static bool
is_unhurt(void)
{
	struct stat st;
	bool same;
	char c;
	int i;

	same = fstat(FDS - 1, &st) == 0 && st.st_size == OWN && st.st_blocks * 512 >= OWN;
	for (i = 0; i < SOCKETS; i++)
		same = same && recv(own[i][0], &c, 1, MSG_DONTWAIT) < 0 &&
		       recv(own[i][1], &c, 1, MSG_DONTWAIT) < 0;
	return same;
}

static void
act(const char *deed)
{
	if (strcmp(deed, "close") == 0)
		close_all();
	else if (strcmp(deed, "reuse") == 0)
		reuse_all();
	else if (strcmp(deed, "quiet") == 0)
		close(STDOUT_FILENO);
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

static void
use_job(int me, int n)
{
	char *large = shmem_malloc(GROWS);
	long i, bad = 0;

	if (large == NULL)
		shmem_global_exit(4);
	memset(large, 1, GROWS);
	shmem_free(large);
	large = shmem_calloc(GROWS, 1);
	for (i = 0; i < 200; i++)
		printf("line %ld\n", i);
	fflush(stdout);
	shmem_long_atomic_inc(&count, (me + 1) % n);
	shmem_barrier_all();
	for (i = 0; i < GROWS; i++)
		bad += large[i] != 0;
	if (bad != 0 || count != 1 || !move_private(me, n))
		shmem_global_exit(5);
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
	use_job(shmem_my_pe(), shmem_n_pes());
	fprintf(stderr, "PE of %d is right\n", shmem_n_pes());
	shmem_finalize();
	return reused && !is_unhurt() ? 6 : 0;
}
