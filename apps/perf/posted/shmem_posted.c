/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * What nonblocking collectives cost: post and wait against the blocking call, the post alone, and
 * how much of a reduction of 64 KiB goes on while the PEs sleep. Calls and pairs are measured in
 * turns, so that other load meets both alike. The ratio is the median of the ratios of all turns.
 * The other columns are medians of the quarter of them that took the least time for both: those
 * that other load has disturbed least.
 */
#include <shmemx.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	MOST = 1 << 20, /* bytes */
	HIDDEN = 64 * 1024,
	TURNS = 160,	/* at most, of a kind and size */
	TURNS_MIN = 24, /* within LIMIT_S, where the machine is busy */
	LIMIT_S = 2,
	CALM = 4,      /* one of so many is looked at more closely */
	TURN_US = 400, /* about as long as a turn takes, on machines with other load, too */
	CALLS_MIN = 4, /* of a turn */
	CALLS_MAX = 256,
	SLEEPS = 15,
	SLEEP_US = 20000, /* much longer than the reduction */
};

static long *to, *from;

struct kind {
	const char *name;
	int (*call)(size_t n);
	int (*post)(size_t n, shmemx_req_h *r);
};

static int
call_sum(size_t n)
{
	return shmem_long_sum_reduce(SHMEM_TEAM_WORLD, to, from, n);
}

static int
post_sum(size_t n, shmemx_req_h *r)
{
	return shmemx_long_sum_reduce_nb(SHMEM_TEAM_WORLD, to, from, n, r);
}

/* Roots in turn: a single one would run ahead. */
static int
next_root(void)
{
	static int root;

	return root = (root + 1) % shmem_n_pes();
}

static int
call_broadcast(size_t n)
{
	return shmem_long_broadcast(SHMEM_TEAM_WORLD, to, from, n, next_root());
}

static int
post_broadcast(size_t n, shmemx_req_h *r)
{
	return shmemx_long_broadcast_nb(SHMEM_TEAM_WORLD, to, from, n, next_root(), r);
}

static int
call_sync(size_t n)
{
	(void)n;
	shmem_sync_all();
	return 0;
}

static int
post_sync(size_t n, shmemx_req_h *r)
{
	(void)n;
	return shmemx_sync_all_nb(r);
}

static const struct kind kinds[] = {
	{"sync", call_sync, post_sync},
	{"sum", call_sum, post_sum},
	{"broadcast", call_broadcast, post_broadcast},
};

static void
must_work(int ret)
{
	if (ret != 0)
		shmem_global_exit(1);
}

/* Seconds of a blocking call. */
static double
time_calls(const struct kind *k, size_t n, int calls)
{
	double start;
	int i;

	shmem_barrier_all();
	start = shmemx_wtime();
	for (i = 0; i < calls; i++)
		must_work(k->call(n));
	return (shmemx_wtime() - start) / calls;
}

/* Seconds of a post and its wait. */
static double
time_pairs(const struct kind *k, size_t n, int calls)
{
	shmemx_req_h r;
	double start;
	int i;

	shmem_barrier_all();
	start = shmemx_wtime();
	for (i = 0; i < calls; i++) {
		must_work(k->post(n, &r));
		must_work(shmemx_req_wait(&r));
	}
	return (shmemx_wtime() - start) / calls;
}

/* Seconds of a post, with the clock that is read for it. */
static double
time_post(const struct kind *k, size_t n)
{
	shmemx_req_h r;
	double start, took;

	shmem_barrier_all();
	start = shmemx_wtime();
	must_work(k->post(n, &r));
	took = shmemx_wtime() - start;
	must_work(shmemx_req_wait(&r));
	return took;
}

/* Of all turns, and which column of them to sort by. */
enum column {
	CALL,
	PAIR,
	BOTH,
	RATIO,
	POST,
	COLUMNS
};

static double turns[TURNS][COLUMNS];
static enum column sorted_by;

static int
compare_turns(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (x[sorted_by] > y[sorted_by]) - (x[sorted_by] < y[sorted_by]);
}

/* Of the first @p n turns, which it sorts. */
static double
median_of(enum column what, int n)
{
	sorted_by = what;
	qsort(turns, (size_t)n, sizeof(*turns), compare_turns);
	return turns[n / 2][what];
}

/* Calls of a turn, as PE 0 finds it. Where PEs share a CPU with other programs, a call may take
 * milliseconds. */
static int
choose_calls(const struct kind *k, size_t n)
{
	static int calls;
	double fit;

	(void)time_calls(k, n, CALLS_MIN);
	fit = TURN_US / 1e6 / time_calls(k, n, 2 * CALLS_MIN);
	calls = fit < CALLS_MIN ? CALLS_MIN : fit > CALLS_MAX ? CALLS_MAX : (int)fit;
	shmem_barrier_all();
	calls = shmem_int_g(&calls, 0);
	shmem_barrier_all();
	return calls;
}

static void
print_turns(const char *name, size_t bytes, int n)
{
	double ratio = median_of(RATIO, n);

	(void)median_of(BOTH, n);
	n /= CALM;
	printf("%-10s %8zu %8.2f", name, bytes, ratio);
	printf(" %10.2f", median_of(CALL, n) * 1e6);
	printf(" %10.2f", median_of(PAIR, n) * 1e6);
	printf(" %8.2f", median_of(RATIO, n));
	printf(" %10.2f\n", median_of(POST, n) * 1e6);
	fflush(stdout);
}

/* Has the last turn been? As PE 0 finds it. */
static int
is_over(int turn, double since)
{
	static int over;
	int pe;

	if (turn == 0)
		over = 0;
	shmem_barrier_all();
	if (shmem_my_pe() == 0 &&
	    (turn == TURNS || (turn >= TURNS_MIN && shmemx_wtime() - since > LIMIT_S)))
		for (pe = 0; pe < shmem_n_pes(); pe++)
			shmem_int_p(&over, 1, pe);
	shmem_barrier_all();
	return over;
}

static void
measure_kind(const struct kind *k, size_t bytes)
{
	size_t n = bytes / sizeof(long);
	int calls = choose_calls(k, n), i;
	double since = shmemx_wtime();

	for (i = 0; !is_over(i, since); i++) {
		double *turn = turns[i];

		if (i % 2 == 0)
			turn[CALL] = time_calls(k, n, calls);
		turn[PAIR] = time_pairs(k, n, calls);
		if (i % 2 == 1)
			turn[CALL] = time_calls(k, n, calls);
		turn[POST] = time_post(k, n);
		turn[BOTH] = turn[CALL] + turn[PAIR];
		turn[RATIO] = turn[PAIR] / turn[CALL];
	}
	if (shmem_my_pe() == 0)
		print_turns(k->name, bytes, i);
}

static void
measure_hidden(void)
{
	shmemx_req_h r;
	double start;
	int i;

	for (i = 0; i < SLEEPS; i++) {
		turns[i][CALL] = time_calls(&kinds[1], HIDDEN / sizeof(long), 1);
		shmem_barrier_all();
		must_work(post_sum(HIDDEN / sizeof(long), &r));
		usleep(SLEEP_US);
		start = shmemx_wtime();
		must_work(shmemx_req_wait(&r));
		turns[i][PAIR] = shmemx_wtime() - start;
	}
	if (shmem_my_pe() != 0)
		return;
	printf("hidden while PEs sleep: sum of %d bytes, %.1f us; ", HIDDEN,
	       median_of(CALL, SLEEPS) * 1e6);
	printf("wait after it, %.1f us\n", median_of(PAIR, SLEEPS) * 1e6);
}

int
main(void)
{
	static const size_t sizes[] = {8, 64, 1024, 8192, 65536, MOST};
	size_t i, k;

	shmem_init();
	to = shmem_malloc(MOST);
	from = shmem_malloc(MOST);
	if (to == NULL || from == NULL)
		shmem_global_exit(1);
	memset(from, 1, MOST);
	if (shmem_my_pe() == 0)
		printf("%-10s %8s %8s %10s %10s %8s %10s\n", "", "bytes", "ratio", "call us",
		       "both us", "ratio", "post us");
	measure_kind(&kinds[0], sizeof(long));
	for (i = 1; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		for (k = 0; k < sizeof(sizes) / sizeof(sizes[0]); k++)
			measure_kind(&kinds[i], sizes[k]);
	measure_hidden();
	shmem_finalize();
	return 0;
}
