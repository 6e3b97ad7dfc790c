/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * A cable of a running job breaks, by the fault hooks of the emulated port that PE 0 has. Then PE 0
 * completes operations with all others, which wait for a flag of its, or in a collective.
 *
 * A PE that dies of a bad address says so itself: the launcher names the reason that came first.
 *
 * Usage: cut FAULT(fault_cable, fault_retrain or none) OPERATION(quiet, get, add, barrier; stay: PE
 * 0 waits a minute for the end)
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <rte_rawdev.h>

#include <shmem.h>

static long flag;
static long data[4096];

static void
on_bad_address(int sig)
{
	static const char words[] = "cut: a PE died of a bad address\n";

	(void)sig;
	_exit(write(STDERR_FILENO, words, sizeof(words) - 1) < 0 ? 4 : 5);
}

static void
cut(const char *fault)
{
	if (strcmp(fault, "none") == 0)
		return;
	if (rte_rawdev_set_attr(0, fault, 1) < 0) {
		fprintf(stderr, "cut: port 0 has no %s\n", fault);
		shmem_global_exit(3);
	}
}

static void
complete(long *target, int pe, const char *how)
{
	long got;

	if (strcmp(how, "quiet") == 0) {
		shmem_long_put(target, data, 4096, pe);
		shmem_quiet();
	} else if (strcmp(how, "get") == 0) {
		shmem_long_get(data, target, 4096, pe);
	} else if (strcmp(how, "add") == 0) {
		got = shmem_long_atomic_fetch_add(target, 1, pe);
		(void)got;
	} else {
		shmem_barrier_all();
	}
}

/* A PE that waits looks at its cables every millisecond. Without this the job may be over first. */
static void
notice(long ms)
{
	struct timespec now, end;

	clock_gettime(CLOCK_MONOTONIC, &end);
	do {
		shmem_long_test(&flag, SHMEM_CMP_EQ, 1);
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while ((now.tv_sec - end.tv_sec) * 1000 + (now.tv_nsec - end.tv_nsec) / 1000000 < ms);
}

int
main(int argc, char **argv)
{
	long *heap;
	int me, n, i;

	if (argc != 3)
		return 2;
	signal(SIGSEGV, on_bad_address);
	shmem_init();
	me = shmem_my_pe();
	n = shmem_n_pes();
	heap = shmem_malloc(sizeof(data));
	for (i = 0; i < 4096; i++)
		data[i] = me;
	shmem_long_put(heap, data, 4096, (me + 1) % n);
	shmem_barrier_all();
	if (me == 0) {
		cut(argv[1]);
		for (i = 1; i < n; i++)
			complete(heap, i, argv[2]);
		printf("%s is complete\n", argv[2]);
		fflush(stdout);
		notice(strcmp(argv[2], "stay") == 0 ? 60000 : 100);
		for (i = 1; i < n; i++)
			shmem_long_p(&flag, 1, i);
	}
	/* half of the others wait for a flag first, so that the collective has not all its PEs */
	if (me % 2 == 1)
		shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
	shmem_sync_all();
	shmem_finalize();
	return 0;
}
