/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef LAB_DST_RUN_H
#define LAB_DST_RUN_H

/**
 * @file
 * One job under the scheduler.
 */

#include <stdbool.h>
#include <stdint.h>

enum {
	DST_DEPTH = 16,
};

struct dst_args {
	long seed, seeds, steps;
	int hosts, npes, cpus, limit;
	unsigned int depth; /* of PCT; 0: random walk */
	const char *log;
	long log_size;
	bool output;
	char **argv;
};

/** One schedule, judged. @return was it right? */
bool dst_run(const struct dst_args *a, uint64_t seed);

#endif /* LAB_DST_RUN_H */
