/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Reductions of two arrays, by type. Integers wrap.
 */
#include "../multi/types.h"
#include "coll.h"

/* Of unsigned numbers, since signed ones must not overflow; never evaluated for the others. */
#define WRAPS(T, a, op, b) ((T)0.5 != 0 ? (T)((a)op(b)) : (T)((uint64_t)(a)op(uint64_t)(b)))
#define ORDER(a, b)                                \
	else if (what == C_MAX) a = a < b ? b : a; \
	else a = b < a ? b : a;
#define NO_ORDER(a, b)
#define FOLD(T, N, SUM, ORDER)                                              \
	static void fold_##N(void *acc, const void *in, size_t n, int what) \
	{                                                                   \
		T *a = acc;                                                 \
		const T *b = in;                                            \
		size_t i;                                                   \
                                                                            \
		for (i = 0; i < n; i++) {                                   \
			if (what == C_SUM)                                  \
				a[i] = SUM(T, a[i], +, b[i]);               \
			else if (what == C_PROD)                            \
				a[i] = SUM(T, a[i], *, b[i]);               \
			ORDER(a[i], b[i])                                   \
		}                                                           \
	}
#define PLAIN(T, a, op, b) ((a)op(b))
#define FOLD_REAL(T, N) FOLD(T, N, WRAPS, ORDER)
#define FOLD_COMPLEX(T, N) FOLD(T, N, PLAIN, NO_ORDER)
TYPES_RMA(FOLD_REAL)
TYPES_COMPLEX(FOLD_COMPLEX)

#define ENTRY(T, N) fold_##N,
static void (*const folds[TYPES])(void *, const void *, size_t,
				  int) = {TYPES_RMA(ENTRY) TYPES_COMPLEX(ENTRY)};

void
coll_fold(const struct op *op, void *acc, const void *in)
{
	size_t i, len = op->n * types[op->type].size;
	unsigned char *a = acc;
	const unsigned char *b = in;

	if (op->what > C_XOR || op->what < C_AND)
		folds[op->type](acc, in, op->n, op->what >= C_INSCAN ? C_SUM : op->what);
	for (i = 0; i < len && op->what == C_AND; i++)
		a[i] &= b[i];
	for (i = 0; i < len && op->what == C_OR; i++)
		a[i] |= b[i];
	for (i = 0; i < len && op->what == C_XOR; i++)
		a[i] ^= b[i];
}
