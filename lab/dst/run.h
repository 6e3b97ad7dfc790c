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

enum {
	DST_DEPTH = 16,
};

struct dst_args {
	long seed, seeds, steps;
	int hosts, npes, limit;
	unsigned int depth; /* of PCT; 0: random walk */
	const char *log;
	long expect, until;
	int job_limit;
	const char *faults;
	bool output, stalls;
	char **argv;
};

/** One schedule, judged. @return was it right? */
bool dst_run(const struct dst_args *a, uint64_t seed);

/** Are all names of a list with commas those of kinds? */
bool dst_faults_known(const char *list);
/** Those of a run. @return words for oshrun --fault, or NULL */
const char *dst_faults_draw(const struct dst_args *a);
/** May a job that has them end so? */
bool dst_faults_allow(int status, const char *output);
void dst_faults_tell(void);

#endif /* LAB_DST_RUN_H */
