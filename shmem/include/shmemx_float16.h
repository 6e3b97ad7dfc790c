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
#include "shmemx_nb.h"

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
 *  For N = half and bfloat16 the transfers, signaling puts and collectives of the standard that its
 *  typed families have, with their arguments and rules, named shmemx_N_put, shmemx_ctx_N_put and so
 *  on, and the nonblocking collectives, shmemx_N_broadcast_nb and so on. Those that only move data
 *  are inline functions over the calls for 16 bits, so a tool sees shmem_put16() for
 *  shmemx_half_put.
 *
 *  In C11 and C++ (from C++11 on), shmemx_put, shmemx_broadcast, shmemx_sum_reduce and so on take
 *  these types and all that the call of the standard takes.
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

/** The same, posted: shmemx_nb.h. */
SHMEMX_TYPES_FLOAT16(SHMEMX_DECL_COLLECT_NB, _max_reduce_nb)
SHMEMX_TYPES_FLOAT16(SHMEMX_DECL_COLLECT_NB, _min_reduce_nb)
SHMEMX_TYPES_FLOAT16(SHMEMX_DECL_COLLECT_NB, _sum_reduce_nb)
SHMEMX_TYPES_FLOAT16(SHMEMX_DECL_COLLECT_NB, _prod_reduce_nb)
SHMEMX_TYPES_FLOAT16(SHMEMX_DECL_COLLECT_NB, _sum_inscan_nb)
SHMEMX_TYPES_FLOAT16(SHMEMX_DECL_COLLECT_NB, _sum_exscan_nb)

#ifndef SHMEMI_LIBRARY
#include "shmemx_move16.h"
#endif
/** @} */

#ifdef __cplusplus
}
#endif
#endif /* SHMEMX_FLOAT16_H */
