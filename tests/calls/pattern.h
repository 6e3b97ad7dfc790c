/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PATTERN_H
#define PATTERN_H

/** @file Bytes that follow from a key. */

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t
mix64(uint64_t z)
{
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

static inline uint64_t
hash64(uint64_t a, uint64_t b)
{
	return mix64(mix64(a + 0x9e3779b97f4a7c15u) ^ (b * 0xd1342543de82ef95u + 1));
}

static inline void
world_pattern(unsigned char *at, size_t len, uint64_t key)
{
	size_t i;

	/* whole words: lab/dst looks at each store */
	for (i = 0; i < len; i += 8) {
		uint64_t word = hash64(key, i / 8);

		if (len - i >= 8)
			memcpy(at + i, &word, 8);
		else
			memcpy(at + i, &word, len - i);
	}
}

#endif /* PATTERN_H */
