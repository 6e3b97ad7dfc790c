/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SHMEM_GENERIC_H
#define SHMEM_GENERIC_H

/**
 * @file
 * Type-generic calls: macros over _Generic in C11, overloads in C++. Part of shmem.h.
 *
 * A macro picks the function by its first argument. Where that is a context or a team, the second
 * decides the type; the inner selection must be valid C for every call, hence its default.
 */

#if !defined(SHMEMI_LIBRARY) && \
	(defined(__cplusplus) || (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L))

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#ifndef __cplusplus

/* The deprecated functions of types without atomics remain arguments of generic calls. */
#define SHMEMI_GENERIC_OLD(T, N, op)                                              \
	static inline void shmemi_##N##_wait_until(T *ivar, int cmp, T cmp_value) \
	{                                                                         \
		shmem_##N##_wait_until(ivar, cmp, cmp_value);                     \
	}                                                                         \
	static inline int shmemi_##N##_test(T *ivar, int cmp, T cmp_value)        \
	{                                                                         \
		return shmem_##N##_test(ivar, cmp, cmp_value);                    \
	}
SHMEMI_TYPES_OLD_SYNC(SHMEMI_GENERIC_OLD, _sync)

/** Zero. Names in a diagnostic what a deprecated generic call stands in for. */
enum {
	shmemi_deprecated_generic SHMEMI_DEPRECATED("the shmem_atomic_ calls") = 0
};

/** Declared only: a generic call of a type that the standard does not name ends up here. */
void shmemi_unsupported_type(void);

#define SHMEMI_ARG1(...) SHMEMI_ARG1_(__VA_ARGS__, 0)
#define SHMEMI_ARG1_(a, ...) a
#define SHMEMI_ARG2(...) SHMEMI_ARG2_(__VA_ARGS__, 0)
#define SHMEMI_ARG2_(a, b, ...) b
#define SHMEMI_ARG5(a, b, c, d, e, ...) e

/* The formatter does not know _Generic; below, a line a name. */
/* clang-format off */

#define SHMEMI_CASE(T, N, op) \
	T * : shmem_##N##op, const T * : shmem_##N##op, volatile T * : shmem_##N##op,
#define SHMEMI_CASE_CTX(T, N, op) \
	T * : shmem_ctx_##N##op, const T * : shmem_ctx_##N##op, volatile T * : shmem_ctx_##N##op,
#define SHMEMI_CASE_OLD(T, N, op) T * : shmemi_##N##op, volatile T * : shmemi_##N##op,

#define SHMEMI_GENERIC(types, op, ...)                                   \
	_Generic((SHMEMI_ARG1(__VA_ARGS__)),                             \
		types(SHMEMI_CASE, op)                                   \
		default : shmemi_unsupported_type)(__VA_ARGS__)
#define SHMEMI_GENERIC_TEAM(types, op, ...)                              \
	_Generic((SHMEMI_ARG2(__VA_ARGS__)),                             \
		types(SHMEMI_CASE, op)                                   \
		default : shmemi_unsupported_type)(__VA_ARGS__)
#define SHMEMI_GENERIC_CTX(types, op, ...)                               \
	_Generic((SHMEMI_ARG1(__VA_ARGS__)),                             \
		shmem_ctx_t : _Generic((SHMEMI_ARG2(__VA_ARGS__)),       \
			types(SHMEMI_CASE_CTX, op)                       \
			default : shmemi_unsupported_type),              \
		types(SHMEMI_CASE, op)                                   \
		default : shmemi_unsupported_type)(__VA_ARGS__)
#define SHMEMI_GENERIC_SYNC(op, ...)                                     \
	_Generic((SHMEMI_ARG1(__VA_ARGS__)),                             \
		SHMEMI_TYPES_OLD_SYNC(SHMEMI_CASE_OLD, op)               \
		SHMEMI_DISTINCT_AMO(SHMEMI_CASE, op)                     \
		default : shmemi_unsupported_type)(__VA_ARGS__)
/* The current names do what the deprecated ones did; one warning comes from the enumerator. */
#define SHMEMI_GENERIC_OLD_AMO(types, op, ...)                           \
	_Generic((SHMEMI_ARG1(__VA_ARGS__)) + shmemi_deprecated_generic, \
		types(SHMEMI_CASE, op)                                   \
		default : shmemi_unsupported_type)(__VA_ARGS__)

#define shmem_put(...) SHMEMI_GENERIC_CTX(SHMEMI_DISTINCT_RMA, _put, __VA_ARGS__)
#define shmem_get(...) SHMEMI_GENERIC_CTX(SHMEMI_DISTINCT_RMA, _get, __VA_ARGS__)
#define shmem_p(...) SHMEMI_GENERIC_CTX(SHMEMI_DISTINCT_RMA, _p, __VA_ARGS__)
#define shmem_g(...) SHMEMI_GENERIC_CTX(SHMEMI_DISTINCT_RMA, _g, __VA_ARGS__)
#define shmem_put_nbi(...) SHMEMI_GENERIC_CTX(SHMEMI_DISTINCT_RMA, _put_nbi, __VA_ARGS__)
#define shmem_get_nbi(...) SHMEMI_GENERIC_CTX(SHMEMI_DISTINCT_RMA, _get_nbi, __VA_ARGS__)
#define shmem_iput(...) SHMEMI_GENERIC_CTX(SHMEMI_DISTINCT_RMA, _iput, __VA_ARGS__)
#define shmem_iget(...) SHMEMI_GENERIC_CTX(SHMEMI_DISTINCT_RMA, _iget, __VA_ARGS__)
#define shmem_ibput(...) SHMEMI_GENERIC_CTX(SHMEMI_DISTINCT_RMA, _ibput, __VA_ARGS__)
#define shmem_ibget(...) SHMEMI_GENERIC_CTX(SHMEMI_DISTINCT_RMA, _ibget, __VA_ARGS__)

#define shmem_atomic_fetch(...) \
	SHMEMI_GENERIC_CTX(SHMEMI_DISTINCT_AMO_EXT, _atomic_fetch, __VA_ARGS__)
#define shmem_atomic_set(...) SHMEMI_GENERIC_CTX(SHMEMI_DISTINCT_AMO_EXT, _atomic_set, __VA_ARGS__)
#define shmem_atomic_swap(...) \
	SHMEMI_GENERIC_CTX(SHMEMI_DISTINCT_AMO_EXT, _atomic_swap, __VA_ARGS__)
#define shmem_atomic_compare_swap(...) \
	SHMEMI_GENERIC_CTX(SHMEMI_DISTINCT_AMO, _atomic_compare_swap, __VA_ARGS__)
#define shmem_atomic_fetch_inc(...) \
	SHMEMI_GENERIC_CTX(SHMEMI_DISTINCT_AMO, _atomic_fetch_inc, __VA_ARGS__)
#define shmem_atomic_inc(...) SHMEMI_GENERIC_CTX(SHMEMI_DISTINCT_AMO, _atomic_inc, __VA_ARGS__)
#define shmem_atomic_fetch_add(...) \
	SHMEMI_GENERIC_CTX(SHMEMI_DISTINCT_AMO, _atomic_fetch_add, __VA_ARGS__)
#define shmem_atomic_add(...) SHMEMI_GENERIC_CTX(SHMEMI_DISTINCT_AMO, _atomic_add, __VA_ARGS__)
#define shmem_atomic_fetch_and(...) \
	SHMEMI_GENERIC_CTX(SHMEMI_DISTINCT_AMO_BIT, _atomic_fetch_and, __VA_ARGS__)
#define shmem_atomic_and(...) SHMEMI_GENERIC_CTX(SHMEMI_DISTINCT_AMO_BIT, _atomic_and, __VA_ARGS__)
#define shmem_atomic_fetch_or(...) \
	SHMEMI_GENERIC_CTX(SHMEMI_DISTINCT_AMO_BIT, _atomic_fetch_or, __VA_ARGS__)
#define shmem_atomic_or(...) SHMEMI_GENERIC_CTX(SHMEMI_DISTINCT_AMO_BIT, _atomic_or, __VA_ARGS__)
#define shmem_atomic_fetch_xor(...) \
	SHMEMI_GENERIC_CTX(SHMEMI_DISTINCT_AMO_BIT, _atomic_fetch_xor, __VA_ARGS__)
#define shmem_atomic_xor(...) SHMEMI_GENERIC_CTX(SHMEMI_DISTINCT_AMO_BIT, _atomic_xor, __VA_ARGS__)

#define shmem_atomic_fetch_nbi(...) \
	SHMEMI_GENERIC_CTX(SHMEMI_DISTINCT_AMO_EXT, _atomic_fetch_nbi, __VA_ARGS__)
#define shmem_atomic_swap_nbi(...) \
	SHMEMI_GENERIC_CTX(SHMEMI_DISTINCT_AMO_EXT, _atomic_swap_nbi, __VA_ARGS__)
#define shmem_atomic_compare_swap_nbi(...) \
	SHMEMI_GENERIC_CTX(SHMEMI_DISTINCT_AMO, _atomic_compare_swap_nbi, __VA_ARGS__)
#define shmem_atomic_fetch_inc_nbi(...) \
	SHMEMI_GENERIC_CTX(SHMEMI_DISTINCT_AMO, _atomic_fetch_inc_nbi, __VA_ARGS__)
#define shmem_atomic_fetch_add_nbi(...) \
	SHMEMI_GENERIC_CTX(SHMEMI_DISTINCT_AMO, _atomic_fetch_add_nbi, __VA_ARGS__)
#define shmem_atomic_fetch_and_nbi(...) \
	SHMEMI_GENERIC_CTX(SHMEMI_DISTINCT_AMO_BIT, _atomic_fetch_and_nbi, __VA_ARGS__)
#define shmem_atomic_fetch_or_nbi(...) \
	SHMEMI_GENERIC_CTX(SHMEMI_DISTINCT_AMO_BIT, _atomic_fetch_or_nbi, __VA_ARGS__)
#define shmem_atomic_fetch_xor_nbi(...) \
	SHMEMI_GENERIC_CTX(SHMEMI_DISTINCT_AMO_BIT, _atomic_fetch_xor_nbi, __VA_ARGS__)

#define shmem_put_signal(...) SHMEMI_GENERIC_CTX(SHMEMI_DISTINCT_RMA, _put_signal, __VA_ARGS__)
#define shmem_put_signal_nbi(...) \
	SHMEMI_GENERIC_CTX(SHMEMI_DISTINCT_RMA, _put_signal_nbi, __VA_ARGS__)
#define shmem_signal_add(...)                            \
	_Generic((SHMEMI_ARG1(__VA_ARGS__)), shmem_ctx_t \
		 : shmem_ctx_signal_add, default         \
		 : shmem_signal_add)(__VA_ARGS__)
#define shmem_signal_set(...)                            \
	_Generic((SHMEMI_ARG1(__VA_ARGS__)), shmem_ctx_t \
		 : shmem_ctx_signal_set, default         \
		 : shmem_signal_set)(__VA_ARGS__)

/* By the number of arguments: the deprecated function may be named only where it is called. */
#define shmem_sync(...)                                                                  \
	SHMEMI_ARG5(__VA_ARGS__, shmem_sync, shmem_sync, shmem_sync, shmem_team_sync, 0) \
	(__VA_ARGS__)
#define shmem_broadcast(...) SHMEMI_GENERIC_TEAM(SHMEMI_DISTINCT_RMA, _broadcast, __VA_ARGS__)
#define shmem_collect(...) SHMEMI_GENERIC_TEAM(SHMEMI_DISTINCT_RMA, _collect, __VA_ARGS__)
#define shmem_fcollect(...) SHMEMI_GENERIC_TEAM(SHMEMI_DISTINCT_RMA, _fcollect, __VA_ARGS__)
#define shmem_alltoall(...) SHMEMI_GENERIC_TEAM(SHMEMI_DISTINCT_RMA, _alltoall, __VA_ARGS__)
#define shmem_alltoalls(...) SHMEMI_GENERIC_TEAM(SHMEMI_DISTINCT_RMA, _alltoalls, __VA_ARGS__)

#define shmem_and_reduce(...) \
	SHMEMI_GENERIC_TEAM(SHMEMI_DISTINCT_REDUCE_BIT, _and_reduce, __VA_ARGS__)
#define shmem_or_reduce(...) \
	SHMEMI_GENERIC_TEAM(SHMEMI_DISTINCT_REDUCE_BIT, _or_reduce, __VA_ARGS__)
#define shmem_xor_reduce(...) \
	SHMEMI_GENERIC_TEAM(SHMEMI_DISTINCT_REDUCE_BIT, _xor_reduce, __VA_ARGS__)
#define shmem_max_reduce(...) \
	SHMEMI_GENERIC_TEAM(SHMEMI_DISTINCT_REDUCE_ORD, _max_reduce, __VA_ARGS__)
#define shmem_min_reduce(...) \
	SHMEMI_GENERIC_TEAM(SHMEMI_DISTINCT_REDUCE_ORD, _min_reduce, __VA_ARGS__)
#define shmem_sum_reduce(...) \
	SHMEMI_GENERIC_TEAM(SHMEMI_DISTINCT_REDUCE_ARITH, _sum_reduce, __VA_ARGS__)
#define shmem_prod_reduce(...) \
	SHMEMI_GENERIC_TEAM(SHMEMI_DISTINCT_REDUCE_ARITH, _prod_reduce, __VA_ARGS__)
#define shmem_sum_inscan(...) \
	SHMEMI_GENERIC_TEAM(SHMEMI_DISTINCT_REDUCE_ARITH, _sum_inscan, __VA_ARGS__)
#define shmem_sum_exscan(...) \
	SHMEMI_GENERIC_TEAM(SHMEMI_DISTINCT_REDUCE_ARITH, _sum_exscan, __VA_ARGS__)

#define shmem_wait_until(...) SHMEMI_GENERIC_SYNC(_wait_until, __VA_ARGS__)
#define shmem_wait_until_all(...) SHMEMI_GENERIC(SHMEMI_DISTINCT_SYNC_SET, _wait_until_all, __VA_ARGS__)
#define shmem_wait_until_any(...) SHMEMI_GENERIC(SHMEMI_DISTINCT_SYNC_SET, _wait_until_any, __VA_ARGS__)
#define shmem_wait_until_some(...) \
	SHMEMI_GENERIC(SHMEMI_DISTINCT_SYNC_SET, _wait_until_some, __VA_ARGS__)
#define shmem_wait_until_all_vector(...) \
	SHMEMI_GENERIC(SHMEMI_DISTINCT_SYNC_SET, _wait_until_all_vector, __VA_ARGS__)
#define shmem_wait_until_any_vector(...) \
	SHMEMI_GENERIC(SHMEMI_DISTINCT_SYNC_SET, _wait_until_any_vector, __VA_ARGS__)
#define shmem_wait_until_some_vector(...) \
	SHMEMI_GENERIC(SHMEMI_DISTINCT_SYNC_SET, _wait_until_some_vector, __VA_ARGS__)
#define shmem_test(...) SHMEMI_GENERIC_SYNC(_test, __VA_ARGS__)
#define shmem_test_all(...) SHMEMI_GENERIC(SHMEMI_DISTINCT_SYNC_SET, _test_all, __VA_ARGS__)
#define shmem_test_any(...) SHMEMI_GENERIC(SHMEMI_DISTINCT_SYNC_SET, _test_any, __VA_ARGS__)
#define shmem_test_some(...) SHMEMI_GENERIC(SHMEMI_DISTINCT_SYNC_SET, _test_some, __VA_ARGS__)
#define shmem_test_all_vector(...) \
	SHMEMI_GENERIC(SHMEMI_DISTINCT_SYNC_SET, _test_all_vector, __VA_ARGS__)
#define shmem_test_any_vector(...) \
	SHMEMI_GENERIC(SHMEMI_DISTINCT_SYNC_SET, _test_any_vector, __VA_ARGS__)
#define shmem_test_some_vector(...) \
	SHMEMI_GENERIC(SHMEMI_DISTINCT_SYNC_SET, _test_some_vector, __VA_ARGS__)

#define shmem_fetch(...) \
	SHMEMI_GENERIC_OLD_AMO(SHMEMI_DISTINCT_AMO_EXT, _atomic_fetch, __VA_ARGS__)
#define shmem_set(...) SHMEMI_GENERIC_OLD_AMO(SHMEMI_DISTINCT_AMO_EXT, _atomic_set, __VA_ARGS__)
#define shmem_swap(...) SHMEMI_GENERIC_OLD_AMO(SHMEMI_DISTINCT_AMO_EXT, _atomic_swap, __VA_ARGS__)
#define shmem_cswap(...) \
	SHMEMI_GENERIC_OLD_AMO(SHMEMI_DISTINCT_AMO, _atomic_compare_swap, __VA_ARGS__)
#define shmem_finc(...) SHMEMI_GENERIC_OLD_AMO(SHMEMI_DISTINCT_AMO, _atomic_fetch_inc, __VA_ARGS__)
#define shmem_inc(...) SHMEMI_GENERIC_OLD_AMO(SHMEMI_DISTINCT_AMO, _atomic_inc, __VA_ARGS__)
#define shmem_fadd(...) SHMEMI_GENERIC_OLD_AMO(SHMEMI_DISTINCT_AMO, _atomic_fetch_add, __VA_ARGS__)
#define shmem_add(...) SHMEMI_GENERIC_OLD_AMO(SHMEMI_DISTINCT_AMO, _atomic_add, __VA_ARGS__)

/* clang-format on */

#else /* __cplusplus */

#include "shmem_overloads.h"

#endif

#pragma GCC diagnostic pop

#endif

#endif /* SHMEM_GENERIC_H */
