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

struct litmus_place {
	unsigned int n;		  /**< instances that fit */
	char *first[LITMUS_VARS]; /**< each word of the first one, */
	size_t step[LITMUS_VARS]; /**< and how far away that of the next one is */
	size_t heap, data;	  /**< bytes in use, from the beginning of each kind of memory */
};

void litmus_place(const struct litmus_test *test, enum litmus_layout layout,
		  const struct litmus_memory *mem, struct litmus_place *ret);

#endif /* PLACE_H */
