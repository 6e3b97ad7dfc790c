/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * The types of the typed calls.
 */
#include "calls.h"
#include "padding.h"

enum {
	INT_A = HAS_AMO | HAS_AMO_EXT,
	INT_B = INT_A | HAS_BIT | HAS_REDUCE_BIT,
	OLD = HAS_OLD | HAS_ASET | HAS_ASET_BIT,
	LONG_DOUBLE = IS_FLOAT | HAS_ASET | (LD_PADDING > 0 ? IS_PADDED : 0),
};

const struct type_info types[TYPES] = {
	{"float", 4, IS_FLOAT | HAS_AMO_EXT | HAS_ASET},
	{"double", 8, IS_FLOAT | HAS_AMO_EXT | HAS_ASET},
	{"longdouble", 16, LONG_DOUBLE},
	{"char", 1, (char)-1 < 0 ? IS_SIGNED : 0},
	{"schar", 1, IS_SIGNED},
	{"short", 2, IS_SIGNED | HAS_ASET | HAS_ASET_BIT},
	{"int", 4, IS_SIGNED | INT_A | OLD},
	{"long", 8, IS_SIGNED | INT_A | OLD},
	{"longlong", 8, IS_SIGNED | INT_A | OLD},
	{"uchar", 1, HAS_REDUCE_BIT},
	{"ushort", 2, HAS_REDUCE_BIT},
	{"uint", 4, INT_B},
	{"ulong", 8, INT_B},
	{"ulonglong", 8, INT_B},
	{"int8", 1, IS_SIGNED | HAS_REDUCE_BIT},
	{"int16", 2, IS_SIGNED | HAS_REDUCE_BIT},
	{"int32", 4, IS_SIGNED | INT_B},
	{"int64", 8, IS_SIGNED | INT_B},
	{"uint8", 1, HAS_REDUCE_BIT},
	{"uint16", 2, HAS_REDUCE_BIT},
	{"uint32", 4, INT_B},
	{"uint64", 8, INT_B},
	{"size", 8, INT_A | HAS_REDUCE_BIT},
	{"ptrdiff", 8, IS_SIGNED | INT_A},
	{"complexd", 16, IS_FLOAT | IS_COMPLEX | HAS_ASET},
	{"complexf", 8, IS_FLOAT | IS_COMPLEX | HAS_ASET},
	{"8", 1, 0},
	{"16", 2, 0},
	{"32", 4, 0},
	{"64", 8, 0},
	{"128", 16, 0},
	{"mem", 1, 0},
};

int
type_with(unsigned int flags)
{
	int type;

	do
		type = (int)rnd(T_SIZED);
	while ((types[type].flags & flags) != flags);
	return type;
}

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
