/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "call.h"
#include "float16.h"
#include "ops.h"
#include "posted.h"
#include "shmemx.h"

/* Reductions beyond the standard: of floating-point types of 16 bits, and in one order. */

/* The operators in float. */
#define FOLD16(N, op_, expression)                                            \
	static void N##op_(void *out, const void *a, const void *b, size_t n) \
	{                                                                     \
		const uint16_t *pa = a, *pb = b;                              \
		uint16_t *po = out;                                           \
		size_t i;                                                     \
                                                                              \
		for (i = 0; i < n; i++) {                                     \
			float x = coll_##N##_float(pa[i]);                    \
			float y = coll_##N##_float(pb[i]);                    \
                                                                              \
			po[i] = coll_float_##N(expression);                   \
		}                                                             \
	}
#define FOLDS16(T, N, op)              \
	FOLD16(N, _max, x < y ? y : x) \
	FOLD16(N, _min, y < x ? y : x) \
	FOLD16(N, _sum, x + y)         \
	FOLD16(N, _prod, (x * y))
SHMEMX_TYPES_FLOAT16(FOLDS16, _)

#define TYPES_FLOAT(X, op)    \
	X(float, float, op)   \
	X(double, double, op) \
	X(long double, longdouble, op)
TYPES_FLOAT(COLL_MAX, _max)
TYPES_FLOAT(COLL_MIN, _min)
TYPES_FLOAT(COLL_SUM, _sum)
TYPES_FLOAT(COLL_PROD, _prod)
SHMEMI_TYPES_COMPLEX(COLL_SUM, _sum)
SHMEMI_TYPES_COMPLEX(COLL_PROD, _prod)

#define FOLD_CALL(T, N, op_, suffix, call_kind)                                    \
	SHMEMX_API(int, N##op_##suffix,                                            \
		   (shmem_team_t team, T * dest, const T *source, size_t nreduce)) \
	{                                                                          \
		const struct coll_reduction what = {N##op_, sizeof(T), false};     \
		struct coll_op op;                                                 \
                                                                                   \
		if (!coll_begin(&op, "shmemx_" #N #op_ #suffix, team))             \
			return -1;                                                 \
		return coll_call_##call_kind(&op, dest, source, nreduce, &what);   \
	}
#define REDUCE(T, N, op_) FOLD_CALL(T, N, op_, _reduce, reduce)
#define REPRODUCE(T, N, op_) FOLD_CALL(T, N, op_, _reduce_reproducible, reproduce)
#define SCAN(T, N, kind)                                                              \
	SHMEMX_API(int, N##_sum_##kind,                                               \
		   (shmem_team_t team, T * dest, const T *source, size_t nelems))     \
	{                                                                             \
		const struct coll_reduction what = {N##_sum, sizeof(T), false};       \
		struct coll_op op;                                                    \
                                                                                      \
		if (!coll_begin(&op, "shmemx_" #N "_sum_" #kind, team))               \
			return -1;                                                    \
		return coll_call_scan(&op, dest, source, nelems, &what, SCAN_##kind); \
	}
#define SCAN_inscan COLL_INSCAN
#define SCAN_exscan COLL_EXSCAN

SHMEMX_TYPES_FLOAT16(REDUCE, _max)
SHMEMX_TYPES_FLOAT16(REDUCE, _min)
SHMEMX_TYPES_FLOAT16(REDUCE, _sum)
SHMEMX_TYPES_FLOAT16(REDUCE, _prod)
SHMEMX_TYPES_FLOAT16(SCAN, inscan)
SHMEMX_TYPES_FLOAT16(SCAN, exscan)

#define POST_REDUCE(T, N, op_) \
	COLL_POST_FOLD(T, N##op_##_reduce_nb, COLL_WORK_REDUCE, N##op_, COLL_REDUCE)
#define POST_SCAN(T, N, kind) \
	COLL_POST_FOLD(T, N##_sum_##kind##_nb, COLL_WORK_SCAN, N##_sum, SCAN_##kind)
SHMEMX_TYPES_FLOAT16(POST_REDUCE, _max)
SHMEMX_TYPES_FLOAT16(POST_REDUCE, _min)
SHMEMX_TYPES_FLOAT16(POST_REDUCE, _sum)
SHMEMX_TYPES_FLOAT16(POST_REDUCE, _prod)
SHMEMX_TYPES_FLOAT16(POST_SCAN, inscan)
SHMEMX_TYPES_FLOAT16(POST_SCAN, exscan)

SHMEMX_TYPES_FLOAT(REPRODUCE, _max)
SHMEMX_TYPES_FLOAT(REPRODUCE, _min)
SHMEMX_TYPES_FLOAT(REPRODUCE, _sum)
SHMEMX_TYPES_FLOAT(REPRODUCE, _prod)
SHMEMI_TYPES_COMPLEX(REPRODUCE, _sum)
SHMEMI_TYPES_COMPLEX(REPRODUCE, _prod)
