/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SHMEMX_OVERLOADS16_H
#define SHMEMX_OVERLOADS16_H

/**
 * @file
 * Part of shmemx_overloads.h: names of calls of the standard, such as shmemx_put(). Its types go to
 * what shmem.h has for them, with templates; those of 16 bits have overloads.
 */

#if __cplusplus >= 201103L
#define SHMEMX_OVER_ALL(op)                                                    \
	template <class... A>                                                  \
	static inline auto shmemx##op(A... args)->decltype(shmem##op(args...)) \
	{                                                                      \
		return shmem##op(args...);                                     \
	}
SHMEMX_OVER_ALL(_put)
SHMEMX_OVER_ALL(_get)
SHMEMX_OVER_ALL(_p)
SHMEMX_OVER_ALL(_g)
SHMEMX_OVER_ALL(_put_nbi)
SHMEMX_OVER_ALL(_get_nbi)
SHMEMX_OVER_ALL(_iput)
SHMEMX_OVER_ALL(_iget)
SHMEMX_OVER_ALL(_ibput)
SHMEMX_OVER_ALL(_ibget)
SHMEMX_OVER_ALL(_put_signal)
SHMEMX_OVER_ALL(_put_signal_nbi)
SHMEMX_OVER_ALL(_broadcast)
SHMEMX_OVER_ALL(_collect)
SHMEMX_OVER_ALL(_fcollect)
SHMEMX_OVER_ALL(_alltoall)
SHMEMX_OVER_ALL(_alltoalls)
SHMEMX_OVER_ALL(_max_reduce)
SHMEMX_OVER_ALL(_min_reduce)
SHMEMX_OVER_ALL(_sum_reduce)
SHMEMX_OVER_ALL(_prod_reduce)
SHMEMX_OVER_ALL(_sum_inscan)
SHMEMX_OVER_ALL(_sum_exscan)
#endif

#define SHMEMX_OVER_CTX(ret, op, N, params, args)                                                  \
	SHMEMI_OVER(ret, shmemx##op, shmemx_##N##op, (SHMEMI_UNPAREN params),                      \
		    (SHMEMI_UNPAREN args))                                                         \
	SHMEMI_OVER(ret, shmemx##op, shmemx_ctx_##N##op, (shmem_ctx_t ctx, SHMEMI_UNPAREN params), \
		    (ctx, SHMEMI_UNPAREN args))
#define SHMEMX_OVER_16_COPY(T, N, op)                                                    \
	SHMEMX_OVER_CTX(void, op, N, (T * dest, const T *source, size_t nelems, int pe), \
			(dest, source, nelems, pe))
#define SHMEMX_OVER_16_SIGNAL(T, N, op)                                                \
	SHMEMX_OVER_CTX(void, op, N,                                                   \
			(T * dest, const T *source, size_t nelems, uint64_t *sig_addr, \
			 uint64_t signal, int sig_op, int pe),                         \
			(dest, source, nelems, sig_addr, signal, sig_op, pe))
#define SHMEMX_OVER_16_COLL(T, N, op)                                              \
	SHMEMI_OVER(int, shmemx##op, shmemx_##N##op,                               \
		    (shmem_team_t team, T * dest, const T *source, size_t nelems), \
		    (team, dest, source, nelems))
#define SHMEMX_OVER_16(T, N, op_)                                                                \
	SHMEMX_OVER_16_COPY(T, N, _put)                                                          \
	SHMEMX_OVER_16_COPY(T, N, _get)                                                          \
	SHMEMX_OVER_16_COPY(T, N, _put_nbi)                                                      \
	SHMEMX_OVER_16_COPY(T, N, _get_nbi)                                                      \
	SHMEMX_OVER_CTX(void, _p, N, (T * dest, T value, int pe), (dest, value, pe))             \
	SHMEMX_OVER_CTX(T, _g, N, (const T *source, int pe), (source, pe))                       \
	SHMEMX_OVER_STRIDED(T, N, _iput)                                                         \
	SHMEMX_OVER_STRIDED(T, N, _iget)                                                         \
	SHMEMX_OVER_BLOCKED(T, N, _ibput)                                                        \
	SHMEMX_OVER_BLOCKED(T, N, _ibget)                                                        \
	SHMEMX_OVER_16_SIGNAL(T, N, _put_signal)                                                 \
	SHMEMX_OVER_16_SIGNAL(T, N, _put_signal_nbi)                                             \
	SHMEMI_OVER(int, shmemx_broadcast, shmemx_##N##_broadcast,                               \
		    (shmem_team_t team, T * dest, const T *source, size_t nelems, int PE_root),  \
		    (team, dest, source, nelems, PE_root))                                       \
	SHMEMI_OVER(int, shmemx_alltoalls, shmemx_##N##_alltoalls,                               \
		    (shmem_team_t team, T * dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, \
		     size_t nelems),                                                             \
		    (team, dest, source, dst, sst, nelems))                                      \
	SHMEMX_OVER_16_COLL(T, N, _collect)                                                      \
	SHMEMX_OVER_16_COLL(T, N, _fcollect)                                                     \
	SHMEMX_OVER_16_COLL(T, N, _alltoall)                                                     \
	SHMEMX_OVER_16_COLL(T, N, _max_reduce)                                                   \
	SHMEMX_OVER_16_COLL(T, N, _min_reduce)                                                   \
	SHMEMX_OVER_16_COLL(T, N, _sum_reduce)                                                   \
	SHMEMX_OVER_16_COLL(T, N, _prod_reduce)                                                  \
	SHMEMX_OVER_16_COLL(T, N, _sum_inscan)                                                   \
	SHMEMX_OVER_16_COLL(T, N, _sum_exscan)
SHMEMX_TYPES_FLOAT16(SHMEMX_OVER_16, _)

#endif /* SHMEMX_OVERLOADS16_H */
