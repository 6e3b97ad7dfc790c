/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "cases.h"
#include "coll/float16.h"

/* Conversions of 16-bit floats: every value, and every place where rounding changes its direction.
 */

static uint32_t
bits_of(float v)
{
	uint32_t bits;

	memcpy(&bits, &v, sizeof(bits));
	return bits;
}

/* As the definition says, in double. */
static double
value_of(uint16_t v, int mantissa)
{
	int fraction = v & ((1 << mantissa) - 1), exponent = (v & 0x7fff) >> mantissa;
	int bias = (1 << (14 - mantissa)) - 1, most = (1 << (15 - mantissa)) - 1;
	double sign = v & 0x8000 ? -1 : 1;

	if (exponent == most)
		return fraction != 0 ? (double)NAN : sign * (double)INFINITY;
	if (exponent == 0)
		return sign * ldexp(fraction, 1 - bias - mantissa);
	return sign * ldexp(fraction + (1 << mantissa), exponent - bias - mantissa);
}

static void
check_all(int mantissa, float (*to_float)(uint16_t), uint16_t (*from_float)(float))
{
	uint16_t inf = (uint16_t)(0x7fff & ~((1 << mantissa) - 1));
	uint32_t i;

	for (i = 0; i <= UINT16_MAX; i++) {
		uint16_t v = (uint16_t)i, next = (uint16_t)(i + 1), back;
		double is = value_of(v, mantissa), middle;
		float f = to_float(v);

		back = from_float(f);
		if (isnan(is)) {
			CU_ASSERT(isnan(f) && isnan(to_float(back)));
			CU_ASSERT_EQUAL(signbit(f) != 0, (v & 0x8000) != 0);
			continue;
		}
		CU_ASSERT((double)f == is && (signbit(f) != 0) == ((v & 0x8000) != 0));
		CU_ASSERT_EQUAL(back, v);
		if ((v & 0x7fff) == inf)
			continue;
		/* half way to the next one: to the even one; beside it: to the nearer one */
		middle = (v & 0x7fff) == inf - 1
				 ? is + (is - value_of((uint16_t)(v - 1), mantissa)) / 2
				 : (is + value_of(next, mantissa)) / 2;
		CU_ASSERT_EQUAL(from_float((float)middle), v % 2 == 0 ? v : next);
		CU_ASSERT_EQUAL(from_float(nextafterf((float)middle, 0)), v);
		CU_ASSERT_EQUAL(from_float(nextafterf((float)middle, copysignf(INFINITY, f))),
				next);
	}
}

static void
halves(void)
{
	check_all(10, coll_half_float, coll_float_half);
	CU_ASSERT_EQUAL(coll_float_half(1e30f), 0x7c00);
	CU_ASSERT_EQUAL(coll_float_half(-1e-30f), 0x8000);
	CU_ASSERT_EQUAL(bits_of(coll_half_float(0x0001)), bits_of(0x1p-24f));
}

static void
bfloats(void)
{
	check_all(7, coll_bfloat16_float, coll_float_bfloat16);
	CU_ASSERT_EQUAL(coll_float_bfloat16(3.4e38f), 0x7f80);
}

int
main(void)
{
	static const struct test_case cases[] = {
		{"half", halves},
		{"bfloat16", bfloats},
	};

	return run_suite("float16", cases, sizeof(cases) / sizeof(cases[0]));
}
