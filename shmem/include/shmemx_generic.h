/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SHMEMX_GENERIC_H
#define SHMEMX_GENERIC_H

/**
 * @file
 * Type-generic names of the extensions, as shmem_generic.h has those of the standard: macros over
 * _Generic in C11, overloads in C++. Part of shmemx.h. The name is that of the typed calls without
 * the type: shmemx_sum_reduce_nb() for shmemx_long_sum_reduce_nb().
 */

#if !defined(SHMEMI_LIBRARY) && \
	(defined(__cplusplus) || (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L))

#ifdef __cplusplus

#include "shmemx_overloads.h"

#else /* C11 */

/* clang-format off */
#define SHMEMX_CASE(T, N, op) T * : shmemx_##N##op,
#define SHMEMX_GENERIC_TEAM(types, op, ...)                \
	_Generic((SHMEMI_ARG2(__VA_ARGS__)),             \
		types(SHMEMX_CASE, op)                \
		default : shmemi_unsupported_type)(__VA_ARGS__)
#define shmemx_broadcast_nb(...) SHMEMX_GENERIC_TEAM(SHMEMI_DISTINCT_RMA, _broadcast_nb, __VA_ARGS__)
#define shmemx_collect_nb(...) SHMEMX_GENERIC_TEAM(SHMEMI_DISTINCT_RMA, _collect_nb, __VA_ARGS__)
#define shmemx_fcollect_nb(...) SHMEMX_GENERIC_TEAM(SHMEMI_DISTINCT_RMA, _fcollect_nb, __VA_ARGS__)
#define shmemx_alltoall_nb(...) SHMEMX_GENERIC_TEAM(SHMEMI_DISTINCT_RMA, _alltoall_nb, __VA_ARGS__)
#define shmemx_alltoalls_nb(...) SHMEMX_GENERIC_TEAM(SHMEMI_DISTINCT_RMA, _alltoalls_nb, __VA_ARGS__)
#define shmemx_and_reduce_nb(...) \
	SHMEMX_GENERIC_TEAM(SHMEMI_DISTINCT_REDUCE_BIT, _and_reduce_nb, __VA_ARGS__)
#define shmemx_or_reduce_nb(...) \
	SHMEMX_GENERIC_TEAM(SHMEMI_DISTINCT_REDUCE_BIT, _or_reduce_nb, __VA_ARGS__)
#define shmemx_xor_reduce_nb(...) \
	SHMEMX_GENERIC_TEAM(SHMEMI_DISTINCT_REDUCE_BIT, _xor_reduce_nb, __VA_ARGS__)
#define shmemx_max_reduce_nb(...) \
	SHMEMX_GENERIC_TEAM(SHMEMI_DISTINCT_REDUCE_ORD, _max_reduce_nb, __VA_ARGS__)
#define shmemx_min_reduce_nb(...) \
	SHMEMX_GENERIC_TEAM(SHMEMI_DISTINCT_REDUCE_ORD, _min_reduce_nb, __VA_ARGS__)
#define shmemx_sum_reduce_nb(...) \
	SHMEMX_GENERIC_TEAM(SHMEMI_DISTINCT_REDUCE_ARITH, _sum_reduce_nb, __VA_ARGS__)
#define shmemx_prod_reduce_nb(...) \
	SHMEMX_GENERIC_TEAM(SHMEMI_DISTINCT_REDUCE_ARITH, _prod_reduce_nb, __VA_ARGS__)
#define shmemx_sum_inscan_nb(...) \
	SHMEMX_GENERIC_TEAM(SHMEMI_DISTINCT_REDUCE_ARITH, _sum_inscan_nb, __VA_ARGS__)
#define shmemx_sum_exscan_nb(...) \
	SHMEMX_GENERIC_TEAM(SHMEMI_DISTINCT_REDUCE_ARITH, _sum_exscan_nb, __VA_ARGS__)
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
#define shmemx_iput_nbi(...) SHMEMX_GENERIC_CTX(SHMEMI_DISTINCT_RMA, _iput_nbi, __VA_ARGS__)
#define shmemx_iget_nbi(...) SHMEMX_GENERIC_CTX(SHMEMI_DISTINCT_RMA, _iget_nbi, __VA_ARGS__)
#define shmemx_ibput_nbi(...) SHMEMX_GENERIC_CTX(SHMEMI_DISTINCT_RMA, _ibput_nbi, __VA_ARGS__)
#define shmemx_ibget_nbi(...) SHMEMX_GENERIC_CTX(SHMEMI_DISTINCT_RMA, _ibget_nbi, __VA_ARGS__)
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

/* What Sandia OpenSHMEM had before the standard. */
#define shmemx_put_signal shmem_put_signal
#define shmemx_put_signal_nbi shmem_put_signal_nbi
#define shmemx_ibput shmem_ibput
#define shmemx_ibget shmem_ibget
#define shmemx_atomic_fetch_nbi shmem_atomic_fetch_nbi
#define shmemx_atomic_swap_nbi shmem_atomic_swap_nbi
#define shmemx_atomic_compare_swap_nbi shmem_atomic_compare_swap_nbi
#define shmemx_atomic_fetch_inc_nbi shmem_atomic_fetch_inc_nbi
#define shmemx_atomic_fetch_add_nbi shmem_atomic_fetch_add_nbi
#define shmemx_atomic_fetch_and_nbi shmem_atomic_fetch_and_nbi
#define shmemx_atomic_fetch_or_nbi shmem_atomic_fetch_or_nbi
#define shmemx_atomic_fetch_xor_nbi shmem_atomic_fetch_xor_nbi
#define shmemx_wait_until_all shmem_wait_until_all
#define shmemx_wait_until_any shmem_wait_until_any
#define shmemx_wait_until_some shmem_wait_until_some
#define shmemx_wait_until_all_vector shmem_wait_until_all_vector
#define shmemx_wait_until_any_vector shmem_wait_until_any_vector
#define shmemx_wait_until_some_vector shmem_wait_until_some_vector
#define shmemx_test_all shmem_test_all
#define shmemx_test_any shmem_test_any
#define shmemx_test_some shmem_test_some
#define shmemx_test_all_vector shmem_test_all_vector
#define shmemx_test_any_vector shmem_test_any_vector
#define shmemx_test_some_vector shmem_test_some_vector
#define shmemx_broadcast shmem_broadcast
#define shmemx_collect shmem_collect
#define shmemx_fcollect shmem_fcollect
#define shmemx_alltoall shmem_alltoall
#define shmemx_alltoalls shmem_alltoalls
#define shmemx_and_reduce shmem_and_reduce
#define shmemx_or_reduce shmem_or_reduce
#define shmemx_xor_reduce shmem_xor_reduce
#define shmemx_max_reduce shmem_max_reduce
#define shmemx_min_reduce shmem_min_reduce
#define shmemx_sum_reduce shmem_sum_reduce
#define shmemx_prod_reduce shmem_prod_reduce
#define shmemx_sum_exscan shmem_sum_exscan
#define shmemx_sum_inscan shmem_sum_inscan

#endif

#endif /* SHMEMX_GENERIC_H */
