/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * The kernels of small applications: an integer sort after the pattern of ISx, random updates and a
 * breadth-first search. One operation is one iteration of all PEs, and each loop checks its result:
 * a fast wrong answer ends the job.
 */
#include <shmem.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "perf.h"

enum {
	KEYS = 8192,	/* of a PE, in the sort */
	RANGE = 4096,	/* values that one PE collects */
	TABLE = 4096,	/* words of a PE, for the updates */
	UPDATES = 512,	/* of a PE, in one operation */
	VERTICES = 256, /* of a PE, in the search */
	EDGES = 4,	/* that leave a vertex */
};

/* Not every library declares that shmem_global_exit() does not return. */
static __attribute__((noreturn)) void
fail_job(const char *what)
{
	cli_say("PE %d: %s", shmem_my_pe(), what);
	shmem_global_exit(1);
	exit(1);
}

/* Collective. */
static void *
allocate_shared(size_t size)
{
	void *at = shmem_align(PERF_PAGE, size);

	if (at == NULL)
		fail_job("no room for the data of an application: set SHMEM_SYMMETRIC_SIZE higher");
	memset(at, 0, size);
	shmem_barrier_all();
	return at;
}

/* xorshift64*, by S. Vigna: each PE draws numbers of its own. */
static uint64_t
draw_number(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 0x2545f4914f6cdd1dull;
}

/* ---- the sort ---- */

static struct sort {
	int *taken;	/* symmetric: keys that others have sent */
	long *count;	/* symmetric: how many; a sender adds its own, and so finds its place */
	int keys[KEYS]; /* of this PE */
	int sent[KEYS]; /* the same, by receiver */
	long first[PERF_PES_MAX + 1];
	uint64_t seed;
	long done; /* iterations */
} sort;

/* Keys by receiver: a count, the places, the keys. */
static void
sort_mine(int npes)
{
	static long next[PERF_PES_MAX];
	int i, pe;

	memset(sort.first, 0, (size_t)(npes + 1) * sizeof(sort.first[0]));
	for (i = 0; i < KEYS; i++)
		sort.first[sort.keys[i] / RANGE + 1]++;
	for (pe = 0; pe < npes; pe++) {
		sort.first[pe + 1] += sort.first[pe];
		next[pe] = sort.first[pe];
	}
	for (i = 0; i < KEYS; i++)
		sort.sent[next[sort.keys[i] / RANGE]++] = sort.keys[i];
}

static void
sort_send(const struct perf *p)
{
	int i;

	for (i = 0; i < p->npes; i++) {
		int pe = (p->me + i) % p->npes;
		long n = sort.first[pe + 1] - sort.first[pe], at;

		if (n == 0)
			continue;
		at = shmem_long_atomic_fetch_add(sort.count, n, pe);
		if (at < 0 || at + n > 2L * KEYS)
			fail_job("sort: more keys than a PE has room for");
		shmem_int_put(sort.taken + at, sort.sent + sort.first[pe], (size_t)n, pe);
	}
}

/* @return keys of the right range */
static long
sort_count(const struct perf *p)
{
	static int counts[RANGE];
	long n = *(volatile long *)sort.count, i, all = 0;

	memset(counts, 0, sizeof(counts));
	for (i = 0; i < n; i++) {
		int at = sort.taken[i] - p->me * RANGE;

		if (at < 0 || at >= RANGE)
			fail_job("sort: a key that belongs to another PE");
		counts[at]++;
	}
	for (i = 0; i < RANGE; i++)
		all += counts[i];
	return all;
}

static void
sort_loop(const struct perf *p, long n)
{
	static long all;
	long mine, i;

	if (sort.taken == NULL) {
		sort.taken = allocate_shared(2 * KEYS * sizeof(int));
		sort.count = allocate_shared(2 * sizeof(long));
		sort.seed = (uint64_t)p->me + 1;
	}
	for (; n > 0; n--) {
		for (i = 0; i < KEYS; i++)
			sort.keys[i] = (int)(draw_number(&sort.seed) % (uint64_t)(p->npes * RANGE));
		sort_mine(p->npes);
		sort_send(p);
		shmem_barrier_all();
		mine = sort_count(p);
		*sort.count = 0;
		shmem_barrier_all();
		shmem_long_atomic_add(&all, mine, 0);
		sort.done++;
	}
	shmem_barrier_all();
	if (p->me == 0 && *(volatile long *)&all != sort.done * KEYS * p->npes)
		fail_job("sort: keys are lost");
	shmem_barrier_all();
}

/* ---- the updates ---- */

static void
update_loop(const struct perf *p, long n)
{
	static long *table;
	static long asked, all;
	static uint64_t seed;
	long sum = 0, i;

	if (table == NULL) {
		table = allocate_shared(TABLE * sizeof(long));
		seed = (uint64_t)p->me + 1;
	}
	for (; n > 0; n--) {
		for (i = 0; i < UPDATES; i++) {
			uint64_t r = draw_number(&seed);

			shmem_long_atomic_add(&table[r % TABLE], 1,
					      (int)((r >> 32) % (uint64_t)p->npes));
		}
		asked += UPDATES;
	}
	shmem_barrier_all();
	for (i = 0; i < TABLE; i++)
		sum += ((volatile long *)table)[i];
	shmem_barrier_all(); /* no PE may change a table that another still sums */
	shmem_long_atomic_add(&all, sum - asked, 0);
	shmem_barrier_all();
	if (p->me == 0 && *(volatile long *)&all != 0)
		fail_job("updates: some are lost, or done twice");
	shmem_barrier_all();
}

/* ---- the search ---- */

static struct graph {
	long *depth; /* symmetric: of each vertex of this PE; -1: not found */
	long *right; /* what a search without a library finds for them */
} graph;

/* The graph is a function: no PE has to store it. */
static long
vertex_behind(const struct perf *p, long vertex, int edge)
{
	uint64_t state = (uint64_t)(vertex * EDGES + edge + 1) * 0x9e3779b97f4a7c15ull;

	return (long)(draw_number(&state) % ((uint64_t)p->npes * VERTICES));
}

/* @p found: depths of all vertices. @return how many have been added */
static long
search_level(const struct perf *p, long *found, long depth)
{
	long all = (long)p->npes * VERTICES, added = 0, v, to;
	int edge;

	for (v = 0; v < all; v++)
		for (edge = 0; found[v] == depth && edge < EDGES; edge++) {
			to = vertex_behind(p, v, edge);
			added += found[to] < 0;
			if (found[to] < 0)
				found[to] = depth + 1;
		}
	return added;
}

static void
search_start(const struct perf *p)
{
	long *found = malloc((size_t)p->npes * VERTICES * sizeof(long)), depth = 0;

	graph.depth = allocate_shared(VERTICES * sizeof(long));
	graph.right = malloc(VERTICES * sizeof(long));
	if (found == NULL || graph.right == NULL)
		fail_job("no memory for a graph");
	memset(found, -1, (size_t)p->npes * VERTICES * sizeof(long));
	found[0] = 0;
	while (search_level(p, found, depth) > 0)
		depth++;
	memcpy(graph.right, found + (size_t)p->me * VERTICES, VERTICES * sizeof(long));
	free(found);
}

/* By levels: whoever is first at a vertex gives it the next depth, with a blocking
 * compare-and-swap.
 * @return how many this PE has added */
static long
search_mine(const struct perf *p, long depth)
{
	long added = 0, v, to;
	int edge;

	for (v = 0; v < VERTICES; v++)
		for (edge = 0; graph.depth[v] == depth && edge < EDGES; edge++) {
			to = vertex_behind(p, (long)p->me * VERTICES + v, edge);
			added +=
				shmem_long_atomic_compare_swap(&graph.depth[to % VERTICES], -1,
							       depth + 1, (int)(to / VERTICES)) < 0;
		}
	return added;
}

/* @return of all PEs. Sets in turn: one is used again when all have entered the other's call. */
static long
search_sum(const struct perf *p, long mine, long turn)
{
	static long work[2][SHMEM_REDUCE_MIN_WRKDATA_SIZE], set[2][SHMEM_REDUCE_SYNC_SIZE];
	static long added, all;
	size_t i;

	for (i = 0; turn == 0 && i < SHMEM_REDUCE_SYNC_SIZE; i++)
		set[0][i] = set[1][i] = SHMEM_SYNC_VALUE;
	if (turn == 0)
		shmem_barrier_all();
	added = mine;
	shmem_long_sum_to_all(&all, &added, 1, 0, 0, p->npes, work[turn % 2], set[turn % 2]);
	return all;
}

static void
search_loop(const struct perf *p, long n)
{
	static long turn;
	long depth;

	if (graph.depth == NULL)
		search_start(p);
	for (; n > 0; n--) {
		memset(graph.depth, -1, VERTICES * sizeof(long));
		if (p->me == 0)
			graph.depth[0] = 0;
		shmem_barrier_all();
		for (depth = 0; search_sum(p, search_mine(p, depth), turn++) > 0; depth++)
			;
		if (memcmp(graph.depth, graph.right, VERTICES * sizeof(long)) != 0)
			fail_job("search: a wrong depth");
	}
	shmem_barrier_all();
}

void
perf_app(struct perf *p, int op, long n)
{
	switch (op) {
	case PERF_SORT:
		sort_loop(p, n);
		break;
	case PERF_UPDATES:
		update_loop(p, n);
		break;
	case PERF_BFS:
		search_loop(p, n);
		break;
	}
}
