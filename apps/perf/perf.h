/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PERF_H
#define PERF_H

/**
 * @file
 * shmem-perf: one table of benchmarks, one way to sample them all. Everything is OpenSHMEM 1.4, so
 * that other implementations can be measured by the same source; PERF_WINDOW says that
 * shmemx_window() is there, for rows that compare with a bare copy.
 */

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#include "cli.h"
#include "report.h"

enum {
	PERF_PAGE = 4096,
	PERF_WINDOW_OPS = 64, /* puts or gets between two quiets where bandwidth is measured */
	PERF_STATIC_MAX = 4 << 20,
	PERF_PES_MAX = 1024,
};

/** The PEs that run the loop of a benchmark; all others wait in a barrier meanwhile. */
enum perf_who {
	PERF_FIRST, /**< PE 0 */
	PERF_PAIR,  /**< PE 0 and the target */
	PERF_ALL,
};

enum {
	PERF_SIZED = 1 << 0,  /**< a row for each size, else one row */
	PERF_STATIC = 1 << 1, /**< can be measured with static data too */
	PERF_BARE = 1 << 2,   /**< stores to the target without the library */
	PERF_LOCAL = 1 << 3,  /**< has no target */
	PERF_COLL = 1 << 4,   /**< needs room for a block for or from each PE */
	PERF_ONE = 1 << 5,    /**< loads of all PEs' words: one host */
};

/** The data of a benchmark's loop. */
struct perf {
	int me;
	int npes;
	int target; /**< for PE 0; at the target: PE 0 */
	size_t size;
	char *src;	     /**< symmetric, as dst */
	char *dst;	     /**< remote side */
	volatile long *word; /**< symmetric, on cache lines of its own, zero before each row */
	char *bare_dst;	     /**< address at which a plain store reaches the target's dst; NULL:
			      *  none */
	volatile long *bare_word;
	long seq; /**< ping-pong number, continued from loop to loop */
};

struct perf_bench {
	const char *name;
	const char *title;
	enum report_unit unit;
	enum perf_who who;
	unsigned int flags;
	void (*run)(struct perf *p, int op, long n); /**< n operations */
	int op;					     /**< second argument of @ref run */
	unsigned int blocks; /**< blocks of size that one operation moves; 0: one for each PE */
};

extern const struct perf_bench perf_benches[];

/** Loops, by file. */
void perf_local(struct perf *p, int op, long n);
void perf_rma(struct perf *p, int op, long n);
void perf_p_inline(const struct perf *p, int pe, long n); /**< without quiet */
void perf_pingpong(struct perf *p, int op, long n);
void perf_atomic(struct perf *p, int op, long n);
void perf_coll(struct perf *p, int op, long n);
void perf_flags(struct perf *p, int op, long n);
void perf_switch(struct perf *p, int op, long n);
void perf_app(struct perf *p, int op, long n);

enum perf_local_op {
	PERF_STORE,
	PERF_COPY,
	PERF_COPY_BARE,
};

enum perf_rma_op {
	PERF_PUT = 1 << 0,
	PERF_GET = 1 << 1,
	PERF_NBI = 1 << 2,
	PERF_SCALAR = 1 << 3,
	PERF_QUIET = 1 << 4, /**< after each, not after each PERF_WINDOW_OPS */
	PERF_RING = 1 << 5,  /**< to the next PE, not to the target */
	PERF_INLINE = 1 << 6,
};

enum perf_atomic_op {
	PERF_FADD,
	PERF_FINC,
	PERF_ADD,
	PERF_INC,
	PERF_CSWAP,
	PERF_SWAP,
	PERF_FETCH,
	PERF_SET,
	PERF_BATCH_OF_ONE, /**< a nonblocking one and quiet */
	PERF_BATCH,	   /**< PERF_WINDOW_OPS nonblocking ones and quiet */
	PERF_FADD_FIRST,   /**< by all PEs at PE 0 */
	PERF_LOCK,	   /**< one lock of all PEs, held for nothing */
};

enum perf_coll_op {
	PERF_BARRIER,
	PERF_SYNC,
	PERF_BROADCAST,
	PERF_REDUCE,
	PERF_COLLECT,
	PERF_FCOLLECT,
	PERF_ALLTOALL,
};

enum perf_app_op {
	PERF_SORT,
	PERF_UPDATES,
	PERF_BFS,
};

/** Can perf_flags() reach the words of all PEs? */
bool perf_flags_reach(const struct perf *p);
/** Allocate the memory of the collectives. False where there is no room. */
bool perf_coll_init(void);

/** The command line. */
struct perf_args {
	struct report_options report;
	struct cli_sizes sizes;
	long coll_max;	  /**< largest size of collectives */
	const char *hops; /**< "all", a list, or NULL */
	int target;
	bool heap;
	bool in_static;
	bool list;
	char **names; /**< patterns of benchmarks, for cli_match() */
};

/** @return 0; else the exit status plus one. @p speak: print usage or error text */
int perf_args_read(struct perf_args *a, int argc, char **argv, bool speak);

/**
 * Which PEs PE 0 measures with, in order. Collective; the result counts at PE 0.
 * @param ret_hops  links between, -1 unknown; as long as @p ret_pes
 * @return number of them
 */
int perf_targets(const struct perf_args *a, void *page, int *ret_pes, int *ret_hops);

/** A plain address of @p pe's @p page, an unused symmetric page; NULL: there is none. */
void *perf_bare(void *page, int pe);

/** Seconds since some time in the past. */
static inline double
perf_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

#endif /* PERF_H */
