/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef COLL_OPS_H
#define COLL_OPS_H

/**
 * @file
 * The operators of the reductions as shape macros for the type tables: each defines a
 * coll_combine for one type.
 */

/* Sums and products of integers wrap, so they are computed unsigned, and wide enough that no
 * promotion makes them signed again. Versions of clang-format disagree about _Generic. */
/* clang-format off */
#define COLL_WRAPPING(T)                                                                       \
	__typeof__(_Generic((T)0, char: 0u, signed char: 0u, unsigned char: 0u, short: 0u,     \
			    unsigned short: 0u, int: 0u, long: 0ul, long long: 0ull, default: (T)0))
/* clang-format on */

#define COLL_COMBINE(T, name, expression)                                   \
	static void name(void *out, const void *a, const void *b, size_t n) \
	{                                                                   \
		const T *pa = a, *pb = b;                                   \
		T *po = out;                                                \
		size_t i;                                                   \
                                                                            \
		for (i = 0; i < n; i++) {                                   \
			const T x = pa[i], y = pb[i];                       \
                                                                            \
			po[i] = (T)(expression);                            \
		}                                                           \
	}

#define COLL_AND(T, N, op) COLL_COMBINE(T, N##op, (x & y))
#define COLL_OR(T, N, op) COLL_COMBINE(T, N##op, x | y)
#define COLL_XOR(T, N, op) COLL_COMBINE(T, N##op, x ^ y)
#define COLL_MAX(T, N, op) COLL_COMBINE(T, N##op, x < y ? y : x)
#define COLL_MIN(T, N, op) COLL_COMBINE(T, N##op, y < x ? y : x)
#define COLL_SUM(T, N, op) COLL_COMBINE(T, N##op, (COLL_WRAPPING(T))x + (COLL_WRAPPING(T))y)
#define COLL_PROD(T, N, op) COLL_COMBINE(T, N##op, ((COLL_WRAPPING(T))x * (COLL_WRAPPING(T))y))

#endif /* COLL_OPS_H */
