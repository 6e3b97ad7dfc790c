/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Reductions of two arrays, by type. Integers wrap.
 */
#include "../multi/types.h"
#include "coll.h"

/* clang-format off */
#define FOLD(T, N, W)                                                       \
	static void fold_##N(void *acc, const void *in, size_t n, int what) \
	{                                                                   \
		T *a = acc;                                                 \
		const T *b = in;                                            \
		size_t i;                                                   \
                                                                            \
		for (i = 0; i < n; i++) {                                   \
			if (what == C_SUM)                                  \
				a[i] = (T)((W)a[i] + (W)b[i]);              \
			else if (what == C_PROD)                            \
				a[i] = (T)((W)a[i] * (W)b[i]);              \
			else                                                \
				EXTRA_##W(T)                                \
		}                                                           \
	}
#define ORDER                                     \
	if (what == C_MAX)                        \
		a[i] = a[i] < b[i] ? b[i] : a[i]; \
	else if (what == C_MIN)                   \
		a[i] = b[i] < a[i] ? b[i] : a[i];
#define EXTRA_uint64_t(T)                                        \
	{                                                        \
		ORDER                                            \
		else if (what == C_AND) a[i] = (T)(a[i] & b[i]); \
		else if (what == C_OR) a[i] = (T)(a[i] | b[i]);  \
		else a[i] = (T)(a[i] ^ b[i]);                    \
	}
#define EXTRA_float(T) \
	{              \
		ORDER  \
	}
#define EXTRA_double(T) \
	{               \
		ORDER   \
	}
#define EXTRA_ld(T)   \
	{             \
		ORDER \
	}
#define EXTRA_dc(T) \
	{           \
	}
#define EXTRA_fc(T) \
	{           \
	}
typedef long double ld;
typedef double _Complex dc;
typedef float _Complex fc;

#define INTEGERS(X)                                                                              \
	X(char, char)                                                                            \
	X(signed char, schar)                                                                    \
	X(short, short) X(int, int) X(long, long) X(long long, longlong) X(unsigned char, uchar) \
		X(unsigned short, ushort) X(unsigned int, uint) X(unsigned long, ulong)          \
			X(unsigned long long, ulonglong) X(int8_t, int8) X(int16_t, int16)       \
				X(int32_t, int32) X(int64_t, int64) X(uint8_t, uint8)            \
					X(uint16_t, uint16) X(uint32_t, uint32)                  \
						X(uint64_t, uint64) X(size_t, size)              \
							X(ptrdiff_t, ptrdiff)
/* clang-format on */
#define FOLD_INT(T, N) FOLD(T, N, uint64_t)
INTEGERS(FOLD_INT)
FOLD(float, float, float)
FOLD(double, double, double)
FOLD(long double, longdouble, ld)
FOLD(double _Complex, complexd, dc)
FOLD(float _Complex, complexf, fc)

#define ENTRY(T, N) fold_##N,
fold_fn *const coll_folds[TYPES] = {TYPES_RMA(ENTRY) TYPES_COMPLEX(ENTRY)};
