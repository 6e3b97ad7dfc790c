/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLACE_H
#define PLACE_H

/**
 * @file
 * Where the words of a test lie.
 */

#include "litmus.h"

/** Symmetric memory of the tests, three times: see engine.c. */
struct litmus_memory {
	char *heap, *data;
	size_t heap_size, data_size; /**< of one of the three */
};

/** How many instances fit, and where each word is. */
unsigned int litmus_place(const struct litmus_test *test, enum litmus_layout layout,
			  const struct litmus_memory *mem);
uint64_t *litmus_word(const struct litmus_test *test, enum litmus_layout layout,
		      const struct litmus_memory *mem, int var, unsigned int instance);

/** Bytes from the beginning of each kind of memory that a test uses. */
void litmus_extent(const struct litmus_test *test, enum litmus_layout layout,
		   const struct litmus_memory *mem, size_t *heap, size_t *data);

#endif /* PLACE_H */
