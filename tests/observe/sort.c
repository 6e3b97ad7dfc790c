/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
/* An integer sort, for a trace: each PE draws keys, sends each to the PE that has its range of
 * values, and sorts what has come. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <shmem.h>

enum {
	KEYS = 16384, /* of each PE */
	ROUNDS = 8,
};

static int
compare_keys(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static uint32_t
draw_key(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*seed >> 40);
}

/* Keys of @p me by their target: @p to has n of them each, begun at KEYS * target. */
static void
deal_keys(int me, int n, uint64_t round, uint32_t *key, size_t *count)
{
	uint64_t seed = round * 1000003 + (uint64_t)me + 1;
	int i, pe;

	for (pe = 0; pe < n; pe++)
		count[pe] = 0;
	for (i = 0; i < KEYS; i++) {
		uint32_t k = draw_key(&seed);

		pe = (int)((uint64_t)k * (uint64_t)n >> 24);
		key[(size_t)pe * KEYS + count[pe]++] = k;
	}
}

static long
check_keys(const uint32_t *key, size_t n, int me, int pes)
{
	long errors = 0;
	size_t i;

	for (i = 0; i < n; i++)
		errors += (i > 0 && key[i - 1] > key[i]) ||
			  (int)((uint64_t)key[i] * (uint64_t)pes >> 24) != me;
	return errors;
}

int
main(void)
{
	static size_t next;
	static long sum, all;
	uint32_t *mine, *got;
	size_t *count, at, round;
	long errors = 0;
	int me, n, pe, i;

	shmem_init();
	me = shmem_my_pe();
	n = shmem_n_pes();
	mine = malloc(sizeof(*mine) * KEYS * (size_t)n);
	count = malloc(sizeof(*count) * (size_t)n);
	got = shmem_malloc(sizeof(*got) * KEYS * (size_t)n);
	if (!mine || !count || !got)
		return 2;
	for (round = 0; round < ROUNDS; round++) {
		next = 0;
		shmem_barrier_all();
		deal_keys(me, n, round, mine, count);
		for (i = 0; i < n; i++) {
			pe = (me + i) % n;
			at = shmem_size_atomic_fetch_add(&next, count[pe], pe);
			shmem_uint32_put(got + at, mine + (size_t)pe * KEYS, count[pe], pe);
		}
		shmem_barrier_all();
		qsort(got, next, sizeof(*got), compare_keys);
		errors += check_keys(got, next, me, n);
		sum = (long)next;
		shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &all, &sum, 1);
		errors += all != (long)KEYS * n;
	}
	if (errors)
		fprintf(stderr, "PE %d: %ld wrong keys\n", me, errors);
	shmem_finalize();
	return errors != 0;
}
