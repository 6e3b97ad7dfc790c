/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Memory management: the same object has the same place on every PE, whatever was allocated and
 * freed before, and all PEs get the same answer.
 */
#include <stdint.h>
#include <string.h>

#include "multi.h"

enum {
	BLOCKS = 40,
	ROUNDS = 60
};

/* Fill the right neighbour's copy and check this PE's copy, which the left one has filled. */
static void
check_shared(unsigned char *p, size_t len, uint64_t key)
{
	static unsigned char data[70000];
	size_t at, part;

	for (at = 0; at < len; at += part) {
		part = len - at < sizeof(data) ? len - at : sizeof(data);
		mt_fill(data, part, key + (uint64_t)mt_me + at);
		shmem_putmem(p + at, data, part, mt_pe(1));
	}
	shmem_barrier_all();
	for (at = 0; at < len; at += part) {
		part = len - at < sizeof(data) ? len - at : sizeof(data);
		CHECK_EQ(mt_differs(p + at, part, key + (uint64_t)mt_pe(-1) + at), part);
	}
	shmem_barrier_all();
}

static void
case_many(void)
{
	static unsigned char *block[BLOCKS];
	uint64_t random = mt_options.seed;
	long round;

	for (round = 0; round < ROUNDS * mt_options.factor; round++) {
		uint64_t r = mt_random(&random);
		size_t i = r % BLOCKS, want = mt_random(&random) % (r & 64 ? 300 : 60000) + 1;

		if (block[i] != NULL) {
			shmem_free(block[i]);
			block[i] = NULL;
			continue;
		}
		block[i] =
			r & 128 ? shmem_malloc(want) : shmem_align((size_t)8 << (r >> 8 & 7), want);
		CHECK(block[i] != NULL);
		if (block[i] == NULL)
			break;
		if (!(r & 128))
			CHECK_EQ((uintptr_t)block[i] % ((size_t)8 << (r >> 8 & 7)), 0);
		check_shared(block[i], want, (uint64_t)round);
	}
	for (round = 0; round < BLOCKS; round++) {
		shmem_free(block[round]);
		block[round] = NULL;
	}
}

static void
case_nothing(void)
{
	/* No barrier inside: PEs may differ here, but for the results. */
	CHECK(shmem_malloc(0) == NULL);
	CHECK(shmem_calloc(0, 8) == NULL);
	CHECK(shmem_calloc(8, 0) == NULL);
	CHECK(shmem_align(64, 0) == NULL);
	CHECK(shmem_malloc_with_hints(0, SHMEM_MALLOC_SIGNAL_REMOTE) == NULL);
	CHECK(shmem_realloc(NULL, 0) == NULL);
	shmem_free(NULL);
}

static void
case_calloc(void)
{
	enum {
		LEN = 100000
	};
	unsigned char *p = mt_alloc(LEN);

	memset(p, 0xff, LEN);
	shmem_free(p);
	p = shmem_calloc(LEN / 8, 8);
	CHECK(p != NULL);
	if (p == NULL)
		return;
	/* It was zero before anybody could write; so no barrier of ours before this look. */
	CHECK_EQ(mt_differs_from(p, LEN, 0), LEN);
	shmem_barrier_all();
	check_shared(p, LEN, 5);
	shmem_free(p);
	CHECK(shmem_calloc(SIZE_MAX / 4, 8) == NULL);
}

static void
case_realloc(void)
{
	size_t sizes[] = {100, 5000, 5001, 300000, 64, 1000000, 1}, i, kept = 0;
	unsigned char *p = NULL, *wall = NULL;

	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		p = shmem_realloc(p, sizes[i]);
		CHECK(p != NULL);
		if (p == NULL)
			return;
		if (kept > sizes[i])
			kept = sizes[i];
		CHECK_EQ(mt_differs(p, kept, (uint64_t)mt_me), kept);
		shmem_barrier_all();
		check_shared(p, sizes[i], i);
		mt_fill(p, sizes[i], (uint64_t)mt_me);
		kept = sizes[i];
		/* Every other time another block follows it, so that it has to move. */
		shmem_free(wall);
		wall = i % 2 == 0 ? mt_alloc(64) : NULL;
	}
	shmem_free(wall);
	CHECK(shmem_realloc(p, SIZE_MAX / 2) == NULL);
	CHECK_EQ(mt_differs(p, kept, (uint64_t)mt_me), kept);
	CHECK(shmem_realloc(p, 0) == NULL);
}

static void
case_exhaustion(void)
{
	static void *piece[4096];
	size_t n = 0, i, size = (size_t)1 << 40;

	while (size >= 4096 && n < sizeof(piece) / sizeof(piece[0])) {
		mt_waiting("an allocation that may fail");
		piece[n] = shmem_malloc(size);
		if (piece[n] == NULL)
			size /= 2;
		else
			n++;
	}
	CHECK(n > 0);
	CHECK(shmem_malloc((size_t)1 << 30) == NULL);
	for (i = 0; i < n; i++)
		shmem_free(piece[i]);
	case_many();
}

static void
case_hints(void)
{
	const long hints[] = {0, SHMEM_MALLOC_ATOMICS_REMOTE, SHMEM_MALLOC_SIGNAL_REMOTE,
			      SHMEM_MALLOC_ATOMICS_REMOTE | SHMEM_MALLOC_SIGNAL_REMOTE};
	size_t i;

	for (i = 0; i < sizeof(hints) / sizeof(hints[0]); i++) {
		uint64_t *word = shmem_malloc_with_hints(sizeof(*word), hints[i]);

		CHECK(word != NULL);
		if (word == NULL)
			return;
		*word = 0;
		shmem_barrier_all();
		shmem_uint64_atomic_add(word, 3, mt_pe(1));
		shmem_signal_wait_until(word, SHMEM_CMP_EQ, 3);
		shmem_free(word);
	}
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

int
main(int argc, char **argv)
{
	static const struct mt_case cases[] = {
		{"many", case_many},
		{"nothing", case_nothing},
		{"calloc", case_calloc},
		{"realloc", case_realloc},
		{"exhaustion", case_exhaustion},
		{"hints", case_hints},
		{"free_waits", case_free_waits},
		{0},
	};

	return mt_main(argc, argv, SHMEM_THREAD_SINGLE, cases);
}
