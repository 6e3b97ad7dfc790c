/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef COLL_FLOAT16_H
#define COLL_FLOAT16_H

/**
 * @file
 * Conversions of floating-point numbers of 16 bits, by hand: the library is the same whatever its
 * compiler knows. Rounding is to nearest, ties to even; a NaN stays one, and is quiet once rounded.
 */

#include <stdint.h>

float coll_half_float(uint16_t half);
uint16_t coll_float_half(float value);

/** A bfloat16 is the upper half of a float. */
float coll_bfloat16_float(uint16_t value);
uint16_t coll_float_bfloat16(float value);

#endif /* COLL_FLOAT16_H */
