/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
/*
 * A program for made-up surroundings: it uses memory of all kinds, and each PE prints "right".
 * Usage: confined [WHAT MIB]: one piece of so much "heap", or of "private" memory, besides; or as
 * much heap as there is, up to so much ("all"). Where there is none the job ends with 3.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <shmem.h>

enum {
	WORDS = 20000, /* larger than what frames and messages carry inline */
	NO_MEMORY = 3,
};

static long data[WORDS]; /* static, symmetric */

static void
fill(long *to, int pe)
{
	int i;

	for (i = 0; i < WORDS; i++)
		to[i] = pe * 100000L + i;
}

static int
wrong(const long *at, int pe)
{
	int i, bad = 0;

	for (i = 0; i < WORDS; i++)
		bad += at[i] != pe * 100000L + i;
	return bad;
}

/* Between memory of all kinds: heap, static data, and private memory as source and destination. */
static int
move(long *heap, int me, int n)
{
	long *mine = malloc(WORDS * sizeof(*mine));
	/* as far away as the ring has it, and the PE of which this one is that */
	int there = (me + n / 2) % n, from = (me + n - n / 2) % n, bad = 0;

	if (mine == NULL)
		return 1;
	fill(mine, me);
	shmem_long_put(heap, mine, WORDS, there);
	shmem_long_put_nbi(data, mine, WORDS, there);
	shmem_barrier_all();
	bad += wrong(heap, from) + wrong(data, from);
	memset(mine, 0, WORDS * sizeof(*mine));
	shmem_long_get(mine, heap, WORDS, there);
	bad += wrong(mine, me);
	memset(mine, 0, WORDS * sizeof(*mine));
	shmem_long_get_nbi(mine, data, WORDS, (me + 1) % n);
	shmem_quiet();
	bad += wrong(mine, (from + 1) % n);
	shmem_barrier_all();
	free(mine);
	return bad;
}

static int
collect(long *heap, int me, int n)
{
	long *sum = heap + WORDS;
	int bad = 0;

	fill(heap, 1);
	shmem_barrier_all();
	shmem_long_sum_reduce(SHMEM_TEAM_WORLD, sum, heap, WORDS);
	bad += sum[1] != 100001L * n;
	shmem_barrier_all();
	*sum = 0;
	shmem_barrier_all();
	shmem_long_atomic_inc(sum, (me + 1) % n);
	bad += shmem_long_atomic_fetch_add(sum, 5, me) > 1;
	shmem_barrier_all();
	return bad + (*sum != 6);
}

/* As much heap as there is, up to so much, and then what fills each buffer of the library. False:
 * there is none. */
static int
take_all(size_t mib, int me, int n)
{
	size_t i, piece = 1 << 20;
	void *p, *last = NULL;

	for (i = 0; i < mib && (p = shmem_malloc(piece)) != NULL; i++) {
		memset(p, 1, piece);
		last = p;
	}
	for (i = 0; last != NULL && i < 100; i++)
		shmem_putmem_nbi(last, last, piece, (me + n / 2) % n);
	shmem_barrier_all();
	return last != NULL;
}

/* False: there is none. Each byte is written. */
static int
take(const char *what, size_t mib)
{
	void *p = strcmp(what, "heap") == 0 ? shmem_malloc(mib << 20) : malloc(mib << 20);

	if (p != NULL)
		memset(p, 1, mib << 20);
	return p != NULL;
}

int
main(int argc, char **argv)
{
	size_t mib = 0;
	int me, n, bad;
	long *heap;

	shmem_init();
	me = shmem_my_pe();
	n = shmem_n_pes();
	heap = shmem_malloc(2 * WORDS * sizeof(*heap));
	if (argc > 2)
		mib = strtoul(argv[2], NULL, 10);
	if (heap == NULL || (mib > 0 && !(strcmp(argv[1], "all") == 0 ? take_all(mib, me, n)
								      : take(argv[1], mib)))) {
		shmem_barrier_all();
		shmem_global_exit(NO_MEMORY);
	}
	bad = move(heap, me, n) + collect(heap, me, n);
	if (bad == 0)
		printf("PE %d of %d: right\n", me, n);
	fflush(stdout);
	shmem_finalize();
	return bad == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
