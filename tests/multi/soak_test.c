/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Random operations of all kinds, judged by a model that every PE keeps of what it wrote. A place
 * is a piece of memory at a target that one PE alone writes, in heap or static data; on top come
 * counters and mailboxes that PEs share. `-s SEED` repeats a run, `-t SECONDS` makes it longer.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "soak.h"

enum {
#ifdef __SANITIZE_THREAD__
	GROWTH = 1 << 20 /* what the tool notes is memory of the process, too */
#else
	GROWTH = 16384 /* KiB */
#endif
};

struct soak soak;

/* Static places: [writer][place]. Not in struct soak, since they are to be symmetric. */
static unsigned char static_places[SOAK_PES][PLACES - HEAP_PLACES][STATIC_ROOM];
static long counters[COUNTERS];

struct place
soak_place(int target, int index)
{
	bool heap = index < HEAP_PLACES;
	size_t at = ((size_t)target * PLACES + (size_t)index) * HEAP_ROOM;

	return (struct place){
		.sym = heap ? soak.heap + ((size_t)mt_me * HEAP_PLACES + (size_t)index) * HEAP_ROOM
			    : static_places[mt_me][index - HEAP_PLACES],
		.shadow = soak.shadow + at,
		.room = heap ? HEAP_ROOM : STATIC_ROOM,
		.state = &soak.states[target][index],
		.ctx = soak.ctx[index % CONTEXTS],
	};
}

/** A length with all magnitudes alike, and an offset that fits. */
void
soak_range(size_t room, size_t *off, size_t *len)
{
	size_t limit = (size_t)2 << (soak_random() % (uint64_t)__builtin_ctz(SOAK_ROOM));

	if (limit > room)
		limit = room;
	*len = soak_random() % (limit + 1);
	*off = soak_random() % (room - *len + 1);
}

uint64_t
soak_random(void)
{
	return mt_random(&soak.random);
}

/** All operations of this PE are complete. Check the fetched values. */
void
soak_quiet(void)
{
	int i, t;

	mt_waiting("quiet");
	for (i = 0; i < CONTEXTS; i++)
		shmem_ctx_quiet(soak.ctx[i]);
	for (i = 0; i < soak.fetches; i++) {
		struct fetch *f = &soak.fetch[i];

		CHECK_MSG(memcmp(f->got, f->want, f->len) == 0,
			  "seed %#lx: %zu bytes fetched by get_nbi from PE %d differ",
			  (unsigned long)mt_options.seed, f->len, f->pe);
	}
	soak.fetches = 0;
	soak.used = 0;
	for (t = 0; t < mt_npes; t++)
		for (i = 0; i < PLACES; i++)
			soak.states[t][i] = (struct state){0};
}

/** Memory that stays as it is until the next quiet: symmetric, static or private, in turns. */
unsigned char *
soak_take(size_t len)
{
	static unsigned char of_static[POOL + 16];
	unsigned char *pools[] = {soak.pool, of_static, soak.private_pool}, *p;

	/* Any alignment, so that copies start anywhere. */
	len += 1 + soak_random() % 8;
	if (soak.used + len > POOL)
		soak_quiet();
	p = pools[soak_random() % 3] + soak.used + soak_random() % 2;
	soak.used += len;
	return p;
}

/** A step on a counter that all PEs share. */
static void
count(void)
{
	long old, step = (long)(soak_random() % 1000) - 400;
	int pe = (int)(soak_random() % (uint64_t)mt_npes), n = (int)(soak_random() % COUNTERS);
	shmem_ctx_t ctx = soak.ctx[soak_random() % CONTEXTS];
	long *counter = n % 2 ? &counters[n] : &soak.heap_counters[n];

	mt_waiting("an atomic");
	switch (soak_random() % 4) {
	case 0:
		shmem_ctx_long_atomic_inc(ctx, counter, pe);
		step = 1;
		break;
	case 1:
		shmem_ctx_long_atomic_add(ctx, counter, step, pe);
		break;
	case 2:
		(void)shmem_ctx_long_atomic_fetch_add(ctx, counter, step, pe);
		break;
	default:
		old = shmem_ctx_long_atomic_fetch(ctx, counter, pe);
		while (shmem_ctx_long_atomic_compare_swap(ctx, counter, old, old + step, pe) != old)
			old = shmem_ctx_long_atomic_fetch(ctx, counter, pe);
	}
	soak.counted[pe * COUNTERS + n] += step;
}

/** A record at PE 0 that a lock protects. */
static void
locked_step(void)
{
	static long lock, record[20];
	long copy[20];
	int i;

	mt_waiting("a lock");
	shmem_set_lock(&lock);
	shmem_long_get(copy, record, 20, 0);
	for (i = 1; i < 20; i++)
		CHECK_MSG(copy[i] == copy[0], "record of the lock is torn at %d", i);
	for (i = 0; i < 20; i++)
		copy[i]++;
	shmem_long_put(record, copy, 20, 0);
	shmem_clear_lock(&lock);
}

/** Send a letter to each PE that has acknowledged the last one, and read those that have come. */
static void
mail(void)
{
	int to = (int)(soak_random() % (uint64_t)mt_npes), from;
	size_t len;

	if (shmem_uint64_test(&soak.acks[to], SHMEM_CMP_EQ, soak.sent[to])) {
		uint64_t number = ++soak.sent[to];
		unsigned char *letter;

		/* Its length follows from its number. */
		len = number * 7919 % LETTER + 1;
		letter = soak_take(len);
		mt_fill(letter, len, number * 64 + (uint64_t)mt_me);
		shmem_ctx_putmem_signal_nbi(soak.ctx[1], soak.mail + (size_t)mt_me * LETTER, letter,
					    len, &soak.signals[mt_me], number, SHMEM_SIGNAL_SET,
					    to);
	}
	for (from = 0; from < mt_npes; from++) {
		uint64_t number = soak.received[from] + 1;

		if (!shmem_uint64_test(&soak.signals[from], SHMEM_CMP_EQ, number))
			continue;
		len = number * 7919 % LETTER + 1;
		CHECK_EQ(mt_differs(soak.mail + (size_t)from * LETTER, len,
				    number * 64 + (uint64_t)from),
			 len);
		soak.received[from] = number;
		shmem_signal_set(&soak.acks[mt_me], number, from);
	}
}

/** What all PEs do together at the end of an epoch. @return whether to go on */
static bool
end_epoch(uint64_t *common, time_t end)
{
	size_t n = (size_t)mt_npes * COUNTERS;
	static int more, more_of_0;
	void *block;
	size_t i;

	soak_quiet();
	mt_waiting("the end of an epoch");
	shmem_barrier_all();
	shmem_long_sum_reduce(SHMEM_TEAM_WORLD, soak.totals, soak.counted, n);
	for (i = 0; i < COUNTERS; i++) {
		long want = soak.totals[(size_t)mt_me * COUNTERS + i];

		CHECK_EQ(i % 2 ? counters[i] : soak.heap_counters[i], want);
	}
	/* Heap blocks are allocated and freed meanwhile. */
	block = shmem_malloc(1 + mt_random(common) % 300000);
	CHECK(block != NULL);
	shmem_free(soak.extra);
	soak.extra = block;
	more = time(NULL) < end;
	shmem_int_broadcast(SHMEM_TEAM_WORLD, &more_of_0, &more, 1, 0);
	/* A message of the next epoch must not change the counters that others still judge. */
	shmem_barrier_all();
	return more_of_0;
}

/** KiB of memory that is this process's alone. */
static long
own_memory(void)
{
	FILE *f = fopen("/proc/self/status", "r");
	char line[128];
	long kib = -1;

	while (f != NULL && fgets(line, sizeof(line), f) != NULL)
		if (sscanf(line, "RssAnon: %ld", &kib) == 1)
			break;
	if (f != NULL)
		fclose(f);
	return kib;
}

static void
case_mixed(void)
{
	uint64_t common = mt_options.seed;
	time_t begin = time(NULL), end = begin + mt_options.seconds;
	long first = 0, epochs = 0;
	int i, dice, target;

	soak_open();
	do {
		for (i = 0; i < 400; i++) {
			dice = (int)(soak_random() % 100);
			target = (int)(soak_random() % (uint64_t)mt_npes);
			if (dice < 40)
				soak_put(target, (int)(soak_random() % PLACES));
			else if (dice < 65)
				soak_get(target, (int)(soak_random() % PLACES));
			else if (dice < 80)
				count();
			else if (dice < 93)
				mail();
			else if (dice < 96)
				locked_step();
			else if (dice < 99)
				shmem_fence();
			else
				soak_quiet();
		}
		/* from here on all has been used once: what still grows, leaks */
		if (epochs++ == 0 || time(NULL) < begin + mt_options.seconds / 10)
			first = own_memory();
	} while (end_epoch(&common, end));
	CHECK_MSG(own_memory() <= first + GROWTH, "%ld KiB have become %ld in %ld epochs", first,
		  own_memory(), epochs);
	if (mt_me == 0)
		printf("%ld epochs, %ld KiB of own memory then %ld\n", epochs, first, own_memory());
	soak_close();
}

int
main(int argc, char **argv)
{
	static const struct mt_case cases[] = {
		{"mixed", case_mixed},
		{0},
	};

	return mt_main(argc, argv, SHMEM_THREAD_SINGLE, cases);
}
