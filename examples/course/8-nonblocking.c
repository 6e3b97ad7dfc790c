/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Lesson 8: add up the blocks of all PEs; the next block comes while this one is added.
 */
#include "lesson.h"

#define N 4096

static long block[N];

static long
add_up(const long *from)
{
	long sum = 0;

	for (int i = 0; i < N; i++)
		sum += from[i];
	return sum;
}

int
main(void)
{
	static long buffer[2][N];
	shmem_ctx_t ctx;
	long sum = 0;

	shmem_init();
	int me = shmem_my_pe(), n = shmem_n_pes();

	for (int i = 0; i < N; i++)
		block[i] = 1 + me;
	shmem_barrier_all();
	if (shmem_ctx_create(SHMEM_CTX_SERIALIZED, &ctx) != 0)
		shmem_global_exit(1);
	shmem_ctx_long_get(ctx, buffer[0], block, N, me);
	for (int step = 0; step < n; step++) {
		long *now = buffer[step % 2], *next = buffer[(step + 1) % 2];
		int pe = (me + step + 1) % n;

		/* YOURS: start to get block of pe into next, on ctx, without waiting. Add the sum
		 * of now to sum. Then wait for what was started on ctx. */
		shmem_ctx_long_get_nbi(ctx, next, block, N, pe);
		sum += add_up(now);
		shmem_ctx_quiet(ctx);
		/* END OF YOURS */
	}
	lesson_says("sum", sum, N * (n * (n + 1L) / 2));
	shmem_ctx_destroy(ctx);
	shmem_finalize();
	return 0;
}
