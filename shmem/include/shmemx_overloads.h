/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SHMEMX_OVERLOADS_H
#define SHMEMX_OVERLOADS_H

/**
 * @file
 * The type-generic names of the extensions as overloads, for C++. Part of shmemx.h.
 */

extern "C++" {

#define SHMEMX_OVER_BROADCAST_NB(T, N, op)                                                     \
	SHMEMI_OVER(int, shmemx##op, shmemx_##N##op,                                           \
		    (shmem_team_t team, T * dest, const T *source, size_t nelems, int PE_root, \
		     shmemx_req_h *request),                                                   \
		    (team, dest, source, nelems, PE_root, request))
#define SHMEMX_OVER_COLLECT_NB(T, N, op)                                          \
	SHMEMI_OVER(int, shmemx##op, shmemx_##N##op,                              \
		    (shmem_team_t team, T * dest, const T *source, size_t nelems, \
		     shmemx_req_h *request),                                      \
		    (team, dest, source, nelems, request))
#define SHMEMX_OVER_ALLTOALLS_NB(T, N, op)                                                       \
	SHMEMI_OVER(int, shmemx##op, shmemx_##N##op,                                             \
		    (shmem_team_t team, T * dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, \
		     size_t nelems, shmemx_req_h *request),                                      \
		    (team, dest, source, dst, sst, nelems, request))
SHMEMI_DISTINCT_RMA(SHMEMX_OVER_BROADCAST_NB, _broadcast_nb)
SHMEMI_DISTINCT_RMA(SHMEMX_OVER_COLLECT_NB, _collect_nb)
SHMEMI_DISTINCT_RMA(SHMEMX_OVER_COLLECT_NB, _fcollect_nb)
SHMEMI_DISTINCT_RMA(SHMEMX_OVER_COLLECT_NB, _alltoall_nb)
SHMEMI_DISTINCT_RMA(SHMEMX_OVER_ALLTOALLS_NB, _alltoalls_nb)
SHMEMI_DISTINCT_REDUCE_BIT(SHMEMX_OVER_COLLECT_NB, _and_reduce_nb)
SHMEMI_DISTINCT_REDUCE_BIT(SHMEMX_OVER_COLLECT_NB, _or_reduce_nb)
SHMEMI_DISTINCT_REDUCE_BIT(SHMEMX_OVER_COLLECT_NB, _xor_reduce_nb)
SHMEMI_DISTINCT_REDUCE_ORD(SHMEMX_OVER_COLLECT_NB, _max_reduce_nb)
SHMEMI_DISTINCT_REDUCE_ORD(SHMEMX_OVER_COLLECT_NB, _min_reduce_nb)
SHMEMI_DISTINCT_REDUCE_ARITH(SHMEMX_OVER_COLLECT_NB, _sum_reduce_nb)
SHMEMI_DISTINCT_REDUCE_ARITH(SHMEMX_OVER_COLLECT_NB, _prod_reduce_nb)
SHMEMI_DISTINCT_REDUCE_ARITH(SHMEMX_OVER_COLLECT_NB, _sum_inscan_nb)
SHMEMI_DISTINCT_REDUCE_ARITH(SHMEMX_OVER_COLLECT_NB, _sum_exscan_nb)
#define SHMEMX_OVER_STRIDED(T, N, op)                                                             \
	SHMEMI_OVER(                                                                              \
		void, shmemx##op, shmemx_##N##op,                                                 \
		(T * dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe), \
		(dest, source, dst, sst, nelems, pe))                                             \
	SHMEMI_OVER(void, shmemx##op, shmemx_ctx_##N##op,                                         \
		    (shmem_ctx_t ctx, T * dest, const T *source, ptrdiff_t dst, ptrdiff_t sst,    \
		     size_t nelems, int pe),                                                      \
		    (ctx, dest, source, dst, sst, nelems, pe))
#define SHMEMX_OVER_BLOCKED(T, N, op)                                                          \
	SHMEMI_OVER(void, shmemx##op, shmemx_##N##op,                                          \
		    (T * dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize,    \
		     size_t nblocks, int pe),                                                  \
		    (dest, source, dst, sst, bsize, nblocks, pe))                              \
	SHMEMI_OVER(void, shmemx##op, shmemx_ctx_##N##op,                                      \
		    (shmem_ctx_t ctx, T * dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, \
		     size_t bsize, size_t nblocks, int pe),                                    \
		    (ctx, dest, source, dst, sst, bsize, nblocks, pe))
SHMEMI_DISTINCT_RMA(SHMEMX_OVER_STRIDED, _iput_nbi)
SHMEMI_DISTINCT_RMA(SHMEMX_OVER_STRIDED, _iget_nbi)
SHMEMI_DISTINCT_RMA(SHMEMX_OVER_BLOCKED, _ibput_nbi)
SHMEMI_DISTINCT_RMA(SHMEMX_OVER_BLOCKED, _ibget_nbi)

#define SHMEMX_OVER_FOR(T, N, op)                                                                  \
	SHMEMI_OVER(int, shmemx_wait_until_for, shmemx_##N##_wait_until_for,                       \
		    (T * ivar, int cmp, T value, uint64_t ns), (ivar, cmp, value, ns))             \
	SHMEMI_OVER(int, shmemx_wait_until_all_for, shmemx_##N##_wait_until_all_for,               \
		    (T * ivars, size_t nelems, const int *status, int cmp, T value, uint64_t ns),  \
		    (ivars, nelems, status, cmp, value, ns))                                       \
	SHMEMI_OVER(int, shmemx_wait_until_all_vector_for, shmemx_##N##_wait_until_all_vector_for, \
		    (T * ivars, size_t nelems, const int *status, int cmp, const T *values,        \
		     uint64_t ns),                                                                 \
		    (ivars, nelems, status, cmp, values, ns))                                      \
	SHMEMI_OVER(size_t, shmemx_wait_until_any_vector_for,                                      \
		    shmemx_##N##_wait_until_any_vector_for,                                        \
		    (T * ivars, size_t nelems, const int *status, int cmp, const T *values,        \
		     uint64_t ns),                                                                 \
		    (ivars, nelems, status, cmp, values, ns))                                      \
	SHMEMI_OVER(size_t, shmemx_wait_until_some_vector_for,                                     \
		    shmemx_##N##_wait_until_some_vector_for,                                       \
		    (T * ivars, size_t nelems, size_t * indices, const int *status, int cmp,       \
		     const T *values, uint64_t ns),                                                \
		    (ivars, nelems, indices, status, cmp, values, ns))                             \
	SHMEMI_OVER(size_t, shmemx_wait_until_any_for, shmemx_##N##_wait_until_any_for,            \
		    (T * ivars, size_t nelems, const int *status, int cmp, T value, uint64_t ns),  \
		    (ivars, nelems, status, cmp, value, ns))                                       \
	SHMEMI_OVER(size_t, shmemx_wait_until_some_for, shmemx_##N##_wait_until_some_for,          \
		    (T * ivars, size_t nelems, size_t * indices, const int *status, int cmp,       \
		     T value, uint64_t ns),                                                        \
		    (ivars, nelems, indices, status, cmp, value, ns))
SHMEMI_DISTINCT_AMO(SHMEMX_OVER_FOR, _)

} /* extern "C++" */

#endif /* SHMEMX_OVERLOADS_H */
