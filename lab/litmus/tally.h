/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef TALLY_H
#define TALLY_H

/**
 * @file
 * Outcomes as numbers, and how often each was seen.
 */

#include "litmus.h"

/** What was seen of a test: symmetric, PE 0 collects it. */
struct litmus_tally {
	uint64_t runs, seen, torn, lost; /**< lost: outcomes beyond those that are counted apart */
	struct {
		uint32_t key;
		uint64_t times;
	} outcome[LITMUS_OUTCOMES];
};

/** Three bits for each register, then for each word that the outcome names. */
uint32_t litmus_key(const struct litmus_test *test, const unsigned int *reg,
		    const unsigned int *word);
bool litmus_is_outcome(const struct litmus_test *test, uint32_t key);
bool litmus_is_torn(const struct litmus_test *test, uint32_t key);
void litmus_count(struct litmus_tally *t, const struct litmus_test *test, uint32_t key);
void litmus_add(struct litmus_tally *to, const struct litmus_tally *from);
void litmus_key_text(const struct litmus_test *test, uint32_t key, char *text, size_t size);

/** Is the outcome one that must not be seen here? */
bool litmus_forbids(const struct litmus_run *run, const struct litmus_test *test);

#endif /* TALLY_H */
