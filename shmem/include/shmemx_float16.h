/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SHMEMX_FLOAT16_H
#define SHMEMX_FLOAT16_H

/**
 * @file
 * Part of shmemx.h: floating-point types of 16 bits, half (IEEE 754 binary16, _Float16) and
 * bfloat16 (the upper half of a float, __bf16). A type is declared where the compiler of the
 * program has it: gcc from 12 on and clang from 15 on have _Float16 in C, g++ from 13 on in C++;
 * gcc has __bf16 as a type to compute with from 13 on. SHMEMX_HAVE_HALF and SHMEMX_HAVE_BFLOAT16
 * are defined then. The library has both, whatever compiler it was built with.
 */

#include <stddef.h>
#include <stdint.h>

#include "shmem.h"

#ifdef SHMEMI_LIBRARY
/* Bits: the library converts them itself, so that it does not depend on its compiler. */
typedef uint16_t shmemx_half_t;
typedef uint16_t shmemx_bfloat16_t;
#define SHMEMX_HAVE_HALF
#define SHMEMX_HAVE_BFLOAT16
#else
#if defined(__FLT16_MAX__) && (!defined(__clang__) || __clang_major__ >= 15) && \
	(!defined(__cplusplus) || defined(__clang__) || __GNUC__ >= 13)
#define SHMEMX_HAVE_HALF
/** IEEE 754 binary16. */
__extension__ typedef _Float16 shmemx_half_t;
#endif
#if defined(__BFLT16_MAX__)
#define SHMEMX_HAVE_BFLOAT16
/** The upper 16 bits of a float. */
__extension__ typedef __bf16 shmemx_bfloat16_t;
#endif
#endif

#ifdef SHMEMX_HAVE_HALF
#define SHMEMX_TYPE_HALF(X, op) X(shmemx_half_t, half, op)
#else
#define SHMEMX_TYPE_HALF(X, op)
#endif
#ifdef SHMEMX_HAVE_BFLOAT16
#define SHMEMX_TYPE_BFLOAT16(X, op) X(shmemx_bfloat16_t, bfloat16, op)
#else
#define SHMEMX_TYPE_BFLOAT16(X, op)
#endif

/** The types of this header: X(type, name, op). */
#define SHMEMX_TYPES_FLOAT16(X, op) SHMEMX_TYPE_HALF(X, op) SHMEMX_TYPE_BFLOAT16(X, op)

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup float16 Floating-point types of 16 bits
 *
 *  Follows issue 559 of openshmem-org/specification.
 *
 *  For N = half and bfloat16 the calls of sections 9.6, 9.7 and 9.9 of the standard that its typed
 *  families have, with their arguments and rules, named shmemx_N_put, shmemx_ctx_N_put and so on.
 *  Those that only move data are inline functions over the calls for 16 bits, so a tool sees
 *  shmem_put16() for shmemx_half_put.
 *
 *  Reductions and scans compute each step in float and round its result to the type, to nearest,
 *  ties to even. So each step is correctly rounded, and the sum of many elements has as many
 *  roundings as members: add in float (convert first) where that is too coarse. The order is that
 * of the reductions of other types; shmemx_N_sum_reduce_reproducible has an order of its own.
 */
/** @{ */
#define SHMEMX_DECL_FOLD(T, N, op_) \
	int shmemx_##N##op_(shmem_team_t team, T *dest, const T *source, size_t nelems);
SHMEMX_TYPES_FLOAT16(SHMEMX_DECL_FOLD, _max_reduce)
SHMEMX_TYPES_FLOAT16(SHMEMX_DECL_FOLD, _min_reduce)
SHMEMX_TYPES_FLOAT16(SHMEMX_DECL_FOLD, _sum_reduce)
SHMEMX_TYPES_FLOAT16(SHMEMX_DECL_FOLD, _prod_reduce)
SHMEMX_TYPES_FLOAT16(SHMEMX_DECL_FOLD, _sum_inscan)
SHMEMX_TYPES_FLOAT16(SHMEMX_DECL_FOLD, _sum_exscan)

#ifndef SHMEMI_LIBRARY
#define SHMEMX_MOVE(T, N, call)                                                                 \
	static inline void shmemx_##N##_##call(T *dest, const T *source, size_t nelems, int pe) \
	{                                                                                       \
		shmem_##call##16(dest, source, nelems, pe);                                     \
	}                                                                                       \
	static inline void shmemx_ctx_##N##_##call(shmem_ctx_t ctx, T *dest, const T *source,   \
						   size_t nelems, int pe)                       \
	{                                                                                       \
		shmem_ctx_##call##16(ctx, dest, source, nelems, pe);                            \
	}
#define SHMEMX_MOVE_NBI(T, N, call)                                                              \
	static inline void shmemx_##N##_##call##_nbi(T *dest, const T *source, size_t nelems,    \
						     int pe)                                     \
	{                                                                                        \
		shmem_##call##16_nbi(dest, source, nelems, pe);                                  \
	}                                                                                        \
	static inline void shmemx_ctx_##N##_##call##_nbi(shmem_ctx_t ctx, T *dest,               \
							 const T *source, size_t nelems, int pe) \
	{                                                                                        \
		shmem_ctx_##call##16_nbi(ctx, dest, source, nelems, pe);                         \
	}
#define SHMEMX_STRIDE(T, N, call)                                                               \
	static inline void shmemx_##N##_##call(T *dest, const T *source, ptrdiff_t dst,         \
					       ptrdiff_t sst, size_t nelems, int pe)            \
	{                                                                                       \
		shmem_##call##16(dest, source, dst, sst, nelems, pe);                           \
	}                                                                                       \
	static inline void shmemx_ctx_##N##_##call(shmem_ctx_t ctx, T *dest, const T *source,   \
						   ptrdiff_t dst, ptrdiff_t sst, size_t nelems, \
						   int pe)                                      \
	{                                                                                       \
		shmem_ctx_##call##16(ctx, dest, source, dst, sst, nelems, pe);                  \
	}
#define SHMEMX_WORD16(T, N, op)                                                          \
	static inline void shmemx_##N##_p(T *dest, T value, int pe)                      \
	{                                                                                \
		shmem_put16(dest, &value, 1, pe);                                        \
	}                                                                                \
	static inline void shmemx_ctx_##N##_p(shmem_ctx_t ctx, T *dest, T value, int pe) \
	{                                                                                \
		shmem_ctx_put16(ctx, dest, &value, 1, pe);                               \
	}                                                                                \
	static inline T shmemx_##N##_g(const T *source, int pe)                          \
	{                                                                                \
		T value;                                                                 \
                                                                                         \
		shmem_get16(&value, source, 1, pe);                                      \
		return value;                                                            \
	}                                                                                \
	static inline T shmemx_ctx_##N##_g(shmem_ctx_t ctx, const T *source, int pe)     \
	{                                                                                \
		T value;                                                                 \
                                                                                         \
		shmem_ctx_get16(ctx, &value, source, 1, pe);                             \
		return value;                                                            \
	}
#define SHMEMX_GATHER(T, N, call)                                                            \
	static inline int shmemx_##N##_##call(shmem_team_t team, T *dest, const T *source,   \
					      size_t nelems)                                 \
	{                                                                                    \
		return shmem_uint16_##call(team, (uint16_t *)dest, (const uint16_t *)source, \
					   nelems);                                          \
	}
#define SHMEMX_SPREAD(T, N, op)                                                                 \
	static inline int shmemx_##N##_broadcast(shmem_team_t team, T *dest, const T *source,   \
						 size_t nelems, int PE_root)                    \
	{                                                                                       \
		return shmem_uint16_broadcast(team, (uint16_t *)dest, (const uint16_t *)source, \
					      nelems, PE_root);                                 \
	}                                                                                       \
	static inline int shmemx_##N##_alltoalls(shmem_team_t team, T *dest, const T *source,   \
						 ptrdiff_t dst, ptrdiff_t sst, size_t nelems)   \
	{                                                                                       \
		return shmem_uint16_alltoalls(team, (uint16_t *)dest, (const uint16_t *)source, \
					      dst, sst, nelems);                                \
	}
SHMEMX_TYPES_FLOAT16(SHMEMX_MOVE, put)
SHMEMX_TYPES_FLOAT16(SHMEMX_MOVE, get)
SHMEMX_TYPES_FLOAT16(SHMEMX_MOVE_NBI, put)
SHMEMX_TYPES_FLOAT16(SHMEMX_MOVE_NBI, get)
SHMEMX_TYPES_FLOAT16(SHMEMX_STRIDE, iput)
SHMEMX_TYPES_FLOAT16(SHMEMX_STRIDE, iget)
SHMEMX_TYPES_FLOAT16(SHMEMX_WORD16, _)
SHMEMX_TYPES_FLOAT16(SHMEMX_SPREAD, _)
SHMEMX_TYPES_FLOAT16(SHMEMX_GATHER, collect)
SHMEMX_TYPES_FLOAT16(SHMEMX_GATHER, fcollect)
SHMEMX_TYPES_FLOAT16(SHMEMX_GATHER, alltoall)
#endif
/** @} */

#ifdef __cplusplus
}
#endif
#endif /* SHMEMX_FLOAT16_H */
