/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Symmetric memory: all of it, and transfers to what was taken last.
 * Run with a heap of 128 MiB.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "multi.h"

/** Every PE writes to its right neighbours' copy of @p block, ends and middle, and checks. */
static void
use(unsigned char *block, size_t len, int key)
{
	size_t piece = len < 3000 ? len / 3 : 1000;
	size_t at[3] = {0, len < 3000 ? piece : len / 2, len - piece};
	unsigned char data[1000];
	int d, i;

	for (d = 0; d < mt_distances(); d++) {
		for (i = 0; i < 3; i++) {
			mt_fill(data, piece, (uint64_t)(mt_me * 8 + i + key));
			shmem_putmem(block + at[i], data, piece, mt_pe(d));
		}
		shmem_barrier_all();
		for (i = 0; i < 3; i++)
			CHECK_EQ(mt_differs(block + at[i], piece,
					    (uint64_t)(mt_pe(-d) * 8 + i + key)),
				 piece);
		shmem_getmem(data, block + at[2], piece, mt_pe(d));
		CHECK_EQ(mt_differs(data, piece, (uint64_t)(mt_me * 8 + 2 + key)), piece);
		shmem_barrier_all();
	}
}

static void
case_nothing(void)
{
	CHECK(shmem_malloc(0) == NULL);
	CHECK(shmem_calloc(0, 8) == NULL);
	CHECK(shmem_calloc(8, 0) == NULL);
	CHECK(shmem_calloc(SIZE_MAX / 2, 3) == NULL);
	CHECK(shmem_align(64, 0) == NULL);
	CHECK(shmem_malloc_with_hints(0, SHMEM_MALLOC_SIGNAL_REMOTE) == NULL);
	CHECK(shmem_realloc(NULL, 0) == NULL);
	shmem_free(NULL);
}

/** Alignments beyond a huge page: alike on all PEs, wherever their heaps are. The heaps of
 * intel_ring.py are in the EAL's memory, which is aligned to a huge page for certain. */
static void
case_align_more(void)
{
	const size_t most = 16 << 20, certain = getenv("MULTI_RING") == NULL ? most : 2 << 20;
	size_t align;
	uint64_t *a;

	for (align = 1 << 20; align <= most; align *= 2) {
		a = shmem_align(align, 3 * sizeof(*a));
		if (a == NULL && align > certain)
			break;
		CHECK_MSG(a != NULL, "no %zu bytes aligned to %zu", 3 * sizeof(*a), align);
		if (a == NULL)
			break;
		CHECK_EQ((uintptr_t)a % align, 0);
		a[1] = 0;
		shmem_barrier_all();
		shmem_uint64_p(&a[1], align + (uint64_t)mt_me, mt_pe(1));
		shmem_barrier_all();
		CHECK_EQ(a[1], align + (uint64_t)mt_pe(-1));
		shmem_free(a);
	}
	/* No heap has room at such addresses; all PEs get NULL. */
	CHECK(shmem_align((size_t)1 << 48, 8) == NULL);
	CHECK(shmem_align(SIZE_MAX / 2 + 1, 8) == NULL);
}

/** Zeroed before anyone can write: a PE that leaves calloc early writes to one that is late. */
static void
case_calloc_race(void)
{
	int round;
	long *word;

	for (round = 0; round < 20; round++) {
		word = shmem_calloc(1000, sizeof(*word));
		shmem_long_p(&word[round], mt_me + 1, mt_pe(1));
		shmem_barrier_all();
		CHECK_EQ(word[round], mt_pe(-1) + 1);
		CHECK_EQ(mt_differs_from(word, (size_t)round * sizeof(*word), 0),
			 (size_t)round * sizeof(*word));
		shmem_free(word);
	}
}

/** Out of memory is the same on all PEs, and freed memory can be allocated again. */
static void
case_exhaust(void)
{
	enum {
		MANY = 512
	};
	static void *block[MANY];
	static long count, other;
	size_t len = 3 << 20;
	int round, i;

	CHECK(shmem_malloc((size_t)1 << 45) == NULL);
	CHECK(shmem_malloc(SIZE_MAX) == NULL);
	for (round = 0; round < 2; round++) {
		for (count = 0; count < MANY; count++) {
			block[count] = shmem_malloc(len);
			if (!block[count])
				break;
		}
		CHECK(count > 4 && count < MANY);
		shmem_barrier_all();
		other = shmem_long_g(&count, mt_pe(1));
		CHECK_EQ(count, other);
		use(block[count - 1], len, round);
		/* In another order than they were allocated. */
		for (i = 0; i < count; i += 2)
			shmem_free(block[i]);
		for (i = 1; i < count; i += 2)
			shmem_free(block[i]);
		shmem_barrier_all();
	}
	block[0] = shmem_malloc(len * (size_t)(other - 1));
	CHECK(block[0] != NULL);
	if (block[0])
		use(block[0], len * (size_t)(other - 1), 9);
	shmem_free(block[0]);
}

/* Free and realloc wait for everybody: what others still write is not handed out again. */
static void
case_free_waits(void)
{
	enum {
		LEN = 50000
	};
	static unsigned char data[LEN];
	int round;

	for (round = 0; round < 20; round++) {
		unsigned char *a = mt_alloc(LEN), *b;

		memset(data, round, sizeof(data));
		shmem_putmem(a, data, LEN, mt_pe(1));
		shmem_free(a);
		b = mt_alloc(LEN);
		memset(b, 0xee, LEN);
		shmem_barrier_all();
		CHECK_EQ(mt_differs_from(b, LEN, 0xee), LEN);
		shmem_free(b);
	}
}

MT_PROGRAM(SHMEM_THREAD_SINGLE, {"nothing", case_nothing}, {"align_more", case_align_more},
	   {"calloc_race", case_calloc_race}, {"exhaust", case_exhaust},
	   {"free_waits", case_free_waits})
