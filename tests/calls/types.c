/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * The types of the typed calls.
 */
#include "../multi/types.h"
#include "calls.h"
#include "padding.h"

#define NUMBER(T, N)                                                                  \
	{#N, sizeof(T),                                                               \
	 ((T)0.5 != 0 ? IS_FLOAT : 0) | ((T)0.5 == 0 && (T)-1 <= 0 ? IS_SIGNED : 0) | \
		 (sizeof(T) > sizeof(double) && LD_PADDING > 0 ? IS_PADDED : 0)},
#define COMPLEX(T, N) {#N, sizeof(T), IS_FLOAT | IS_COMPLEX},
#define SIZED(bits, bytes) {#bits, bytes, 0},
const struct type_info types[TYPES] = {
	/* clang-format off */
	TYPES_RMA(NUMBER) TYPES_COMPLEX(COMPLEX) SIZES(SIZED) {"mem", 1, 0},
	/* clang-format on */
};

uint64_t
type_trim(int type, uint64_t v)
{
	unsigned int gone = 64 - 8 * (unsigned int)types[type].size;

	if (types[type].flags & IS_SIGNED)
		return (uint64_t)((int64_t)(v << gone) >> gone);
	return v << gone >> gone;
}

bool
type_less(int type, uint64_t a, uint64_t b)
{
	if (types[type].flags & IS_SIGNED)
		return (int64_t)type_trim(type, a) < (int64_t)type_trim(type, b);
	return type_trim(type, a) < type_trim(type, b);
}
