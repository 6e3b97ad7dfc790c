/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef INPUT_H
#define INPUT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "fuzz.h"

/* An invariant: a fuzzer counts an abort as a finding and keeps the input. */
#define HOLDS(cond)                                                                               \
	do {                                                                                      \
		if (!(cond)) {                                                                    \
			fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #cond); \
			abort();                                                                  \
		}                                                                                 \
	} while (0)

struct input {
	const uint8_t *at;
	size_t left;
};

/* The next bytes as a number; zeros where the input ends. */
static inline uint64_t
take(struct input *in, unsigned int bytes)
{
	uint64_t v = 0;

	for (unsigned int i = 0; i < bytes && in->left != 0; i++, in->left--)
		v = v << 8 | *in->at++;
	return v;
}

#endif /* INPUT_H */
