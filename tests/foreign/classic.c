/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * A program of the days of OpenSHMEM 1.0 and 1.2: start_pes, old names and their header, active
 * sets, no finalize.
 */
#include <stdio.h>
#include <mpp/shmem.h>

#define N 512

static long psync[_SHMEM_REDUCE_SYNC_SIZE], bsync[_SHMEM_BCAST_SYNC_SIZE];
static long csync[_SHMEM_COLLECT_SYNC_SIZE], barsync[_SHMEM_BARRIER_SYNC_SIZE];
static double pwrk[N / 2 + 1 > _SHMEM_REDUCE_MIN_WRKDATA_SIZE ? N / 2 + 1
							      : _SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static double in[N], out[N];
static long source[4];
static int failures;

#define EXPECT(what)                                                                             \
	do {                                                                                     \
		if (!(what)) {                                                                   \
			fprintf(stderr, "%d: %s:%d: %s\n", _my_pe(), __FILE__, __LINE__, #what); \
			failures++;                                                              \
		}                                                                                \
	} while (0)

static void
reduce_and_move(int me, int n)
{
	static long all[64 * 4];
	int i, p;

	for (i = 0; i < N; i++) {
		in[i] = me + i;
		out[i] = -1;
	}
	shmem_barrier_all();
	shmem_double_sum_to_all(out, in, N, 0, 0, n, pwrk, psync);
	for (i = 0; i < N; i++)
		EXPECT(out[i] == n * (n - 1) / 2 + (double)n * i);
	shmem_barrier_all();
	out[0] = -5;
	shmem_broadcast64(out, in, N, n - 1, 0, 0, n, bsync);
	EXPECT(out[0] == (me == n - 1 ? -5 : n - 1));
	for (i = 0; i < 4; i++)
		source[i] = me * 10 + i;
	shmem_fcollect64(all, source, 4, 0, 0, n, csync);
	for (p = 0; p < n; p++)
		for (i = 0; i < 4; i++)
			EXPECT(all[p * 4 + i] == p * 10 + i);
	shmem_barrier(0, 0, n, barsync);
}

int
main(void)
{
	int me, n, i;
	double *heap;

	start_pes(0);
	me = _my_pe();
	n = _num_pes();
	for (i = 0; i < _SHMEM_REDUCE_SYNC_SIZE; i++)
		psync[i] = _SHMEM_SYNC_VALUE;
	for (i = 0; i < _SHMEM_BCAST_SYNC_SIZE; i++)
		bsync[i] = _SHMEM_SYNC_VALUE;
	for (i = 0; i < _SHMEM_COLLECT_SYNC_SIZE; i++)
		csync[i] = _SHMEM_SYNC_VALUE;
	for (i = 0; i < _SHMEM_BARRIER_SYNC_SIZE; i++)
		barsync[i] = _SHMEM_SYNC_VALUE;
	shmem_barrier_all();
	reduce_and_move(me, n);
	heap = shmalloc(N * sizeof(*heap));
	heap = shrealloc(heap, 4 * N * sizeof(*heap));
	EXPECT(heap != NULL && shmem_addr_accessible(heap, (me + 1) % n));
	shmem_double_put(heap, in, N, (me + 1) % n);
	shmem_quiet();
	shmem_barrier_all();
	EXPECT(heap != NULL && heap[1] == (me + n - 1) % n + 1);
	shfree(heap);
	EXPECT(shmem_ptr(in, me) == in && shmem_pe_accessible((me + 1) % n));
	printf("%d of %d: %s\n", me, n, failures == 0 ? "passed" : "FAILED");
	return failures != 0;
}
