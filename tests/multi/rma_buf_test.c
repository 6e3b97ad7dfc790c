/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Where the data lies: heap, initialised and zeroed static data, stack, private memory as the
 * local side; heap and static data as the remote side; any alignment, zero length, 4 MiB.
 */
#include <stdlib.h>
#include <string.h>

#include "multi.h"

#define LEN 5000
#define BIG (4u << 20)
#define GUARD 64

static unsigned char zeroed[MT_FAR][LEN + GUARD];
static unsigned char initialised[MT_FAR][LEN + GUARD] = {{1}};
static unsigned char static_source[LEN];

/** Data of one transfer: unlike for other places, distances and PEs. */
static uint64_t
key_of(int pe, int place, int d)
{
	return (uint64_t)((pe * 8 + place) * 8 + d + 1);
}

/** Put from @p source and check at the target; then get back from the target to @p source. */
static void
exchange(unsigned char *at, unsigned char *source, int place, int d, bool nbi)
{
	memset(at, 0xee, LEN + GUARD);
	mt_fill(source, LEN, key_of(mt_me, place, d));
	shmem_barrier_all();
	if (nbi)
		shmem_putmem_nbi(at, source, LEN, mt_pe(d));
	else
		shmem_putmem(at, source, LEN, mt_pe(d));
	if (nbi)
		shmem_quiet();
	/* The source is free now. */
	memset(source, 0x55, LEN);
	shmem_barrier_all();
	CHECK_EQ(mt_differs(at, LEN, key_of(mt_pe(-d), place, d)), LEN);
	CHECK_EQ(mt_differs_from(at + LEN, GUARD, 0xee), GUARD);
	if (nbi)
		shmem_getmem_nbi(source, at, LEN, mt_pe(d));
	else
		shmem_getmem(source, at, LEN, mt_pe(d));
	if (nbi)
		shmem_quiet();
	CHECK_EQ(mt_differs(source, LEN, key_of(mt_me, place, d)), LEN);
	shmem_barrier_all();
}

static void
to_target(unsigned char *at, unsigned char *heap_source, int d, bool nbi)
{
	unsigned char stack[LEN];
	unsigned char *private = malloc(LEN);

	CHECK(private != NULL);
	exchange(at, heap_source, 0, d, nbi);
	exchange(at, static_source, 1, d, nbi);
	exchange(at, stack, 2, d, nbi);
	if (private)
		exchange(at, private, 3, d, nbi);
	free(private);
}

static void
case_places(void)
{
	unsigned char *heap = mt_alloc(LEN + GUARD), *source = mt_alloc(LEN);
	int d, nbi;

	for (d = 0; d < mt_distances(); d++) {
		for (nbi = 0; nbi < 2; nbi++) {
			to_target(heap, source, d, nbi);
			to_target(zeroed[d], source, d, nbi);
			to_target(initialised[d], source, d, nbi);
		}
	}
	shmem_free(source);
	shmem_free(heap);
}

/* One PE after the other alters both words, so that a lost or torn update of static data shows. */
static void
case_static_words(void)
{
	static long counter = 40;
	static int small;
	static char odd[9];
	int d, i;

	for (d = 0; d < mt_distances(); d++) {
		shmem_barrier_all();
		small = 0;
		memset(odd, 0, sizeof(odd));
		shmem_barrier_all();
		shmem_int_p(&small, 1000 + mt_me, mt_pe(d));
		for (i = 0; i < 9; i += 2)
			shmem_char_p(&odd[i], (char)(i + 1), mt_pe(d));
		shmem_barrier_all();
		CHECK_EQ(small, 1000 + mt_pe(-d));
		CHECK_EQ(shmem_int_g(&small, mt_pe(d)), 1000 + mt_me);
		for (i = 0; i < 9; i++)
			CHECK_EQ(odd[i], i % 2 ? 0 : i + 1);
		CHECK_EQ(shmem_long_g(&counter, mt_pe(d)), 40);
	}
	shmem_barrier_all();
}

static void
case_zero_length(void)
{
	unsigned char *heap = mt_alloc(64);
	int d;

	memset(heap, 7, 64);
	shmem_barrier_all();
	for (d = 0; d < mt_distances(); d++) {
		shmem_putmem(heap, heap, 0, mt_pe(d));
		shmem_putmem(NULL, NULL, 0, mt_pe(d));
		shmem_getmem(NULL, NULL, 0, mt_pe(d));
		shmem_putmem_nbi(NULL, NULL, 0, mt_pe(d));
		shmem_getmem_nbi(NULL, NULL, 0, mt_pe(d));
		shmem_long_put((long *)(void *)(heap + 64), NULL, 0, mt_pe(d));
		shmem_int_iput(NULL, NULL, 1, 1, 0, mt_pe(d));
		shmem_int_iget(NULL, NULL, 1, 1, 0, mt_pe(d));
		shmem_put64(zeroed[0], zeroed[0], 0, mt_pe(d));
	}
	shmem_quiet();
	shmem_barrier_all();
	CHECK_EQ(mt_differs_from(heap, 64, 7), 64);
	shmem_free(heap);
}

/** All offsets within a word on both sides, lengths around word and line sizes. */
static void
case_unaligned(void)
{
	static const size_t lengths[] = {1, 2, 3, 7, 8, 9, 15, 31, 63, 64, 65, 127, 1021, 4097};
	unsigned char *at = mt_alloc(8192), *source = mt_alloc(8192), *back = mt_alloc(8192);
	size_t n, from, to, len;
	int d;

	mt_fill(source, 8192, (uint64_t)mt_me);
	for (d = 0; d < mt_distances(); d++) {
		for (n = 0; n < sizeof(lengths) / sizeof(lengths[0]); n++) {
			len = lengths[n];
			to = 64 + (n * 5 + (size_t)d) % 9;
			from = (n * 3 + 1) % 8;
			memset(at, 0, 8192);
			shmem_barrier_all();
			shmem_putmem(at + to, source + from, len, mt_pe(d));
			shmem_barrier_all();
			mt_fill(back, 8192, (uint64_t)mt_pe(-d));
			CHECK(memcmp(at + to, back + from, len) == 0);
			CHECK_EQ(mt_differs_from(at, to, 0), to);
			CHECK_EQ(mt_differs_from(at + to + len, 1000, 0), 1000);
			memset(back, 0, 8192);
			shmem_getmem(back + from, at + to, len, mt_pe(d));
			CHECK(memcmp(back + from, source + from, len) == 0);
			CHECK_EQ(mt_differs_from(back, from, 0), from);
			CHECK_EQ(mt_differs_from(back + from + len, 1000, 0), 1000);
			shmem_barrier_all();
		}
	}
	shmem_free(back);
	shmem_free(source);
	shmem_free(at);
}

/** 4 MiB and odd sizes next to it, blocking and not. */
static void
case_large(void)
{
	unsigned char *at = mt_alloc(BIG + GUARD), *source = mt_alloc(BIG + GUARD);
	unsigned char *back = malloc(BIG + GUARD);
	int d, nbi;

	for (d = 0; d < mt_distances() && back; d++) {
		for (nbi = 0; nbi < 2; nbi++) {
			size_t len = nbi ? BIG : BIG - 4095;

			memset(at, 0, BIG + GUARD);
			memset(back, 0, BIG + GUARD);
			mt_fill(source, len, key_of(mt_me, nbi, d));
			shmem_barrier_all();
			if (nbi)
				shmem_putmem_nbi(at, source, len, mt_pe(d));
			else
				shmem_putmem(at, source, len, mt_pe(d));
			shmem_barrier_all();
			CHECK_EQ(mt_differs(at, len, key_of(mt_pe(-d), nbi, d)), len);
			CHECK_EQ(mt_differs_from(at + len, GUARD, 0), GUARD);
			if (nbi)
				shmem_getmem_nbi(back, at, len, mt_pe(d));
			else
				shmem_getmem(back, at, len, mt_pe(d));
			shmem_quiet();
			CHECK(memcmp(back, source, len) == 0);
			CHECK_EQ(mt_differs_from(back + len, GUARD, 0), GUARD);
			shmem_barrier_all();
		}
	}
	CHECK(back != NULL);
	free(back);
	shmem_free(source);
	shmem_free(at);
}

int
main(int argc, char **argv)
{
	static const struct mt_case cases[] = {
		{"places", case_places},
		{"static_words", case_static_words},
		{"zero_length", case_zero_length},
		{"unaligned", case_unaligned},
		{"large", case_large},
		{0},
	};

	return mt_main(argc, argv, SHMEM_THREAD_SINGLE, cases);
}
