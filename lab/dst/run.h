/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef LAB_DST_RUN_H
#define LAB_DST_RUN_H

/**
 * @file
 * One job under the scheduler, and the faults that its seed draws.
 */

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "seg.h"

#define DST_JOB "2" /* the number of the job's first process, behind the one that watches it */

enum {
	DST_DEPTH = 16,
};

struct dst_args {
	long seed, seeds, steps;
	int hosts, npes, limit;
	unsigned int depth; /* of PCT; 0: random walk */
	const char *log, *oshrun;
	long until, odd;
	int job_limit;
	unsigned int n_kinds, kind[DST_FAULTS]; /**< of which the seed draws */
	bool given;				/**< these faults instead */
	unsigned int n_faults;
	struct dst_fault fault[DST_FAULTS];
	bool output, stalls;
	char **words; /**< this program and its options, */
	int n_words;  /**< so many */
	char **argv;  /**< the other one's */
};

/** Is the variable one that the job is told of? */
static inline bool
dst_is_told(const char *variable)
{
	return strncmp(variable, "RINGBELL_", 9) == 0 || strncmp(variable, "SHMEM_", 6) == 0;
}

/** One schedule, judged. @return was it right? */
bool dst_run(const struct dst_args *a, uint64_t seed);

/* ---- faults.c ---- */

/** Read options: kinds, and faults. @return NULL, or what is wrong */
const char *dst_faults_kinds(void *args, const char *text);
const char *dst_faults_read(void *args, const char *text);
/** Those of a run. */
void dst_faults_draw(const struct dst_args *a);
/** May it end so? */
bool dst_faults_allow(int status, const char *output);
/** Print them as --fault reads them. */
void dst_faults_tell(void);

/* ---- cable.c ---- */

/** A thread handles cables from here on. */
void dst_cables_watch(int *hosts);

/* ---- tell.c ---- */

/** What is known of a run. @p why: what is wrong, NULL: nothing */
void dst_tell(const struct dst_args *a, uint64_t seed, const char *why, double took);

#endif /* LAB_DST_RUN_H */
