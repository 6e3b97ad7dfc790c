/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "float16.h"

#include <string.h>

/* A half has 5 bits of exponent, biased by 15, and 10 of mantissa; a float 8, biased by 127,
 * and 23. */
enum {
	HALF_MANTISSA = 10,
	FLOAT_MANTISSA = 23,
	LOST = FLOAT_MANTISSA - HALF_MANTISSA,
	BIAS = 127 - 15,
	HALF_INF = 0x7c00,
	QUIET = 0x200,
};

#define FLOAT_INF 0x7f800000u
#define FLOAT_QUIET 0x400000u

static uint32_t
bits_of(float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

static float
float_of(uint32_t bits)
{
	float value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

float
coll_half_float(uint16_t half)
{
	uint32_t sign = (uint32_t)(half & 0x8000) << 16, rest = half & 0x7fff;

	if (rest >= HALF_INF)
		return float_of(sign | FLOAT_INF | (rest & 0x3ff) << LOST);
	if (rest >= 1 << HALF_MANTISSA)
		return float_of(sign | ((rest << LOST) + ((uint32_t)BIAS << FLOAT_MANTISSA)));
	/* zero and subnormals: multiples of 2^-24, which are floats */
	return float_of(sign | bits_of((float)rest * 0x1p-24f));
}

/* v / 2^n to nearest, ties to even; 0 < n < 32 */
static uint32_t
round_shift(uint32_t v, unsigned int n)
{
	uint32_t half = 1u << (n - 1), low = v & (2 * half - 1), high = v >> n;

	return high + (low > half || (low == half && (high & 1) != 0));
}

uint16_t
coll_float_half(float value)
{
	uint32_t bits = bits_of(value), sign = bits >> 16 & 0x8000, rest = bits & 0x7fffffff;
	unsigned int exponent = rest >> FLOAT_MANTISSA;

	if (rest > FLOAT_INF)
		return (uint16_t)(sign | HALF_INF | QUIET | (rest >> LOST & 0x3ff));
	/* from 65520 on the nearest half would be 65536 */
	if (rest >= 0x477ff000)
		return (uint16_t)(sign | HALF_INF);
	if (exponent > BIAS)
		return (uint16_t)(sign |
				  round_shift(rest - ((uint32_t)BIAS << FLOAT_MANTISSA), LOST));
	/* below half of the least subnormal, 2^-25 */
	if (exponent < BIAS - HALF_MANTISSA)
		return (uint16_t)sign;
	rest = (rest & 0x7fffff) | 1u << FLOAT_MANTISSA;
	return (uint16_t)(sign | round_shift(rest, LOST + 1 + BIAS - exponent));
}

float
coll_bfloat16_float(uint16_t value)
{
	return float_of((uint32_t)value << 16);
}

uint16_t
coll_float_bfloat16(float value)
{
	uint32_t bits = bits_of(value);

	if ((bits & 0x7fffffff) > FLOAT_INF)
		return (uint16_t)((bits | FLOAT_QUIET) >> 16);
	return (uint16_t)round_shift(bits, 16);
}
