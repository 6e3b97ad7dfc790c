/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RESULT_H
#define RESULT_H

/** @file What was found, until it is written. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	ROWS_MAX = 96,
	BINS = 64,
};

/** A test in one direction. */
struct result_test {
	const char *name, *title;
	bool outward; /**< from this side to the peer */
	bool control; /**< a violation is allowed */
	uint64_t rounds, violations, lost;
	double seconds;
};

/** From this side to the peer. */
struct result_speed {
	const char *method;
	uint64_t size;
	double bytes_per_s;
};

struct result {
	struct result_test test[ROWS_MAX];
	unsigned int tests;
	struct result_speed speed[ROWS_MAX];
	unsigned int speeds;
	uint64_t latency_count, latency_min, latency_median, latency_p99, latency_max; /**< ns */
	uint64_t bin[BINS]; /**< eight for each doubling, from @ref bin_first nanoseconds on */
	double bin_first;
};

#endif /* RESULT_H */
