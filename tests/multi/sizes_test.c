/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Transfers of sizes on both sides of every threshold of the library (thresholds.def), between
 * heap, static and private memory, dense and with strides, to PEs of this host and of others; and
 * as many operations under way as each limit of them says, one less and one more.
 */
#include <stdlib.h>
#include <string.h>

#include "multi.h"
#include "teams.h"

enum kind {
	BYTES, /* of a transfer */
	ALL,   /* of the members of a collective together */
	COUNT  /* of operations under way */
};

static const struct threshold {
	const char *name;
	size_t value;
	enum kind kind;
} thresholds[] = {
#define THRESHOLD(name, file, where, value, kind, meaning) {#name, value, kind},
#include "thresholds.def"
#undef THRESHOLD
};

enum {
	THRESHOLDS = sizeof(thresholds) / sizeof(thresholds[0]),
	LARGEST = 1 << 20, /* bytes: where RB_PIECES pieces of RB_PIECE_MIN become longer ones */
	ROOM = LARGEST + 8 * 1024,
	STATIC_ROOM = 160 * 1024,
	MANY = 600, /* operations under way, and three more */
	STEP = 3,   /* bytes that strides leave between blocks */
	SHIFTS = 1021
};

static unsigned char *heap, *private, *expected; /* expected: what the other PE has */
static unsigned char data[STATIC_ROOM];

static int
compare(const void *a, const void *b)
{
	size_t x = *(const size_t *)a, y = *(const size_t *)b;

	return x < y ? -1 : x > y;
}

static size_t
add_sides(size_t *sizes, size_t n, size_t value)
{
	int side;

	for (side = -1; side <= 1; side++)
		if (value + (size_t)side > 0 && value + (size_t)side <= LARGEST + 1)
			sizes[n++] = value + (size_t)side;
	return n;
}

/* Both sides of all sizes, of what @p members of a collective give where these count together, and
 * of @p whole transfers where they stand for a part of them. Each once. */
static size_t
sides(size_t sizes[], size_t members)
{
	size_t n = 0, kept = 0, i;

	for (i = 0; i < THRESHOLDS; i++) {
		const struct threshold *t = &thresholds[i];

		if (t->kind == COUNT)
			continue;
		n = add_sides(sizes, n, t->kind == ALL ? t->value / members : t->value);
		/* as the size of a half and the sum of two */
		n = add_sides(sizes, n,
			      t->kind == ALL ? t->value / members / members : 2 * t->value);
	}
	n = add_sides(sizes, n, LARGEST);
	qsort(sizes, n, sizeof(*sizes), compare);
	for (i = 0; i < n; i++)
		if (kept == 0 || sizes[kept - 1] != sizes[i])
			sizes[kept++] = sizes[i];
	return kept;
}

#define SIDES (6 * THRESHOLDS + 3)

static void
open_memory(void)
{
	heap = mt_alloc(2 * ROOM);
	private = malloc(3 * ROOM);
	CHECK(private != NULL);
	expected = private + 2 * ROOM;
}

static void
close_memory(void)
{
	free(private);
	shmem_free(heap);
}

/* The data that arrived, and the byte after them. */
static void
check_range(const unsigned char *at, size_t len, const unsigned char *want, const char *what)
{
	CHECK_MSG(memcmp(at, want, len) == 0, "%s of %zu bytes", what, len);
	CHECK_MSG(at[len] == 0xee, "%s of %zu bytes: one more", what, len);
}

/* Every transfer is of other bytes than the one before it, which buffers on the way may still
 * hold. */
static size_t
shifted(size_t i)
{
	return i * 37 % SHIFTS;
}

static void
put_one(unsigned char *to, size_t len, size_t i, int distance, bool nbi)
{
	const unsigned char *from = (i % 2 ? heap + ROOM : private) + shifted(i);

	memset(to, 0xee, len + 1);
	shmem_barrier_all();
	if (nbi)
		shmem_putmem_nbi(to, from, len, mt_pe(distance));
	else
		shmem_putmem(to, from, len, mt_pe(distance));
	shmem_barrier_all();
	check_range(to, len, expected + shifted(i), nbi ? "put_nbi" : "put");
}

static void
get_one(unsigned char *to, size_t len, size_t i, int distance, bool nbi)
{
	const unsigned char *from = heap + ROOM + shifted(i);

	memset(to, 0xee, len + 1);
	if (nbi) {
		shmem_getmem_nbi(to, from, len, mt_pe(distance));
		shmem_quiet();
	} else {
		shmem_getmem(to, from, len, mt_pe(distance));
	}
	check_range(to, len, expected + shifted(i), nbi ? "get_nbi" : "get");
}

/* Into heap, static and private memory, not aligned to a line or a word: copies have heads and
 * tails.
 */
static void
over_sizes(void (*one)(unsigned char *to, size_t len, size_t i, int distance, bool nbi), bool gets)
{
	size_t sizes[SIDES], n = sides(sizes, 1), i;
	int distance;

	open_memory();
	mt_fill(private, ROOM, (uint64_t)mt_me);
	mt_fill(heap + ROOM, ROOM, (uint64_t)mt_me);
	shmem_barrier_all();
	for (distance = 0; distance < mt_distances(); distance++) {
		mt_fill(expected, ROOM, (uint64_t)mt_pe(gets ? distance : -distance));
		for (i = 0; i < n; i++) {
			one(heap + i % 9, sizes[i], i, distance, i % 3 == 0);
			if (gets)
				one(private + ROOM + i % 7, sizes[i], i, distance, i % 3 != 0);
			else if (sizes[i] + 9 < STATIC_ROOM)
				one(data + i % 8, sizes[i], i + 1, distance, i % 3 != 0);
		}
	}
	shmem_barrier_all();
	close_memory();
}

static void
case_put(void)
{
	mt_waiting("puts of all sizes");
	over_sizes(put_one, false);
}

static void
case_get(void)
{
	mt_waiting("gets of all sizes");
	over_sizes(get_one, true);
}

/* The data must be there when the signal is. */
static void
case_signal(void)
{
	static uint64_t signal;
	size_t sizes[SIDES], n = sides(sizes, 1), i;
	uint64_t told = 0;
	int distance;

	open_memory();
	mt_waiting("signals of puts of all sizes");
	mt_fill(private, ROOM, (uint64_t)mt_me);
	for (distance = 0; distance < mt_distances(); distance++) {
		mt_fill(expected, ROOM, (uint64_t)mt_pe(-distance));
		for (i = 0; i < n; i++) {
			memset(heap, 0xee, sizes[i] + 1);
			shmem_barrier_all();
			shmem_putmem_signal(heap, private + shifted(i), sizes[i], &signal, ++told,
					    SHMEM_SIGNAL_SET, mt_pe(distance));
			shmem_signal_wait_until(&signal, SHMEM_CMP_GE, told);
			check_range(heap, sizes[i], expected + shifted(i), "put_signal");
		}
	}
	shmem_barrier_all();
	close_memory();
}

/* @p n blocks of @p block bytes, @p dst and @p sst apart, to or from the next but one. */
static void
strided(size_t block, size_t n, ptrdiff_t dst, ptrdiff_t sst, bool gets)
{
	unsigned char *to = heap, *from = heap + ROOM;
	int other = mt_pe(gets ? 2 : -2);
	size_t i;

	if (n * (size_t)(dst > sst ? dst : sst) > ROOM)
		return;
	memset(to, 0xee, n * (size_t)dst);
	shmem_barrier_all();
	if (gets)
		shmem_ibget8(to, from, dst, sst, block, n, mt_pe(2));
	else
		shmem_ibput8(to, from, dst, sst, block, n, mt_pe(2));
	shmem_barrier_all();
	for (i = 0; i < n; i++) {
		const unsigned char *at = to + i * (size_t)dst;
		size_t gap = (size_t)dst - block, b;

		for (b = 0; b < block && at[b] == mt_byte((uint64_t)other, i * (size_t)sst + b);
		     b++)
			;
		if (!mt_check(b == block && mt_differs_from(at + block, gap, 0xee) == gap, __FILE__,
			      __LINE__, "%s of %zu blocks of %zu, %td and %td apart: block %zu",
			      gets ? "ibget" : "ibput", n, block, dst, sst, i))
			break;
	}
	shmem_barrier_all();
}

static void
case_strides(void)
{
	size_t sizes[SIDES], n = sides(sizes, 1), i, count;

	open_memory();
	mt_waiting("blocks of all sizes");
	mt_fill(heap + ROOM, ROOM, (uint64_t)mt_me);
	shmem_barrier_all();
	for (i = 0; i < n && sizes[i] <= 70000; i++) {
		ptrdiff_t block = (ptrdiff_t)sizes[i], far = 10 * block;
		int gets;

		count = sizes[i] < 100 ? 70 : 5;
		for (gets = 0; gets < 2; gets++) {
			strided(sizes[i], count, block + STEP, block, gets);
			strided(sizes[i], count, block, block + STEP, gets);
			strided(sizes[i], count, block + STEP, 2 * block, gets);
			strided(sizes[i], count, block, far, gets);
		}
	}
	close_memory();
}

static void
gathered(const struct team *t, const unsigned char *at, size_t len, const char *what)
{
	int m;

	for (m = 0; m < t->n; m++)
		if (!mt_check(mt_differs(at + (size_t)m * len, len, (uint64_t)m + len) == len,
			      __FILE__, __LINE__, "%s: %s of %zu bytes: member %d", t->name, what,
			      len, m))
			return;
}

/* Each member got one block: its part of the sender's data. */
static void
exchanged(const struct team *t, const unsigned char *at, size_t len, ptrdiff_t stride)
{
	size_t i;
	int m;

	for (m = 0; m < t->n; m++)
		for (i = 0; i < len; i++)
			if (!mt_check(at[((size_t)m * len + i) * (size_t)stride] ==
					      mt_byte((uint64_t)m + len, (size_t)t->me * len + i),
				      __FILE__, __LINE__,
				      "%s: alltoall of %zu bytes, stride %td: member %d, byte %zu",
				      t->name, len, stride, m, i))
				return;
}

static void
summed(const struct team *t, const long *at, const long *in, size_t n)
{
	long all = 0, upto = 0, m;
	size_t i;

	for (m = 0; m < t->n; m++) {
		all += m + 1;
		upto += m <= t->me ? m + 1 : 0;
	}
	for (i = 0; i < n; i++)
		if (!mt_check(at[i] == all * (long)(i + 1) && in[i] == upto * (long)(i + 1),
			      __FILE__, __LINE__, "%s: sums of %zu longs: element %zu", t->name, n,
			      i))
			return;
}

static void
all_collectives(const struct team *t, size_t len)
{
	unsigned char *at = heap, *strided_at = heap + ROOM;
	long *sum = (long *)(void *)heap, *in = (long *)(void *)(heap + ROOM);
	size_t all = len * (size_t)t->n, n = len / sizeof(long), i;
	int root = (int)(len % (size_t)t->n);

	shmem_team_sync(t->handle);
	mt_fill(private, all <= ROOM ? all : len, (uint64_t)t->me + len);
	shmem_broadcastmem(t->handle, at, private, len, root);
	CHECK_MSG(mt_differs(at, len, (uint64_t)root + len) == len, "%s: broadcast of %zu", t->name,
		  len);
	shmem_team_sync(t->handle);
	if (all <= ROOM) {
		shmem_fcollectmem(t->handle, at, private, len);
		shmem_collectmem(t->handle, strided_at, private, len);
		gathered(t, at, len, "fcollect");
		gathered(t, strided_at, len, "collect");
		shmem_team_sync(t->handle);
		shmem_alltoallmem(t->handle, at, private, len);
		if (2 * all <= ROOM)
			shmem_alltoallsmem(t->handle, strided_at, private, 2, 1, len);
		exchanged(t, at, len, 1);
		if (2 * all <= ROOM)
			exchanged(t, strided_at, len, 2);
		shmem_team_sync(t->handle);
	}
	for (i = 0; i < n; i++)
		((long *)(void *)private)[i] = (t->me + 1) * (long)(i + 1);
	shmem_long_sum_reduce(t->handle, sum, (long *)(void *)private, n);
	shmem_long_sum_inscan(t->handle, in, (long *)(void *)private, n);
	summed(t, sum, in, n);
}

/* A few of the larger ones on large teams: small teams take the same paths. */
static void
case_collectives(void)
{
	struct team teams[TEAMS];
	size_t sizes[SIDES], n, i;
	int k;

	open_memory();
	teams_make(teams);
	for (k = 0; k < TEAMS; k++) {
		mt_waiting(teams[k].name);
		n = teams[k].me < 0 ? 0 : sides(sizes, (size_t)teams[k].n);
		for (i = 0; i < n; i++)
			if (sizes[i] * (size_t)teams[k].n <= (k == 0 ? ROOM : ROOM / 4) ||
			    sizes[i] == LARGEST)
				all_collectives(&teams[k], sizes[i]);
		shmem_barrier_all();
	}
	teams_destroy(teams);
	close_memory();
}

/* So many of each kind that is not waited for, of words and of more than fits a descriptor. */
static void
under_way(size_t count, int distance)
{
	static long words[MANY], fetched[MANY];
	long *blocks = (long *)(void *)heap, *back = (long *)(void *)private;
	int to = mt_pe(distance), from = mt_pe(-distance);
	size_t i, b;

	memset(words, 0, sizeof(words));
	memset(blocks, 0, count * 16 * sizeof(long));
	shmem_barrier_all();
	for (i = 0; i < count; i++) {
		for (b = 0; b < 16; b++)
			back[16 * i + b] = mt_me + (long)(i + b);
		shmem_long_put_nbi(blocks + 16 * i, back + 16 * i, 16, to);
		shmem_long_atomic_add(&words[i], (long)i + mt_me, to);
	}
	shmem_barrier_all();
	memset(back, 0, count * 16 * sizeof(long));
	for (i = 0; i < count; i++) {
		shmem_long_get_nbi(back + 16 * i, blocks + 16 * i, 16, to);
		shmem_long_atomic_fetch_nbi(&fetched[i], &words[i], to);
	}
	shmem_quiet();
	for (i = 0; i < count; i++) {
		CHECK_EQ(blocks[16 * i + 15], from + (long)(i + 15));
		CHECK_EQ(words[i], (long)i + from);
		CHECK_EQ(back[16 * i + 7], mt_me + (long)(i + 7));
		CHECK_EQ(fetched[i], (long)i + mt_me);
	}
	shmem_barrier_all();
}

static void
case_under_way(void)
{
	size_t i, side;
	int distance;

	open_memory();
	for (i = 0; i < THRESHOLDS; i++) {
		if (thresholds[i].kind != COUNT)
			continue;
		mt_waiting(thresholds[i].name);
		CHECK(2 * thresholds[i].value < MANY);
		for (distance = 1; distance < mt_distances(); distance++)
			for (side = 0; side < 3; side++)
				under_way(thresholds[i].value + side - 1, distance);
		under_way(2 * thresholds[i].value + 1, mt_npes / 2);
	}
	close_memory();
}

MT_PROGRAM(SHMEM_THREAD_SINGLE, {"put", case_put}, {"get", case_get}, {"signal", case_signal},
	   {"strides", case_strides}, {"collectives", case_collectives},
	   {"under way", case_under_way})
