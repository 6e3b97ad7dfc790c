/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Habits that other implementations allow: a macro of theirs asked for the version, work arrays on
 * the stack, small and bad alignments, bits of signed words, deprecated names, a second finalize,
 * results and PE numbers read after it.
 */
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>

#if !defined(OSHMEM_SPEC_VERSION) || OSHMEM_SPEC_VERSION < 10300
#error "not even OpenSHMEM 1.3"
#endif

static uint64_t came;
static int sum, part, bits;

static void
reduce(int me, int n)
{
	long sync[SHMEM_REDUCE_SYNC_SIZE];
	int work[SHMEM_REDUCE_MIN_WRKDATA_SIZE], i, round;

	for (i = 0; i < SHMEM_REDUCE_SYNC_SIZE; i++)
		sync[i] = SHMEM_SYNC_VALUE;
	for (round = 1; round < 4; round++) {
		part = me + round;
		shmem_barrier_all();
		shmem_int_sum_to_all(&sum, &part, 1, 0, 0, n, work, sync);
		if (sum != n * (n - 1) / 2 + round * n) {
			fprintf(stderr, "%d of %d: the sum is %d\n", me, n, sum);
			shmem_global_exit(1);
		}
	}
}

int
main(void)
{
	int me, n;

	shmem_init();
	me = shmem_my_pe();
	n = shmem_n_pes();
	reduce(me, n);
	shmem_free(shmem_align(2, 100));
	shmem_int_atomic_or(&bits, 1 << me, 0);
	shmem_barrier_all();
	if (shmem_align(24, 100) != NULL || (me == 0 && bits != (1 << n) - 1))
		return 1;
	shmem_uint64_p(&came, (uint64_t)me + 1, (me + 1) % n);
	shmem_finalize();
	shmem_finalize();
	if (came != (uint64_t)((me + n - 1) % n) + 1 || me != shmem_my_pe() || n != shmem_n_pes()) {
		fprintf(stderr, "%d of %d: %ju came\n", me, n, (uintmax_t)came);
		return 1;
	}
	printf("%d of %d: passed\n", shmem_my_pe(), shmem_n_pes());
	return 0;
}
