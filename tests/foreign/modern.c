/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * A C11 program: generic calls only, a latency loop as micro-benchmarks have it, teams, contexts.
 */
#include <complex.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <shmem.h>
#include <shmemx.h>

static int failures, me, n;

#define EXPECT(what)                                                                       \
	do {                                                                               \
		if (!(what)) {                                                             \
			fprintf(stderr, "%d: %s:%d: %s\n", me, __FILE__, __LINE__, #what); \
			failures++;                                                        \
		}                                                                          \
	} while (0)

/* Every type through the same four names, in the heap. */
#define ROUND_TRIP(T, value)                                           \
	do {                                                           \
		T *at = shmem_malloc(4 * sizeof(T)), from[4], back[4]; \
		T one = (value);                                       \
		int i;                                                 \
                                                                       \
		for (i = 0; i < 4; i++)                                \
			from[i] = (T)(one + (T)i);                     \
		shmem_put(at, from, 4, (me + 1) % n);                  \
		shmem_quiet();                                         \
		shmem_get(back, at, 4, (me + 1) % n);                  \
		EXPECT(back[3] == from[3]);                            \
		shmem_p(&at[1], one, (me + 1) % n);                    \
		shmem_quiet();                                         \
		EXPECT(shmem_g(&at[1], (me + 1) % n) == one);          \
		shmem_barrier_all();                                   \
		shmem_free(at);                                        \
	} while (0)

static void
generics(void)
{
	ROUND_TRIP(char, 'a');
	ROUND_TRIP(signed char, -3);
	ROUND_TRIP(short, -300);
	ROUND_TRIP(int, -70000);
	ROUND_TRIP(long, -(1L << 40));
	ROUND_TRIP(long long, 1LL << 50);
	ROUND_TRIP(unsigned char, 200);
	ROUND_TRIP(unsigned short, 60000);
	ROUND_TRIP(unsigned int, 4000000000u);
	ROUND_TRIP(unsigned long, 1UL << 63);
	ROUND_TRIP(unsigned long long, 1ULL << 62);
	ROUND_TRIP(float, 1.5f);
	ROUND_TRIP(double, -2.25);
	ROUND_TRIP(long double, 3.125L);
	ROUND_TRIP(size_t, SIZE_MAX / 2);
	ROUND_TRIP(ptrdiff_t, -5);
	ROUND_TRIP(uint8_t, 9);
	ROUND_TRIP(int64_t, INT64_MIN);
}

static void
latency(size_t most)
{
	char *target = shmem_align(64, most), *source = shmem_align(64, most);
	struct timespec from, to;
	size_t size;
	int i;

	memset(source, me + 1, most);
	for (size = 1; size <= most; size *= 4) {
		shmem_barrier_all();
		clock_gettime(CLOCK_MONOTONIC, &from);
		for (i = 0; i < 20 && me == 0; i++) {
			shmem_putmem(target, source, size, n - 1);
			shmem_quiet();
		}
		clock_gettime(CLOCK_MONOTONIC, &to);
		shmem_barrier_all();
		if (me == n - 1)
			EXPECT(target[size - 1] == 1);
	}
	shmem_free(source);
	shmem_free(target);
}

static void
teams_and_contexts(void)
{
	shmem_team_config_t config = {.num_contexts = 1};
	shmem_team_t evens, rows, columns;
	long *words = shmem_calloc(8, sizeof(*words));
	shmem_ctx_t ctx;
	int size = (n + 1) / 2;

	EXPECT(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, size, &config,
					SHMEM_TEAM_NUM_CONTEXTS, &evens) == 0);
	EXPECT((evens != SHMEM_TEAM_INVALID) == (me % 2 == 0));
	if (evens != SHMEM_TEAM_INVALID) {
		long mine = me + 1, sum = size * (size - 1L) + size;

		words[2] = mine;
		EXPECT(shmem_sum_reduce(evens, &words[3], &words[2], 1) == 0);
		EXPECT(words[3] == sum);
		EXPECT(shmem_team_create_ctx(evens, 0, &ctx) == 0);
		shmem_atomic_add(ctx, &words[0], mine, 0);
		shmem_ctx_destroy(ctx);
		shmem_team_sync(evens);
		if (me == 0)
			EXPECT(words[0] == sum);
		shmem_team_destroy(evens);
	}
	EXPECT(shmem_team_split_2d(SHMEM_TEAM_WORLD, 2, NULL, 0, &rows, NULL, 0, &columns) == 0);
	words[4] = 1;
	shmem_sum_reduce(rows, &words[5], &words[4], 1);
	EXPECT(words[5] == shmem_team_n_pes(rows));
	EXPECT(shmem_team_translate_pe(columns, shmem_team_my_pe(columns), SHMEM_TEAM_WORLD) == me);
	shmem_team_destroy(columns);
	shmem_team_destroy(rows);
	shmem_free(words);
}

static void
signals(void)
{
	static uint64_t sig;
	static long data[100];
	long from[100];
	int i;

	for (i = 0; i < 100; i++)
		from[i] = me * 1000 + i;
	shmem_put_signal(data, from, 100, &sig, 5, SHMEM_SIGNAL_SET, (me + 1) % n);
	EXPECT(shmem_signal_wait_until(&sig, SHMEM_CMP_EQ, 5) == 5);
	EXPECT(data[99] == (me + n - 1) % n * 1000 + 99 && shmem_signal_fetch(&sig) == 5);
	shmem_barrier_all();
}

int
main(void)
{
	int provided = -1, major, minor;
	char name[SHMEM_MAX_NAME_LEN];

	if (shmem_init_thread(SHMEM_THREAD_FUNNELED, &provided) != 0)
		return 2;
	me = shmem_my_pe();
	n = shmem_n_pes();
	shmem_info_get_version(&major, &minor);
	shmem_info_get_name(name);
	EXPECT(provided >= SHMEM_THREAD_FUNNELED && major == SHMEM_MAJOR_VERSION &&
	       minor == SHMEM_MINOR_VERSION && strlen(name) > 0);
	generics();
	latency(1 << 20);
	teams_and_contexts();
	signals();
	printf("%d of %d: %s\n", me, n, failures == 0 ? "passed" : "FAILED");
	if (failures != 0)
		shmem_global_exit(1);
	shmem_finalize();
	return 0;
}
