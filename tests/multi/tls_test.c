/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
/* Much thread-local data, as OpenMP's threadprivate arrays are: each thread of the library has a
 * copy of it in its stack, and room beside it. */
#include <pthread.h>
#include <stdio.h>

#include <shmem.h>

enum {
	ROUNDS = 100,
	DEEP = 512 * 1024 /* of stack, as a thread of DPDK may want */
};

static __thread char mine[TLS_MIB << 20];
static long count;

static void *
go_deep(void *arg)
{
	volatile char frame[DEEP];
	size_t i;

	for (i = 0; i < sizeof(frame); i += 1024)
		frame[i] = 1;
	mine[0] = frame[0];
	return arg;
}

/* A thread that is started without a stack size, as those of DPDK are. */
static int
start_thread(void)
{
	pthread_t thread;

	return pthread_create(&thread, NULL, go_deep, NULL) == 0 && pthread_join(thread, NULL) == 0;
}

int
main(void)
{
	int me, to, i;

	shmem_init();
	me = shmem_my_pe();
	to = (me + 1) % shmem_n_pes();
	mine[sizeof(mine) - 1] = (char)(me + 1);
	/* executed by service lcores where the PEs are on two hosts */
	for (i = 0; i < ROUNDS; i++)
		shmem_long_atomic_inc(&count, to);
	shmem_barrier_all();
	if (!start_thread() || count != ROUNDS || mine[sizeof(mine) - 1] != me + 1) {
		fprintf(stderr, "PE %d: count %ld, own byte %d\n", me, count,
			mine[sizeof(mine) - 1]);
		shmem_global_exit(1);
	}
	shmem_finalize();
	return 0;
}
