/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * The placement of heap blocks on its own: against a byte map that does everything the slow way.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "core/heap_arena.h"
#include "core/heap_env.h"

enum {
	SIZE = 1 << 16,
	STEP = 1 << 12,
	KEEP = 4 * STEP,
	BLOCKS = 200,
	ROUNDS = 20000
};

static size_t committed, commit_limit;
static unsigned int commits;

static int
commit(size_t upto)
{
	commits++;
	if (upto > commit_limit)
		return -ENOMEM;
	committed = upto;
	return 0;
}

static struct heap_arena *
fresh(size_t size)
{
	committed = 0;
	commits = 0;
	commit_limit = SIZE_MAX;
	return heap_arena_new(size, STEP, KEEP, commit);
}

static struct heap_arena *arena;

static void
set_up(void)
{
	arena = fresh(SIZE);
	CU_ASSERT_PTR_NOT_NULL_FATAL(arena);
}

static void
tear_down(void)
{
	heap_arena_delete(arena);
}

static uint32_t
draw(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 8;
}

/* Offset of the block best fit would take, by looking at every granule; SIZE if there is none. */
static size_t
slow_fit(const uint8_t *map, size_t size)
{
	size_t best = SIZE, best_len = SIZE + 1, at = 0, from;

	while (at < SIZE) {
		for (from = at; at < SIZE && map[at / HEAP_GRANULE] == 0;)
			at += HEAP_GRANULE;
		if (at - from >= size && at - from < best_len) {
			best = from;
			best_len = at - from;
		}
		while (at < SIZE && map[at / HEAP_GRANULE] != 0)
			at += HEAP_GRANULE;
	}
	return best;
}

struct held {
	size_t off, size; /* size 0: not held */
};

static void
try_alloc(uint8_t *map, struct held *b, size_t want)
{
	size_t size = (want + HEAP_GRANULE - 1) / HEAP_GRANULE * HEAP_GRANULE;
	size_t expected = slow_fit(map, size), off = 0;
	int err = heap_arena_alloc(arena, 1, want, &off);
	size_t start, asked;

	if (expected == SIZE) {
		CU_ASSERT_EQUAL(err, -ENOSPC);
		return;
	}
	CU_ASSERT_EQUAL_FATAL(err, 0);
	CU_ASSERT_EQUAL_FATAL(off, expected);
	CU_ASSERT_TRUE(off + size <= committed);
	CU_ASSERT_EQUAL(heap_arena_size(arena, off), size);
	/* by its last byte; the bytes that were asked for */
	CU_ASSERT_TRUE(heap_arena_find(arena, off + size - 1, &start, &asked));
	CU_ASSERT_TRUE(start == off && asked == want);
	CU_ASSERT_TRUE(!heap_arena_find(arena, off + size, &start, &asked) || start == off + size);
	memset(map + off / HEAP_GRANULE, 1, size / HEAP_GRANULE);
	*b = (struct held){off, size};
}

static void
try_resize(uint8_t *map, struct held *b, size_t want)
{
	size_t size = (want + HEAP_GRANULE - 1) / HEAP_GRANULE * HEAP_GRANULE;
	size_t room = b->size;
	int err;

	while (b->off + room < SIZE && map[(b->off + room) / HEAP_GRANULE] == 0)
		room += HEAP_GRANULE;
	err = heap_arena_resize(arena, b->off, want);
	CU_ASSERT_EQUAL(err, size <= room ? 0 : -ENOSPC);
	if (err != 0)
		return;
	memset(map + b->off / HEAP_GRANULE, 0, b->size / HEAP_GRANULE);
	memset(map + b->off / HEAP_GRANULE, 1, size / HEAP_GRANULE);
	b->size = size;
}

static void
test_against_map(void)
{
	static uint8_t map[SIZE / HEAP_GRANULE];
	static struct held held[BLOCKS];
	uint32_t state = 7;
	int round;

	memset(map, 0, sizeof(map));
	memset(held, 0, sizeof(held));
	for (round = 0; round < ROUNDS; round++) {
		struct held *b = &held[draw(&state) % BLOCKS];
		size_t want = draw(&state) % (draw(&state) % 16 == 0 ? 8000 : 700) + 1;

		if (b->size == 0) {
			try_alloc(map, b, want);
		} else if (draw(&state) % 4 == 0) {
			try_resize(map, b, want);
		} else {
			CU_ASSERT_EQUAL(heap_arena_free(arena, b->off), 0);
			memset(map + b->off / HEAP_GRANULE, 0, b->size / HEAP_GRANULE);
			b->size = 0;
		}
		if (round % 64 == 0)
			CU_ASSERT_EQUAL_FATAL(heap_arena_check(arena), 0);
	}
	CU_ASSERT_EQUAL(heap_arena_check(arena), 0);
}

static void
test_alignment(void)
{
	size_t align, off, whole;
	int i;

	for (align = 1; align <= SIZE / 4; align *= 2) {
		for (i = 0; i < 3; i++) {
			CU_ASSERT_EQUAL_FATAL(heap_arena_alloc(arena, align, 65 + (size_t)i, &off),
					      0);
			CU_ASSERT_EQUAL(off % align, 0);
			CU_ASSERT_EQUAL(heap_arena_check(arena), 0);
			if (i != 1)
				CU_ASSERT_EQUAL(heap_arena_free(arena, off), 0);
		}
	}
	/* A hole that fits without anything skipped is found although it is the best by size. */
	tear_down();
	set_up();
	CU_ASSERT_EQUAL(heap_arena_alloc(arena, 1, 4096, &off), 0);
	CU_ASSERT_EQUAL(heap_arena_alloc(arena, 1, 4096, &whole), 0);
	CU_ASSERT_EQUAL(heap_arena_free(arena, off), 0);
	CU_ASSERT_EQUAL(heap_arena_alloc(arena, 4096, 4096, &whole), 0);
	CU_ASSERT_EQUAL(whole, off);
	/* Two holes, of which the larger lies well and is not ample, and no third. */
	tear_down();
	set_up();
	CU_ASSERT_EQUAL(heap_arena_alloc(arena, 1, SIZE / 4 + HEAP_GRANULE, &off), 0);
	CU_ASSERT_EQUAL(heap_arena_alloc(arena, 1, SIZE / 8, &whole), 0);
	CU_ASSERT_EQUAL(heap_arena_alloc(arena, 1, SIZE / 8 - HEAP_GRANULE, &off), 0);
	CU_ASSERT_EQUAL(heap_arena_free(arena, whole), 0);
	CU_ASSERT_EQUAL(heap_arena_alloc(arena, SIZE / 2, SIZE / 8, &off), 0);
	CU_ASSERT_EQUAL(off, SIZE / 2);
	CU_ASSERT_EQUAL(heap_arena_check(arena), 0);
	CU_ASSERT_EQUAL(heap_arena_alloc(arena, SIZE / 2, 1, &off), -ENOSPC);
	CU_ASSERT_EQUAL(heap_arena_alloc(arena, SIZE, 1, &off), -ENOSPC);
	CU_ASSERT_EQUAL(heap_arena_alloc(arena, SIZE_MAX / 2 + 1, 1, &off), -ENOSPC);
}

static void
test_exhaustion(void)
{
	size_t off, count = 0;

	CU_ASSERT_EQUAL(heap_arena_alloc(arena, 1, SIZE + 1, &off), -ENOSPC);
	CU_ASSERT_EQUAL(heap_arena_alloc(arena, 1, SIZE_MAX, &off), -ENOSPC);
	CU_ASSERT_EQUAL(heap_arena_alloc(arena, 1, 0, &off), -ENOSPC);
	CU_ASSERT_EQUAL(heap_arena_alloc(arena, (size_t)1 << 63, 64, &off), 0);
	CU_ASSERT_EQUAL(off, 0);
	CU_ASSERT_EQUAL(heap_arena_alloc(arena, (size_t)1 << 63, 64, &off), -ENOSPC);
	CU_ASSERT_EQUAL(heap_arena_free(arena, 0), 0);
	while (heap_arena_alloc(arena, 1, 1, &off) == 0)
		count++;
	CU_ASSERT_EQUAL(count, SIZE / HEAP_GRANULE);
	while (count-- > 0)
		CU_ASSERT_EQUAL(heap_arena_free(arena, count * HEAP_GRANULE), 0);
	CU_ASSERT_EQUAL(heap_arena_alloc(arena, 1, SIZE, &off), 0);
	CU_ASSERT_EQUAL(off, 0);
}

static void
test_bad_free(void)
{
	size_t off;

	CU_ASSERT_EQUAL(heap_arena_free(arena, 0), -EINVAL);
	CU_ASSERT_EQUAL(heap_arena_alloc(arena, 1, 200, &off), 0);
	CU_ASSERT_EQUAL(heap_arena_free(arena, off + 64), -EINVAL);
	CU_ASSERT_EQUAL(heap_arena_free(arena, off + 1), -EINVAL);
	CU_ASSERT_EQUAL(heap_arena_free(arena, SIZE_MAX - 8), -EINVAL);
	CU_ASSERT_EQUAL(heap_arena_resize(arena, off + 64, 10), -EINVAL);
	CU_ASSERT_EQUAL(heap_arena_size(arena, off + 64), 0);
	CU_ASSERT_EQUAL(heap_arena_free(arena, off), 0);
	CU_ASSERT_EQUAL(heap_arena_free(arena, off), -EINVAL);
}

/* Memory is committed in steps, on demand, and a failure leaves everything as it was. */
static void
test_commit(void)
{
	size_t off, other;

	tear_down();
	arena = fresh(SIZE - 100);
	CU_ASSERT_PTR_NOT_NULL_FATAL(arena);
	CU_ASSERT_EQUAL(commits, 0);
	CU_ASSERT_EQUAL(heap_arena_alloc(arena, 1, 100, &off), 0);
	CU_ASSERT_EQUAL(committed, STEP);
	CU_ASSERT_EQUAL(heap_arena_alloc(arena, 1, 100, &other), 0);
	CU_ASSERT_EQUAL(commits, 1);
	commit_limit = 2 * STEP;
	CU_ASSERT_EQUAL(heap_arena_alloc(arena, 1, 3 * STEP, &other), -ENOMEM);
	CU_ASSERT_EQUAL(heap_arena_resize(arena, other, 3 * STEP), -ENOMEM);
	CU_ASSERT_EQUAL(heap_arena_check(arena), 0);
	commit_limit = SIZE_MAX;
	CU_ASSERT_EQUAL(heap_arena_alloc(arena, 1, 3 * STEP, &other), 0);
	CU_ASSERT_EQUAL(other, 256);
	CU_ASSERT_EQUAL(heap_arena_alloc(arena, 1, SIZE - 100 - 5 * STEP, &other), 0);
	CU_ASSERT_TRUE(committed <= SIZE - 100);
}

/* Memory after the last block goes back once there is much of it, and comes again on demand. */
static void
test_give_back(void)
{
	size_t low, middle, high;

	CU_ASSERT_EQUAL(heap_arena_alloc(arena, 1, STEP + 64, &low), 0);
	CU_ASSERT_EQUAL(heap_arena_alloc(arena, 1, 3 * STEP, &middle), 0);
	CU_ASSERT_EQUAL(heap_arena_alloc(arena, 1, 3 * STEP, &high), 0);
	CU_ASSERT_EQUAL(committed, 8 * STEP);
	CU_ASSERT_EQUAL(heap_arena_free(arena, high), 0); /* three steps only */
	CU_ASSERT_EQUAL(committed, 8 * STEP);
	CU_ASSERT_EQUAL(heap_arena_free(arena, middle), 0);
	CU_ASSERT_EQUAL(committed, 2 * STEP);
	CU_ASSERT_EQUAL(heap_arena_check(arena), 0);
	CU_ASSERT_EQUAL(heap_arena_alloc(arena, 1, 6 * STEP, &high), 0);
	CU_ASSERT_EQUAL(high, middle);
	CU_ASSERT_EQUAL(committed, 8 * STEP);
	/* a hole below a block in use stays: the next one finds it */
	CU_ASSERT_EQUAL(heap_arena_free(arena, low), 0);
	CU_ASSERT_EQUAL(committed, 8 * STEP);
}

static void
test_sizes(void)
{
	static const struct {
		const char *text;
		size_t size;
	} good[] = {
		{"0", 0},	    {"1", 1},
		{"4096", 4096},	    {"20m", 20971520},
		{"3.1M", 3250586},  {".5m", 524288},
		{"1.5", 2},	    {"1k", 1024},
		{"2KB", 2048},	    {"1Gigabyte", 1u << 30},
		{"1.5g", 3u << 29}, {"2t", (size_t)2 << 40},
		{"1e3", 1000},	    {"512M ", 512u << 20},
	};
	static const char *const bad[] = {"",	 "k",	"-1",	" 1", "1x",	"0x10", "inf",
					  "nan", "1 m", "1e40", ".",  "99999t", "+5",	"m1"};
	size_t i, size;

	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		size = 12345;
		CU_ASSERT_EQUAL(heap_parse_size(good[i].text, &size), 0);
		CU_ASSERT_EQUAL(size, good[i].size);
	}
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		CU_ASSERT_EQUAL(heap_parse_size(bad[i], &size), -1);
}

TEST_PROGRAM("heap arena", set_up, tear_down, {"against a byte map", test_against_map},
	     {"alignment", test_alignment}, {"exhaustion", test_exhaustion},
	     {"bad free", test_bad_free}, {"commit", test_commit}, {"give back", test_give_back},
	     {"sizes", test_sizes})
