/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * The kernels of small applications: an integer sort after the pattern of ISx, random updates, a
 * transposition, a stencil and a breadth-first search. One operation is one iteration of all PEs,
 * and each loop checks its result: a fast wrong answer ends the job.
 */
#include <shmem.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "perf.h"

enum {
	KEYS = 8192,   /* of a PE, in the sort */
	RANGE = 4096,  /* values that one PE collects */
	TABLE = 4096,  /* words of a PE, for the updates */
	UPDATES = 512, /* of a PE, in one operation */
	BLOCK = 64,    /* rows of a PE's part of the matrix, and columns of a block */
	ROWS = 32,     /* of a PE's part of the grid */
	COLUMNS = 256,
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

/* ---- the transposition ---- */

static struct matrix {
	double *mine;  /* BLOCK rows of BLOCK * PEs */
	double *taken; /* symmetric: a block of each PE */
	double block[BLOCK * BLOCK];
} matrix;

static void
matrix_turn(const struct perf *p)
{
	int wide = p->npes * BLOCK, i, row, column;

	for (i = 0; i < p->npes; i++) {
		int pe = (p->me + i) % p->npes;

		for (row = 0; row < BLOCK; row++)
			for (column = 0; column < BLOCK; column++)
				matrix.block[column * BLOCK + row] =
					matrix.mine[row * wide + pe * BLOCK + column];
		shmem_double_put(matrix.taken + (size_t)p->me * BLOCK * BLOCK, matrix.block,
				 BLOCK * BLOCK, pe);
	}
	shmem_barrier_all();
	for (i = 0; i < p->npes; i++)
		for (row = 0; row < BLOCK; row++)
			memcpy(&matrix.mine[row * wide + i * BLOCK],
			       &matrix.taken[(i * BLOCK + row) * BLOCK], BLOCK * sizeof(double));
	shmem_barrier_all();
}

static double
matrix_value(const struct perf *p, int row, int column, bool turned)
{
	int r = p->me * BLOCK + row;

	return turned ? (double)column * 65536 + r : (double)r * 65536 + column;
}

static void
transpose_loop(const struct perf *p, long n)
{
	static bool turned;
	int wide = p->npes * BLOCK, row, column;

	if (matrix.mine == NULL) {
		matrix.taken = allocate_shared((size_t)wide * BLOCK * sizeof(double));
		matrix.mine = malloc((size_t)wide * BLOCK * sizeof(double));
		if (matrix.mine == NULL)
			fail_job("no memory for a matrix");
		for (row = 0; row < BLOCK; row++)
			for (column = 0; column < wide; column++)
				matrix.mine[row * wide + column] =
					matrix_value(p, row, column, false);
	}
	for (; n > 0; n--, turned = !turned)
		matrix_turn(p);
	for (row = 0; row < BLOCK; row++)
		for (column = 0; column < wide; column++)
			if (matrix.mine[row * wide + column] !=
			    matrix_value(p, row, column, turned))
				fail_job("transpose: a wrong value");
}

/* ---- the stencil ---- */

typedef double row_type[COLUMNS];

/* A star of the nearest neighbours, after the pattern of PRK: the input is linear in row and column
 * and grows by one with each iteration, so each iteration adds 2 to each inner value, and a row of
 * an earlier iteration would be seen. A PE may be one iteration ahead of its neighbour, and not
 * two, because it waits for the neighbour's rows: rows of odd and even iterations have memory of
 * their own. */
static struct grid {
	row_type (*halo)[2]; /* symmetric: [parity][from below] */
	long *flags;	     /* symmetric: iterations that came from above and from below */
	double in[ROWS][COLUMNS], out[ROWS][COLUMNS];
	long done; /* iterations */
} grid __attribute__((aligned(PERF_PAGE)));

static void
grid_swap_rows(const struct perf *p)
{
	row_type *halo = grid.halo[grid.done % 2];
	bool above = p->me > 0, below = p->me < p->npes - 1;

	if (above)
		shmem_double_put(halo[1], grid.in[0], COLUMNS, p->me - 1);
	if (below)
		shmem_double_put(halo[0], grid.in[ROWS - 1], COLUMNS, p->me + 1);
	shmem_fence();
	if (above)
		shmem_long_p(&grid.flags[1], grid.done + 1, p->me - 1);
	if (below)
		shmem_long_p(&grid.flags[0], grid.done + 1, p->me + 1);
	if (above)
		shmem_long_wait_until(&grid.flags[0], SHMEM_CMP_GE, grid.done + 1);
	if (below)
		shmem_long_wait_until(&grid.flags[1], SHMEM_CMP_GE, grid.done + 1);
}

/* Of the rows that a PE has, all but the first and last of the whole grid. */
static int
grid_first(const struct perf *p)
{
	return p->me == 0;
}

static int
grid_end(const struct perf *p)
{
	return p->me == p->npes - 1 ? ROWS - 1 : ROWS;
}

/* Compiled by itself, at the start of a cache line: where the loop happens to lie must not decide
 * what others are compared with. */
__attribute__((noinline, aligned(64))) static void
grid_step(const struct perf *p)
{
	row_type *halo = grid.halo[grid.done % 2];
	int row, c;

	for (row = grid_first(p); row < grid_end(p); row++) {
		const double *up = row > 0 ? grid.in[row - 1] : halo[0];
		const double *down = row < ROWS - 1 ? grid.in[row + 1] : halo[1];
		const double *here = grid.in[row];

		for (c = 1; c < COLUMNS - 1; c++)
			grid.out[row][c] += (down[c] - up[c] + here[c + 1] - here[c - 1]) / 2;
	}
	for (row = 0; row < ROWS; row++)
		for (c = 0; c < COLUMNS; c++)
			grid.in[row][c] += 1;
}

static void
grid_start(const struct perf *p)
{
	int row, c;

	grid.halo = allocate_shared(2 * sizeof(*grid.halo));
	grid.flags = allocate_shared(2 * sizeof(long));
	for (row = 0; row < ROWS; row++)
		for (c = 0; c < COLUMNS; c++)
			grid.in[row][c] = p->me * ROWS + row + c;
}

static void
stencil_loop(const struct perf *p, long n)
{
	int row, c;

	if (grid.halo == NULL)
		grid_start(p);
	for (; n > 0; n--, grid.done++) {
		grid_swap_rows(p);
		grid_step(p);
	}
	for (row = grid_first(p); row < grid_end(p); row++)
		for (c = 1; c < COLUMNS - 1; c++)
			if (grid.out[row][c] != 2.0 * (double)grid.done)
				fail_job("stencil: a wrong value");
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
	case PERF_TRANSPOSE:
		transpose_loop(p, n);
		break;
	case PERF_STENCIL:
		stencil_loop(p, n);
		break;
	case PERF_BFS:
		search_loop(p, n);
		break;
	}
}
