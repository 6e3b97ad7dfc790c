/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SHMEMX_GENERIC_H
#define SHMEMX_GENERIC_H

/**
 * @file
 * Type-generic names of the extensions, as shmem_generic.h has those of the standard: macros over
 * _Generic in C11, overloads in C++. Part of shmemx.h. The name is that of the typed calls without
 * the type: shmemx_sum_reduce_nb() for shmemx_long_sum_reduce_nb(). Names of the standard's calls,
 * such as shmemx_put(), take its types and those of 16 bits.
 */

#if !defined(SHMEMI_LIBRARY) && \
	(defined(__cplusplus) || (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L))

/** Each type once that transfers have. */
#define SHMEMX_DISTINCT_MOVE(X, op) SHMEMI_DISTINCT_RMA(X, op) SHMEMX_TYPES_FLOAT16(X, op)
/** The same of reductions, and of sums and products. */
#define SHMEMX_DISTINCT_ORD(X, op) SHMEMI_DISTINCT_REDUCE_ORD(X, op) SHMEMX_TYPES_FLOAT16(X, op)
#define SHMEMX_DISTINCT_ARITH(X, op) SHMEMI_DISTINCT_REDUCE_ARITH(X, op) SHMEMX_TYPES_FLOAT16(X, op)

#ifdef __cplusplus

#include "shmemx_overloads.h"

#else /* C11 */

/* clang-format off */
#define SHMEMX_CASE(T, N, op) T * : shmemx_##N##op,
#define SHMEMX_GENERIC_TEAM(types, op, ...)                \
	_Generic((SHMEMI_ARG2(__VA_ARGS__)),             \
		types(SHMEMX_CASE, op)                \
		default : shmemi_unsupported_type)(__VA_ARGS__)
#define shmemx_broadcast_nb(...) SHMEMX_GENERIC_TEAM(SHMEMX_DISTINCT_MOVE, _broadcast_nb, __VA_ARGS__)
#define shmemx_collect_nb(...) SHMEMX_GENERIC_TEAM(SHMEMX_DISTINCT_MOVE, _collect_nb, __VA_ARGS__)
#define shmemx_fcollect_nb(...) SHMEMX_GENERIC_TEAM(SHMEMX_DISTINCT_MOVE, _fcollect_nb, __VA_ARGS__)
#define shmemx_alltoall_nb(...) SHMEMX_GENERIC_TEAM(SHMEMX_DISTINCT_MOVE, _alltoall_nb, __VA_ARGS__)
#define shmemx_alltoalls_nb(...) SHMEMX_GENERIC_TEAM(SHMEMX_DISTINCT_MOVE, _alltoalls_nb, __VA_ARGS__)
#define shmemx_and_reduce_nb(...) \
	SHMEMX_GENERIC_TEAM(SHMEMI_DISTINCT_REDUCE_BIT, _and_reduce_nb, __VA_ARGS__)
#define shmemx_or_reduce_nb(...) \
	SHMEMX_GENERIC_TEAM(SHMEMI_DISTINCT_REDUCE_BIT, _or_reduce_nb, __VA_ARGS__)
#define shmemx_xor_reduce_nb(...) \
	SHMEMX_GENERIC_TEAM(SHMEMI_DISTINCT_REDUCE_BIT, _xor_reduce_nb, __VA_ARGS__)
#define shmemx_max_reduce_nb(...) \
	SHMEMX_GENERIC_TEAM(SHMEMX_DISTINCT_ORD, _max_reduce_nb, __VA_ARGS__)
#define shmemx_min_reduce_nb(...) \
	SHMEMX_GENERIC_TEAM(SHMEMX_DISTINCT_ORD, _min_reduce_nb, __VA_ARGS__)
#define shmemx_sum_reduce_nb(...) \
	SHMEMX_GENERIC_TEAM(SHMEMX_DISTINCT_ARITH, _sum_reduce_nb, __VA_ARGS__)
#define shmemx_prod_reduce_nb(...) \
	SHMEMX_GENERIC_TEAM(SHMEMX_DISTINCT_ARITH, _prod_reduce_nb, __VA_ARGS__)
#define shmemx_sum_inscan_nb(...) \
	SHMEMX_GENERIC_TEAM(SHMEMX_DISTINCT_ARITH, _sum_inscan_nb, __VA_ARGS__)
#define shmemx_sum_exscan_nb(...) \
	SHMEMX_GENERIC_TEAM(SHMEMX_DISTINCT_ARITH, _sum_exscan_nb, __VA_ARGS__)
/* clang-format on */

/* clang-format off */
#define SHMEMX_CASE_CTX(T, N, op) T * : shmemx_ctx_##N##op,
#define SHMEMX_GENERIC_CTX(types, op, ...)                      \
	_Generic((SHMEMI_ARG1(__VA_ARGS__)),                    \
		shmem_ctx_t : _Generic((SHMEMI_ARG2(__VA_ARGS__)), \
			types(SHMEMX_CASE_CTX, op)              \
			default : shmemi_unsupported_type),     \
		types(SHMEMX_CASE, op)                       \
		default : shmemi_unsupported_type)(__VA_ARGS__)
#define SHMEMX_DISTINCT_SUM(X, op) SHMEMX_TYPES_FLOAT(X, op) SHMEMI_TYPES_COMPLEX(X, op)
#define shmemx_max_reduce_reproducible(...) \
	SHMEMX_GENERIC_TEAM(SHMEMX_TYPES_FLOAT, _max_reduce_reproducible, __VA_ARGS__)
#define shmemx_min_reduce_reproducible(...) \
	SHMEMX_GENERIC_TEAM(SHMEMX_TYPES_FLOAT, _min_reduce_reproducible, __VA_ARGS__)
#define shmemx_sum_reduce_reproducible(...) \
	SHMEMX_GENERIC_TEAM(SHMEMX_DISTINCT_SUM, _sum_reduce_reproducible, __VA_ARGS__)
#define shmemx_prod_reduce_reproducible(...) \
	SHMEMX_GENERIC_TEAM(SHMEMX_DISTINCT_SUM, _prod_reduce_reproducible, __VA_ARGS__)
#define shmemx_collectv(...) SHMEMX_GENERIC_TEAM(SHMEMX_DISTINCT_MOVE, _collectv, __VA_ARGS__)
#define shmemx_alltoallv(...) SHMEMX_GENERIC_TEAM(SHMEMX_DISTINCT_MOVE, _alltoallv, __VA_ARGS__)
#define shmemx_iput_nbi(...) SHMEMX_GENERIC_CTX(SHMEMX_DISTINCT_MOVE, _iput_nbi, __VA_ARGS__)
#define shmemx_iget_nbi(...) SHMEMX_GENERIC_CTX(SHMEMX_DISTINCT_MOVE, _iget_nbi, __VA_ARGS__)
#define shmemx_ibput_nbi(...) SHMEMX_GENERIC_CTX(SHMEMX_DISTINCT_MOVE, _ibput_nbi, __VA_ARGS__)
#define shmemx_ibget_nbi(...) SHMEMX_GENERIC_CTX(SHMEMX_DISTINCT_MOVE, _ibget_nbi, __VA_ARGS__)
/* clang-format on */

/* Names of calls of the standard, for its types and those of 16 bits. */
/* clang-format off */
#define SHMEMX_CASE_16(T, N, op) \
	T * : shmemx_##N##op, const T * : shmemx_##N##op, volatile T * : shmemx_##N##op,
#define SHMEMX_CASE_16_CTX(T, N, op) \
	T * : shmemx_ctx_##N##op, const T * : shmemx_ctx_##N##op, volatile T * : shmemx_ctx_##N##op,
#define SHMEMX_GENERIC_MOVE(op, ...)                             \
	_Generic((SHMEMI_ARG1(__VA_ARGS__)),                       \
		shmem_ctx_t : _Generic((SHMEMI_ARG2(__VA_ARGS__)), \
			SHMEMI_DISTINCT_RMA(SHMEMI_CASE_CTX, op)   \
			SHMEMX_TYPES_FLOAT16(SHMEMX_CASE_16_CTX, op) \
			default : shmemi_unsupported_type),        \
		SHMEMI_DISTINCT_RMA(SHMEMI_CASE, op)               \
		SHMEMX_TYPES_FLOAT16(SHMEMX_CASE_16, op)           \
		default : shmemi_unsupported_type)(__VA_ARGS__)
#define SHMEMX_GENERIC_COLL(types, op, ...)                      \
	_Generic((SHMEMI_ARG2(__VA_ARGS__)),                       \
		types(SHMEMI_CASE, op)                             \
		SHMEMX_TYPES_FLOAT16(SHMEMX_CASE_16, op)           \
		default : shmemi_unsupported_type)(__VA_ARGS__)
#define shmemx_put(...) SHMEMX_GENERIC_MOVE(_put, __VA_ARGS__)
#define shmemx_get(...) SHMEMX_GENERIC_MOVE(_get, __VA_ARGS__)
#define shmemx_p(...) SHMEMX_GENERIC_MOVE(_p, __VA_ARGS__)
#define shmemx_g(...) SHMEMX_GENERIC_MOVE(_g, __VA_ARGS__)
#define shmemx_put_nbi(...) SHMEMX_GENERIC_MOVE(_put_nbi, __VA_ARGS__)
#define shmemx_get_nbi(...) SHMEMX_GENERIC_MOVE(_get_nbi, __VA_ARGS__)
#define shmemx_iput(...) SHMEMX_GENERIC_MOVE(_iput, __VA_ARGS__)
#define shmemx_iget(...) SHMEMX_GENERIC_MOVE(_iget, __VA_ARGS__)
#define shmemx_ibput(...) SHMEMX_GENERIC_MOVE(_ibput, __VA_ARGS__)
#define shmemx_ibget(...) SHMEMX_GENERIC_MOVE(_ibget, __VA_ARGS__)
#define shmemx_put_signal(...) SHMEMX_GENERIC_MOVE(_put_signal, __VA_ARGS__)
#define shmemx_put_signal_nbi(...) SHMEMX_GENERIC_MOVE(_put_signal_nbi, __VA_ARGS__)
#define shmemx_broadcast(...) SHMEMX_GENERIC_COLL(SHMEMI_DISTINCT_RMA, _broadcast, __VA_ARGS__)
#define shmemx_collect(...) SHMEMX_GENERIC_COLL(SHMEMI_DISTINCT_RMA, _collect, __VA_ARGS__)
#define shmemx_fcollect(...) SHMEMX_GENERIC_COLL(SHMEMI_DISTINCT_RMA, _fcollect, __VA_ARGS__)
#define shmemx_alltoall(...) SHMEMX_GENERIC_COLL(SHMEMI_DISTINCT_RMA, _alltoall, __VA_ARGS__)
#define shmemx_alltoalls(...) SHMEMX_GENERIC_COLL(SHMEMI_DISTINCT_RMA, _alltoalls, __VA_ARGS__)
#define shmemx_max_reduce(...) \
	SHMEMX_GENERIC_COLL(SHMEMI_DISTINCT_REDUCE_ORD, _max_reduce, __VA_ARGS__)
#define shmemx_min_reduce(...) \
	SHMEMX_GENERIC_COLL(SHMEMI_DISTINCT_REDUCE_ORD, _min_reduce, __VA_ARGS__)
#define shmemx_sum_reduce(...) \
	SHMEMX_GENERIC_COLL(SHMEMI_DISTINCT_REDUCE_ARITH, _sum_reduce, __VA_ARGS__)
#define shmemx_prod_reduce(...) \
	SHMEMX_GENERIC_COLL(SHMEMI_DISTINCT_REDUCE_ARITH, _prod_reduce, __VA_ARGS__)
#define shmemx_sum_inscan(...) \
	SHMEMX_GENERIC_COLL(SHMEMI_DISTINCT_REDUCE_ARITH, _sum_inscan, __VA_ARGS__)
#define shmemx_sum_exscan(...) \
	SHMEMX_GENERIC_COLL(SHMEMI_DISTINCT_REDUCE_ARITH, _sum_exscan, __VA_ARGS__)
/* clang-format on */

/* clang-format off */
#define SHMEMX_CASE_SYNC(T, N, op) T * : shmemx_##N##op, volatile T * : shmemx_##N##op,
#define SHMEMX_GENERIC_SYNC(op, ...)                          \
	_Generic((SHMEMI_ARG1(__VA_ARGS__)),             \
		SHMEMI_DISTINCT_AMO(SHMEMX_CASE_SYNC, op)     \
		default : shmemi_unsupported_type)(__VA_ARGS__)
/* clang-format on */
#define shmemx_wait_until_for(...) SHMEMX_GENERIC_SYNC(_wait_until_for, __VA_ARGS__)
#define shmemx_wait_until_all_for(...) SHMEMX_GENERIC_SYNC(_wait_until_all_for, __VA_ARGS__)
#define shmemx_wait_until_all_vector_for(...) \
	SHMEMX_GENERIC_SYNC(_wait_until_all_vector_for, __VA_ARGS__)
#define shmemx_wait_until_any_vector_for(...) \
	SHMEMX_GENERIC_SYNC(_wait_until_any_vector_for, __VA_ARGS__)
#define shmemx_wait_until_some_vector_for(...) \
	SHMEMX_GENERIC_SYNC(_wait_until_some_vector_for, __VA_ARGS__)
#define shmemx_wait_until_any_for(...) SHMEMX_GENERIC_SYNC(_wait_until_any_for, __VA_ARGS__)
#define shmemx_wait_until_some_for(...) SHMEMX_GENERIC_SYNC(_wait_until_some_for, __VA_ARGS__)

#endif

#endif

#endif /* SHMEMX_GENERIC_H */
