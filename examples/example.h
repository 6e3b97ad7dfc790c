/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef EXAMPLE_H
#define EXAMPLE_H

/**
 * @file
 * Functions that the example programs share: options, a clock, test patterns, the verdict.
 * Everything else in them is the standard OpenSHMEM API.
 */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <shmem.h>

/** An option: a number (with K, M or G after it if wanted) or a word. The last has flag 0. */
struct ex_opt {
	char flag;
	const char *what;
	long *number;
	long min, max;
	const char **word;
};

static inline void
ex_usage(FILE *to, const char *prog, const char *about, const struct ex_opt *opts)
{
	fprintf(to, "%s\nusage: %s [options]\n", about, prog);
	for (; opts->flag; opts++) {
		fprintf(to, "  -%c %s  %s", opts->flag, opts->number ? "N   " : "WORD", opts->what);
		if (opts->number)
			fprintf(to, " (%ld)", *opts->number);
		fputc('\n', to);
	}
}

static inline int
ex_set(const struct ex_opt *opt, const char *text)
{
	char *end;
	long v;

	if (opt->word) {
		*opt->word = text;
		return 0;
	}
	v = strtol(text, &end, 0);
	if (end == text || v < 0)
		return -1;
	for (; *end == 'K' || *end == 'M' || *end == 'G'; end++) {
		if (v > (1L << 40))
			return -1;
		v <<= *end == 'K' ? 10 : *end == 'M' ? 20 : 30;
	}
	if (*end || v < opt->min || v > opt->max)
		return -1;
	*opt->number = v;
	return 0;
}

/** End all PEs with one message. */
static inline void
ex_quit(int status)
{
	shmem_finalize();
	exit(status);
}

/** Start OpenSHMEM and read the options; every PE reads the same ones, PE 0 prints. */
static inline void
ex_start(int argc, char **argv, const char *about, const struct ex_opt *opts)
{
	const struct ex_opt *opt;
	int i, first;

	shmem_init();
	first = shmem_my_pe() == 0;
	for (i = 1; i < argc; i++) {
		if (argv[i][0] == '-' && argv[i][1] == 'h') {
			if (first)
				ex_usage(stdout, argv[0], about, opts);
			ex_quit(0);
		}
		for (opt = opts; opt->flag; opt++)
			if (argv[i][0] == '-' && argv[i][1] == opt->flag && !argv[i][2])
				break;
		if (opt->flag && i + 1 < argc && ex_set(opt, argv[i + 1]) == 0) {
			i++;
			continue;
		}
		if (first) {
			fprintf(stderr, "%s: bad option or value: %s %s\n", argv[0], argv[i],
				opt->flag && i + 1 < argc ? argv[i + 1] : "");
			ex_usage(stderr, argv[0], about, opts);
		}
		ex_quit(2);
	}
}

static inline double
ex_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/** A symmetric block, or the end of the program. */
static inline void *
ex_alloc(size_t bytes)
{
	void *p = shmem_malloc(bytes);

	if (!p) {
		if (shmem_my_pe() == 0)
			fprintf(stderr, "no room for %zu bytes: set SHMEM_SYMMETRIC_SIZE higher\n",
				bytes);
		ex_quit(3);
	}
	return p;
}

/** Element @p i of the pattern @p key: different from its neighbours and from other patterns. */
static inline long
ex_word(long key, size_t i)
{
	uint64_t x = (uint64_t)key * 0x9e3779b97f4a7c15u + i;

	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
	return (long)(x ^ (x >> 31));
}

static inline void
ex_fill(long *block, size_t nelems, long key)
{
	size_t i;

	for (i = 0; i < nelems; i++)
		block[i] = ex_word(key, i);
}

/** @return how many elements of @p block are not those of pattern @p key */
static inline long
ex_check(const long *block, size_t nelems, long key)
{
	long errors = 0;
	size_t i;

	for (i = 0; i < nelems; i++)
		errors += block[i] != ex_word(key, i);
	return errors;
}

/** PE 0's line of the table: @p count steps of @p bytes each took @p seconds. */
static inline void
ex_row(size_t bytes, long count, double seconds)
{
	if (shmem_my_pe() == 0)
		printf("%10zu %8ld %12.2f %12.1f\n", bytes, count, seconds * 1e6 / (double)count,
		       seconds > 0 ? (double)bytes * (double)count / seconds / 1e6 : 0.0);
}

/** Collect the PEs' verdicts on PE 0, print the last line, end. @return exit status */
static inline int
ex_finish(long errors)
{
	static long mine;
	long all = 0;
	int pe;

	mine = errors;
	if (errors)
		fprintf(stderr, "PE %d: %ld wrong elements\n", shmem_my_pe(), errors);
	shmem_barrier_all();
	if (shmem_my_pe() == 0) {
		for (pe = 0; pe < shmem_n_pes(); pe++)
			all += shmem_long_g(&mine, pe) != 0;
		if (all)
			printf("PEs with errors: %ld of %d\n", all, shmem_n_pes());
		printf("verified: %s\n", all ? "no" : "yes");
		fflush(stdout);
	}
	shmem_finalize();
	return errors || all;
}

#endif /* EXAMPLE_H */
