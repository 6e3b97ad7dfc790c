/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "call.h"
#include "ops.h"
#include "posted.h"

SHMEMI_TYPES_REDUCE_BIT(COLL_AND, _and)
SHMEMI_TYPES_REDUCE_BIT(COLL_OR, _or)
SHMEMI_TYPES_REDUCE_BIT(COLL_XOR, _xor)
SHMEMI_TYPES_REDUCE_ORD(COLL_MAX, _max)
SHMEMI_TYPES_REDUCE_ORD(COLL_MIN, _min)
SHMEMI_TYPES_REDUCE_ARITH(COLL_SUM, _sum)
SHMEMI_TYPES_REDUCE_ARITH(COLL_PROD, _prod)

#define REDUCE(T, N, op_)                                                          \
	SHMEMI_API(int, N##op_##_reduce,                                           \
		   (shmem_team_t team, T * dest, const T *source, size_t nreduce)) \
	{                                                                          \
		const struct coll_reduction what = {N##op_, sizeof(T), false};     \
		struct coll_op op;                                                 \
                                                                                   \
		if (!coll_begin(&op, "shmem_" #N #op_ "_reduce", team))            \
			return -1;                                                 \
		return coll_call_reduce(&op, dest, source, nreduce, &what);        \
	}

#define SCAN(T, N, op_, kind)                                                                  \
	SHMEMI_API(int, N##op_, (shmem_team_t team, T * dest, const T *source, size_t nelems)) \
	{                                                                                      \
		const struct coll_reduction what = {N##_sum, sizeof(T), false};                \
		struct coll_op op;                                                             \
                                                                                               \
		if (!coll_begin(&op, "shmem_" #N #op_, team))                                  \
			return -1;                                                             \
		return coll_call_scan(&op, dest, source, nelems, &what, kind);                 \
	}

#define INSCAN(T, N, op_) SCAN(T, N, op_, COLL_INSCAN)
#define EXSCAN(T, N, op_) SCAN(T, N, op_, COLL_EXSCAN)

SHMEMI_TYPES_REDUCE_BIT(REDUCE, _and)
SHMEMI_TYPES_REDUCE_BIT(REDUCE, _or)
SHMEMI_TYPES_REDUCE_BIT(REDUCE, _xor)
SHMEMI_TYPES_REDUCE_ORD(REDUCE, _max)
SHMEMI_TYPES_REDUCE_ORD(REDUCE, _min)
SHMEMI_TYPES_REDUCE_ARITH(REDUCE, _sum)
SHMEMI_TYPES_REDUCE_ARITH(REDUCE, _prod)
SHMEMI_TYPES_REDUCE_ARITH(INSCAN, _sum_inscan)
SHMEMI_TYPES_REDUCE_ARITH(EXSCAN, _sum_exscan)

/* Extensions: the nonblocking forms. */

#define POST_REDUCE(T, N, op_) \
	COLL_POST_FOLD(T, N##op_##_reduce_nb, COLL_WORK_REDUCE, N##op_, COLL_REDUCE)
#define POST_INSCAN(T, N, op_) COLL_POST_FOLD(T, N##op_##_nb, COLL_WORK_SCAN, N##_sum, COLL_INSCAN)
#define POST_EXSCAN(T, N, op_) COLL_POST_FOLD(T, N##op_##_nb, COLL_WORK_SCAN, N##_sum, COLL_EXSCAN)

SHMEMI_TYPES_REDUCE_BIT(POST_REDUCE, _and)
SHMEMI_TYPES_REDUCE_BIT(POST_REDUCE, _or)
SHMEMI_TYPES_REDUCE_BIT(POST_REDUCE, _xor)
SHMEMI_TYPES_REDUCE_ORD(POST_REDUCE, _max)
SHMEMI_TYPES_REDUCE_ORD(POST_REDUCE, _min)
SHMEMI_TYPES_REDUCE_ARITH(POST_REDUCE, _sum)
SHMEMI_TYPES_REDUCE_ARITH(POST_REDUCE, _prod)
SHMEMI_TYPES_REDUCE_ARITH(POST_INSCAN, _sum_inscan)
SHMEMI_TYPES_REDUCE_ARITH(POST_EXSCAN, _sum_exscan)
