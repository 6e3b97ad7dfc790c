/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Put bandwidth and latency from PE 0 over one and two hops, beside what a bare copy of the same
 * size through the same window reaches. All figures of a row are taken in turns, so that what
 * else the machine does meets them alike; each is the best of its turns.
 */
#include <stdlib.h>
#include <string.h>

#include <shmemx.h>

#include "example.h"

#define PAGE 4096

enum path {
	COPY, /* memcpy through the window, or within this PE where there is none */
	HOP1,
	HOP2,
	PATHS
};

struct bench {
	int pe[PATHS]; /* target, -1: the ring has none */
	char *source;
	char *target;	    /* symmetric */
	char *copy_to;	    /* where COPY writes */
	double rate[PATHS]; /* best, MB/s */
	double lat[PATHS];  /* best, us for one put with quiet */
};

/**
 * The place of @p target in the window on PE @p pe: the API does not name the heap's base, so mark
 * the page over there and look for the mark.
 */
static char *
find_target(int pe, char *target)
{
	size_t len = 0, off;
	char *window = shmemx_window(pe, &len);
	long mark[2] = {ex_word(pe, 1), ex_word((long)(uintptr_t)target, 2)};

	if (!window)
		return NULL;
	shmem_putmem(target, mark, sizeof(mark), pe);
	shmem_quiet();
	for (off = 0; off + PAGE <= len; off += PAGE)
		if (memcmp(window + off, mark, sizeof(mark)) == 0)
			return window + off;
	return NULL;
}

/** Neighbours are those whose heap a window shows; the first other one is two hops away. */
static void
find_paths(struct bench *b)
{
	size_t len;
	int pe;

	b->pe[COPY] = 0;
	b->pe[HOP1] = -1;
	b->pe[HOP2] = -1;
	for (pe = 1; pe < shmem_n_pes(); pe++) {
		int near = shmemx_window(pe, &len) != NULL;

		if (near && b->pe[HOP1] < 0)
			b->pe[HOP1] = pe;
		if (!near && !shmem_ptr(b->target, pe) && b->pe[HOP2] < 0)
			b->pe[HOP2] = pe;
	}
}

static double
run_path(const struct bench *b, enum path path, size_t bytes, long count)
{
	double t = ex_now();
	long i;

	for (i = 0; i < count; i++) {
		if (path == COPY) {
			memcpy(b->copy_to, b->source, bytes);
			/* Each copy counts: the compiler must not drop it because of the next one.
			 */
			__asm__ volatile("" ::: "memory");
		} else {
			shmem_putmem(b->target, b->source, bytes, b->pe[path]);
		}
	}
	if (path != COPY)
		shmem_quiet();
	return ex_now() - t;
}

static void
measure(struct bench *b, size_t bytes, long turns)
{
	long count = bytes >= 1 << 20 ? 8 : (8 << 20) / (long)(bytes < 4096 ? 4096 : bytes);
	double t, rate;
	long turn;
	int path;

	memset(b->rate, 0, sizeof(b->rate));
	for (path = COPY; path < PATHS; path++)
		b->lat[path] = 1e9;
	for (turn = 0; turn < turns; turn++) {
		for (path = COPY; path < PATHS; path++) {
			if (b->pe[path] < 0)
				continue;
			rate = (double)bytes * (double)count / run_path(b, path, bytes, count) /
			       1e6;
			if (rate > b->rate[path])
				b->rate[path] = rate;
			t = run_path(b, path, bytes, 1) * 1e6;
			if (t < b->lat[path])
				b->lat[path] = t;
		}
	}
}

static void
print_path(const struct bench *b, enum path path)
{
	if (b->pe[path] < 0)
		printf(" %10s %7s %9s", "-", "-", "-");
	else
		printf(" %10.1f %6.1f%% %9.2f", b->rate[path], 100 * b->rate[path] / b->rate[COPY],
		       b->lat[path]);
}

/** @return bytes that did not arrive over some path */
static long
verify(const struct bench *b, size_t bytes)
{
	static char back[PAGE];
	long errors = 0;
	size_t off, n, i;
	int path;

	for (path = COPY; path < PATHS; path++) {
		if (b->pe[path] < 0 || (path == COPY && b->copy_to == NULL))
			continue;
		memset(b->source, 'a' + path, bytes);
		run_path(b, path, bytes, 1);
		for (off = 0; off < bytes; off += n) {
			n = bytes - off < PAGE ? bytes - off : PAGE;
			if (path == COPY)
				memcpy(back, b->copy_to + off, n);
			else
				shmem_getmem(back, b->target + off, n, b->pe[path]);
			for (i = 0; i < n; i++)
				errors += back[i] != 'a' + path;
		}
	}
	return errors;
}

static long
bench(struct bench *b, size_t max, long turns)
{
	size_t bytes;
	long errors = 0;
	char *through = NULL;

	find_paths(b);
	if (b->pe[HOP1] >= 0)
		through = find_target(b->pe[HOP1], b->target);
	if (through)
		b->copy_to = through;
	printf("put_bw: PE 0 to PE %d (1 hop) and PE %d (2 hops), -1: none\n", b->pe[HOP1],
	       b->pe[HOP2]);
	printf("copy: %s\n", through ? "memcpy through the window to the neighbour"
				     : "memcpy within PE 0, for there is no window");
	printf("%10s %10s %10s %7s %9s %10s %7s %9s\n", "bytes", "copy MB/s", "1 hop MB/s",
	       "of copy", "us", "2 hop MB/s", "of copy", "us");
	for (bytes = 8; bytes <= max; bytes *= bytes < 4096 ? 8 : 4) {
		measure(b, bytes, turns);
		printf("%10zu %10.1f", bytes, b->rate[COPY]);
		print_path(b, HOP1);
		print_path(b, HOP2);
		printf("\n");
		fflush(stdout);
		errors += verify(b, bytes);
	}
	return errors;
}

int
main(int argc, char **argv)
{
	long max = 1 << 20, turns = 10, errors = 0;
	const struct ex_opt opts[] = {
		{'m', "largest put, bytes", &max, 8, 1L << 30, NULL},
		{'r', "turns per figure, of which the best counts", &turns, 1, 1000000, NULL},
		{0},
	};
	struct bench b = {0};
	char *local;

	ex_start(argc, argv, "Put bandwidth and latency against a bare copy.", opts);
	b.target = shmem_align(PAGE, (size_t)max + PAGE);
	b.source = malloc((size_t)max);
	local = malloc((size_t)max);
	if (!b.target || !b.source || !local) {
		fprintf(stderr, "no memory for %ld bytes\n", max);
		shmem_global_exit(3);
	}
	b.copy_to = local;
	/* Otherwise the first copy would include page faults. */
	memset(b.source, 1, (size_t)max);
	memset(local, 0, (size_t)max);
	shmem_barrier_all();
	if (shmem_my_pe() == 0)
		errors = bench(&b, (size_t)max, turns);
	free(local);
	free(b.source);
	return ex_finish(errors);
}
