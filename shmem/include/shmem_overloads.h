/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SHMEM_OVERLOADS_H
#define SHMEM_OVERLOADS_H

/**
 * @file
 * The type-generic calls as overloads, for C++. Part of shmem.h.
 *
 * SHMEMI_OVER defines one overload; SHMEMI_OVER_CTX that and its twin with a context.
 */

extern "C++" {

/* Always: then debug information has the line of the call for what the library says. */
#define SHMEMI_INLINE static inline __attribute__((always_inline))
#define SHMEMI_UNPAREN(...) __VA_ARGS__
#define SHMEMI_OVER(ret, generic, target, params, args) \
	SHMEMI_INLINE ret generic params                \
	{                                               \
		return target args;                     \
	}
#define SHMEMI_OVER_CTX(ret, op, N, params, args)                                                  \
	SHMEMI_OVER(ret, shmem##op, shmem_##N##op, (SHMEMI_UNPAREN params), (SHMEMI_UNPAREN args)) \
	SHMEMI_OVER(ret, shmem##op, shmem_ctx_##N##op, (shmem_ctx_t ctx, SHMEMI_UNPAREN params),   \
		    (ctx, SHMEMI_UNPAREN args))

#define SHMEMI_OVER_COPY(T, N, op)                                                       \
	SHMEMI_OVER_CTX(void, op, N, (T * dest, const T *source, size_t nelems, int pe), \
			(dest, source, nelems, pe))
#define SHMEMI_OVER_P(T, N, op) \
	SHMEMI_OVER_CTX(void, op, N, (T * dest, T value, int pe), (dest, value, pe))
#define SHMEMI_OVER_G(T, N, op) SHMEMI_OVER_CTX(T, op, N, (const T *source, int pe), (source, pe))
#define SHMEMI_OVER_STRIDED(T, N, op)                                                             \
	SHMEMI_OVER_CTX(                                                                          \
		void, op, N,                                                                      \
		(T * dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe), \
		(dest, source, dst, sst, nelems, pe))
#define SHMEMI_OVER_BLOCKED(T, N, op)                                                           \
	SHMEMI_OVER_CTX(void, op, N,                                                            \
			(T * dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, \
			 size_t nblocks, int pe),                                               \
			(dest, source, dst, sst, bsize, nblocks, pe))

SHMEMI_DISTINCT_RMA(SHMEMI_OVER_COPY, _put)
SHMEMI_DISTINCT_RMA(SHMEMI_OVER_COPY, _get)
SHMEMI_DISTINCT_RMA(SHMEMI_OVER_COPY, _put_nbi)
SHMEMI_DISTINCT_RMA(SHMEMI_OVER_COPY, _get_nbi)
SHMEMI_DISTINCT_RMA(SHMEMI_OVER_P, _p)
SHMEMI_DISTINCT_RMA(SHMEMI_OVER_G, _g)
SHMEMI_DISTINCT_RMA(SHMEMI_OVER_STRIDED, _iput)
SHMEMI_DISTINCT_RMA(SHMEMI_OVER_STRIDED, _iget)
SHMEMI_DISTINCT_RMA(SHMEMI_OVER_BLOCKED, _ibput)
SHMEMI_DISTINCT_RMA(SHMEMI_OVER_BLOCKED, _ibget)

#define SHMEMI_OVER_INC(T, N, op) SHMEMI_OVER_CTX(void, op, N, (T * dest, int pe), (dest, pe))
#define SHMEMI_OVER_FINC(T, N, op) SHMEMI_OVER_CTX(T, op, N, (T * dest, int pe), (dest, pe))
#define SHMEMI_OVER_FOP(T, N, op) \
	SHMEMI_OVER_CTX(T, op, N, (T * dest, T value, int pe), (dest, value, pe))
#define SHMEMI_OVER_CSWAP(T, N, op) \
	SHMEMI_OVER_CTX(T, op, N, (T * dest, T cond, T value, int pe), (dest, cond, value, pe))
#define SHMEMI_OVER_FETCH_NBI(T, N, op) \
	SHMEMI_OVER_CTX(void, op, N, (T * fetch, const T *source, int pe), (fetch, source, pe))
#define SHMEMI_OVER_FINC_NBI(T, N, op) \
	SHMEMI_OVER_CTX(void, op, N, (T * fetch, T * dest, int pe), (fetch, dest, pe))
#define SHMEMI_OVER_FOP_NBI(T, N, op)                                        \
	SHMEMI_OVER_CTX(void, op, N, (T * fetch, T * dest, T value, int pe), \
			(fetch, dest, value, pe))
#define SHMEMI_OVER_CSWAP_NBI(T, N, op)                                              \
	SHMEMI_OVER_CTX(void, op, N, (T * fetch, T * dest, T cond, T value, int pe), \
			(fetch, dest, cond, value, pe))

SHMEMI_DISTINCT_AMO_EXT(SHMEMI_OVER_G, _atomic_fetch)
SHMEMI_DISTINCT_AMO_EXT(SHMEMI_OVER_P, _atomic_set)
SHMEMI_DISTINCT_AMO_EXT(SHMEMI_OVER_FOP, _atomic_swap)
SHMEMI_DISTINCT_AMO(SHMEMI_OVER_CSWAP, _atomic_compare_swap)
SHMEMI_DISTINCT_AMO(SHMEMI_OVER_FINC, _atomic_fetch_inc)
SHMEMI_DISTINCT_AMO(SHMEMI_OVER_INC, _atomic_inc)
SHMEMI_DISTINCT_AMO(SHMEMI_OVER_FOP, _atomic_fetch_add)
SHMEMI_DISTINCT_AMO(SHMEMI_OVER_P, _atomic_add)
SHMEMI_DISTINCT_AMO_BIT(SHMEMI_OVER_FOP, _atomic_fetch_and)
SHMEMI_DISTINCT_AMO_BIT(SHMEMI_OVER_P, _atomic_and)
SHMEMI_DISTINCT_AMO_BIT(SHMEMI_OVER_FOP, _atomic_fetch_or)
SHMEMI_DISTINCT_AMO_BIT(SHMEMI_OVER_P, _atomic_or)
SHMEMI_DISTINCT_AMO_BIT(SHMEMI_OVER_FOP, _atomic_fetch_xor)
SHMEMI_DISTINCT_AMO_BIT(SHMEMI_OVER_P, _atomic_xor)
SHMEMI_DISTINCT_AMO_EXT(SHMEMI_OVER_FETCH_NBI, _atomic_fetch_nbi)
SHMEMI_DISTINCT_AMO_EXT(SHMEMI_OVER_FOP_NBI, _atomic_swap_nbi)
SHMEMI_DISTINCT_AMO(SHMEMI_OVER_CSWAP_NBI, _atomic_compare_swap_nbi)
SHMEMI_DISTINCT_AMO(SHMEMI_OVER_FINC_NBI, _atomic_fetch_inc_nbi)
SHMEMI_DISTINCT_AMO(SHMEMI_OVER_FOP_NBI, _atomic_fetch_add_nbi)
SHMEMI_DISTINCT_AMO_BIT(SHMEMI_OVER_FOP_NBI, _atomic_fetch_and_nbi)
SHMEMI_DISTINCT_AMO_BIT(SHMEMI_OVER_FOP_NBI, _atomic_fetch_or_nbi)
SHMEMI_DISTINCT_AMO_BIT(SHMEMI_OVER_FOP_NBI, _atomic_fetch_xor_nbi)

#define SHMEMI_OVER_PUT_SIGNAL(T, N, op)                                               \
	SHMEMI_OVER_CTX(void, op, N,                                                   \
			(T * dest, const T *source, size_t nelems, uint64_t *sig_addr, \
			 uint64_t signal, int sig_op, int pe),                         \
			(dest, source, nelems, sig_addr, signal, sig_op, pe))

SHMEMI_DISTINCT_RMA(SHMEMI_OVER_PUT_SIGNAL, _put_signal)
SHMEMI_DISTINCT_RMA(SHMEMI_OVER_PUT_SIGNAL, _put_signal_nbi)
SHMEMI_OVER(void, shmem_signal_add, shmem_ctx_signal_add,
	    (shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal, int pe),
	    (ctx, sig_addr, signal, pe))
SHMEMI_OVER(void, shmem_signal_set, shmem_ctx_signal_set,
	    (shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal, int pe),
	    (ctx, sig_addr, signal, pe))

#define SHMEMI_OVER_COLL(T, N, op)                                                 \
	SHMEMI_OVER(int, shmem##op, shmem_##N##op,                                 \
		    (shmem_team_t team, T * dest, const T *source, size_t nelems), \
		    (team, dest, source, nelems))
#define SHMEMI_OVER_ALLTOALLS(T, N, op)                                                          \
	SHMEMI_OVER(int, shmem##op, shmem_##N##op,                                               \
		    (shmem_team_t team, T * dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, \
		     size_t nelems),                                                             \
		    (team, dest, source, dst, sst, nelems))
#define SHMEMI_OVER_BROADCAST(T, N, op)                                                         \
	SHMEMI_OVER(int, shmem##op, shmem_##N##op,                                              \
		    (shmem_team_t team, T * dest, const T *source, size_t nelems, int PE_root), \
		    (team, dest, source, nelems, PE_root))

SHMEMI_OVER(int, shmem_sync, shmem_team_sync, (shmem_team_t team), (team))
SHMEMI_DISTINCT_RMA(SHMEMI_OVER_BROADCAST, _broadcast)
SHMEMI_DISTINCT_RMA(SHMEMI_OVER_COLL, _collect)
SHMEMI_DISTINCT_RMA(SHMEMI_OVER_COLL, _fcollect)
SHMEMI_DISTINCT_RMA(SHMEMI_OVER_COLL, _alltoall)
SHMEMI_DISTINCT_RMA(SHMEMI_OVER_ALLTOALLS, _alltoalls)
SHMEMI_DISTINCT_REDUCE_BIT(SHMEMI_OVER_COLL, _and_reduce)
SHMEMI_DISTINCT_REDUCE_BIT(SHMEMI_OVER_COLL, _or_reduce)
SHMEMI_DISTINCT_REDUCE_BIT(SHMEMI_OVER_COLL, _xor_reduce)
SHMEMI_DISTINCT_REDUCE_ORD(SHMEMI_OVER_COLL, _max_reduce)
SHMEMI_DISTINCT_REDUCE_ORD(SHMEMI_OVER_COLL, _min_reduce)
SHMEMI_DISTINCT_REDUCE_ARITH(SHMEMI_OVER_COLL, _sum_reduce)
SHMEMI_DISTINCT_REDUCE_ARITH(SHMEMI_OVER_COLL, _prod_reduce)
SHMEMI_DISTINCT_REDUCE_ARITH(SHMEMI_OVER_COLL, _sum_inscan)
SHMEMI_DISTINCT_REDUCE_ARITH(SHMEMI_OVER_COLL, _sum_exscan)

/* The compilers have the complex types of C in C++ too, and programs use them for these calls. */
__extension__ typedef double _Complex shmemi_complexd;
__extension__ typedef float _Complex shmemi_complexf;

#define SHMEMI_OVER_COMPLEX(T, N, op, name)                                                      \
	SHMEMI_OVER(                                                                             \
		int, name, shmem_##N##op,                                                        \
		(shmem_team_t team, shmemi_##N * dest, const shmemi_##N *source, size_t nelems), \
		(team, reinterpret_cast<T *>(dest), reinterpret_cast<const T *>(source), nelems))
#define SHMEMI_OVER_COMPLEX_COLL(T, N, op)           \
	SHMEMI_OVER_COMPLEX(T, N, op, shmem_##N##op) \
	SHMEMI_OVER_COMPLEX(T, N, op, shmem##op)
#define SHMEMI_OVER_COMPLEX_ASET(T, N, op)                                                      \
	SHMEMI_DEPRECATED("a team reduction")                                                   \
	SHMEMI_OVER(void, shmem_##N##op##_to_all, shmem_##N##op##_to_all,                       \
		    (shmemi_##N * dest, const shmemi_##N *source, int nreduce, int PE_start,    \
		     int logPE_stride, int PE_size, shmemi_##N *pWrk, long *pSync),             \
		    (reinterpret_cast<T *>(dest), reinterpret_cast<const T *>(source), nreduce, \
		     PE_start, logPE_stride, PE_size, reinterpret_cast<T *>(pWrk), pSync))

SHMEMI_TYPES_COMPLEX(SHMEMI_OVER_COMPLEX_COLL, _sum_reduce)
SHMEMI_TYPES_COMPLEX(SHMEMI_OVER_COMPLEX_COLL, _prod_reduce)
SHMEMI_TYPES_COMPLEX(SHMEMI_OVER_COMPLEX_COLL, _sum_inscan)
SHMEMI_TYPES_COMPLEX(SHMEMI_OVER_COMPLEX_COLL, _sum_exscan)
SHMEMI_TYPES_COMPLEX(SHMEMI_OVER_COMPLEX_ASET, _sum)
SHMEMI_TYPES_COMPLEX(SHMEMI_OVER_COMPLEX_ASET, _prod)

#define SHMEMI_OVER_SYNC_ONE(T, N, op, ret)                                          \
	SHMEMI_OVER(ret, shmem##op, shmem_##N##op, (T * ivar, int cmp, T cmp_value), \
		    (ivar, cmp, cmp_value))
#define SHMEMI_OVER_SYNC_SET(T, N, op, ret)                                                      \
	SHMEMI_OVER(ret, shmem##op, shmem_##N##op,                                               \
		    (T * ivars, size_t nelems, const int *status, int cmp, T cmp_value),         \
		    (ivars, nelems, status, cmp, cmp_value))                                     \
	SHMEMI_OVER(ret, shmem##op##_vector, shmem_##N##op##_vector,                             \
		    (T * ivars, size_t nelems, const int *status, int cmp, const T *cmp_values), \
		    (ivars, nelems, status, cmp, cmp_values))
#define SHMEMI_OVER_WAIT_ONE(T, N, op) SHMEMI_OVER_SYNC_ONE(T, N, op, void)
#define SHMEMI_OVER_TEST_ONE(T, N, op) SHMEMI_OVER_SYNC_ONE(T, N, op, int)
#define SHMEMI_OVER_WAIT_ALL(T, N, op) SHMEMI_OVER_SYNC_SET(T, N, op, void)
#define SHMEMI_OVER_TEST_ALL(T, N, op) SHMEMI_OVER_SYNC_SET(T, N, op, int)
#define SHMEMI_OVER_ANY(T, N, op) SHMEMI_OVER_SYNC_SET(T, N, op, size_t)
#define SHMEMI_OVER_SOME(T, N, op)                                                           \
	SHMEMI_OVER(size_t, shmem##op, shmem_##N##op,                                        \
		    (T * ivars, size_t nelems, size_t * indices, const int *status, int cmp, \
		     T cmp_value),                                                           \
		    (ivars, nelems, indices, status, cmp, cmp_value))                        \
	SHMEMI_OVER(size_t, shmem##op##_vector, shmem_##N##op##_vector,                      \
		    (T * ivars, size_t nelems, size_t * indices, const int *status, int cmp, \
		     const T *cmp_values),                                                   \
		    (ivars, nelems, indices, status, cmp, cmp_values))

/* shmem_wait_until of long is the function itself. */
SHMEMI_OVER_WAIT_ONE(int, int, _wait_until)
SHMEMI_OVER_WAIT_ONE(long long, longlong, _wait_until)
SHMEMI_OVER_WAIT_ONE(unsigned int, uint, _wait_until)
SHMEMI_OVER_WAIT_ONE(unsigned long, ulong, _wait_until)
SHMEMI_OVER_WAIT_ONE(unsigned long long, ulonglong, _wait_until)
SHMEMI_TYPES_OLD_SYNC(SHMEMI_OVER_WAIT_ONE, _wait_until)
SHMEMI_TYPES_OLD_SYNC(SHMEMI_OVER_TEST_ONE, _test)
SHMEMI_DISTINCT_AMO(SHMEMI_OVER_TEST_ONE, _test)
SHMEMI_DISTINCT_SYNC_SET(SHMEMI_OVER_WAIT_ALL, _wait_until_all)
SHMEMI_DISTINCT_SYNC_SET(SHMEMI_OVER_TEST_ALL, _test_all)
SHMEMI_DISTINCT_SYNC_SET(SHMEMI_OVER_ANY, _wait_until_any)
SHMEMI_DISTINCT_SYNC_SET(SHMEMI_OVER_ANY, _test_any)
SHMEMI_DISTINCT_SYNC_SET(SHMEMI_OVER_SOME, _wait_until_some)
SHMEMI_DISTINCT_SYNC_SET(SHMEMI_OVER_SOME, _test_some)

#define SHMEMI_OVER_OLD(ret, old, now, N, params, args) \
	SHMEMI_DEPRECATED("the shmem_atomic_ calls")    \
	SHMEMI_OVER(ret, shmem##old, shmem_##N##now, params, args)
#define SHMEMI_OVER_OLD_EXT(T, N, op)                                                         \
	SHMEMI_OVER_OLD(T, _fetch, _atomic_fetch, N, (const T *source, int pe), (source, pe)) \
	SHMEMI_OVER_OLD(void, _set, _atomic_set, N, (T * dest, T value, int pe),              \
			(dest, value, pe))                                                    \
	SHMEMI_OVER_OLD(T, _swap, _atomic_swap, N, (T * dest, T value, int pe), (dest, value, pe))
#define SHMEMI_OVER_OLD_AMO(T, N, op)                                                            \
	SHMEMI_OVER_OLD(T, _cswap, _atomic_compare_swap, N, (T * dest, T cond, T value, int pe), \
			(dest, cond, value, pe))                                                 \
	SHMEMI_OVER_OLD(T, _finc, _atomic_fetch_inc, N, (T * dest, int pe), (dest, pe))          \
	SHMEMI_OVER_OLD(void, _inc, _atomic_inc, N, (T * dest, int pe), (dest, pe))              \
	SHMEMI_OVER_OLD(T, _fadd, _atomic_fetch_add, N, (T * dest, T value, int pe),             \
			(dest, value, pe))                                                       \
	SHMEMI_OVER_OLD(void, _add, _atomic_add, N, (T * dest, T value, int pe), (dest, value, pe))

SHMEMI_DISTINCT_AMO_EXT(SHMEMI_OVER_OLD_EXT, _ext)
SHMEMI_DISTINCT_AMO(SHMEMI_OVER_OLD_AMO, _amo)

} /* extern "C++" */

#endif /* SHMEM_OVERLOADS_H */
