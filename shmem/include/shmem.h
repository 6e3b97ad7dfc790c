/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/**
 * @file
 * OpenSHMEM 1.6 for C99, C11 (type-generic macros) and C++11 (overloads).
 *
 * Words used below: a *symmetric* address is that of an object in the symmetric heap or of static
 * data of the program; it names the copy of that object on the PE given. TYPE and TYPENAME stand
 * for the rows of a type table (shmem_types.h), SIZE for 8, 16, 32, 64 or 128 bits. Lengths are
 * in elements of the type, of SIZE bits, or in bytes for the `mem` forms. A call without a
 * context uses SHMEM_CTX_DEFAULT; with one, its PE numbers are those of the context's team.
 *
 * Errors: a call that is given an argument it cannot work with (PE out of range, address not
 * symmetric, invalid context) writes one line that names the call, the PE, the argument and its
 * value, and ends the job with a non-zero status. SHMEM_CHECK=1 in the environment also diagnoses
 * mistakes that the standard leaves undefined. Only calls that return a status report by it.
 *
 * pshmem.h includes the second half of this file again, for the profiling names.
 */

#ifndef SHMEM_H
#define SHMEM_H

#include <stddef.h>
#include <stdint.h>

#include "shmem_types.h"

/** @defgroup constants Constants and handles (chapter 6) */
/** @{ */
#define SHMEM_MAJOR_VERSION 1
#define SHMEM_MINOR_VERSION 6
#define SHMEM_MAX_NAME_LEN 256
#define SHMEM_VENDOR_STRING "Ringbell"
/* The standard has none such; programs written for Open MPI or OSSS ask for it. */
#define OSHMEM_SPEC_VERSION (SHMEM_MAJOR_VERSION * 10000 + SHMEM_MINOR_VERSION * 100)

#define SHMEM_THREAD_SINGLE 0
#define SHMEM_THREAD_FUNNELED 1
#define SHMEM_THREAD_SERIALIZED 2
#define SHMEM_THREAD_MULTIPLE 3

/* Opaque. The predefined handles are not addresses of objects, so they can initialise static data
 * under every code model. */
typedef struct shmem_ctx *shmem_ctx_t;
typedef struct shmem_team *shmem_team_t;

#define SHMEM_CTX_INVALID ((shmem_ctx_t)0)
#define SHMEM_CTX_DEFAULT ((shmem_ctx_t)1)

#define SHMEM_CTX_PRIVATE (1L << 0)
#define SHMEM_CTX_SERIALIZED (1L << 1)
#define SHMEM_CTX_NOSTORE (1L << 2)

#define SHMEM_CTX_SESSION_BATCH (1L << 0)
#define SHMEM_CTX_SESSION_TOTAL_OPS (1L << 0)

/** Hints of shmem_ctx_session_start(). */
typedef struct {
	size_t total_ops; /**< operations of the session; SIZE_MAX: not known */
} shmem_ctx_session_config_t;

/* Sandia OpenSHMEM had sessions before the standard did; its third hint changes nothing here. */
#define SHMEM_SESSION_BATCH SHMEM_CTX_SESSION_BATCH
#define SHMEM_SESSION_SAME_AMO 0L
#define SHMEM_SESSION_TOTAL_OPS SHMEM_CTX_SESSION_TOTAL_OPS
typedef shmem_ctx_session_config_t shmem_session_config_t;

#define SHMEM_TEAM_INVALID ((shmem_team_t)0)
#define SHMEM_TEAM_WORLD ((shmem_team_t)1)
#define SHMEM_TEAM_SHARED ((shmem_team_t)2)

#define SHMEM_TEAM_NUM_CONTEXTS (1L << 0)

/** Wishes at the creation of a team. */
typedef struct {
	int num_contexts; /**< contexts the program will create on the team */
} shmem_team_config_t;

#define SHMEM_SIGNAL_SET 0
#define SHMEM_SIGNAL_ADD 1

#define SHMEM_MALLOC_ATOMICS_REMOTE (1L << 0)
#define SHMEM_MALLOC_SIGNAL_REMOTE (1L << 1)
/* As in Sandia OpenSHMEM: all hints. */
#define SHMEM_MALLOC_MAX_HINTS (SHMEM_MALLOC_ATOMICS_REMOTE | SHMEM_MALLOC_SIGNAL_REMOTE)

#define SHMEM_CMP_EQ 1
#define SHMEM_CMP_NE 2
#define SHMEM_CMP_GT 3
#define SHMEM_CMP_GE 4
#define SHMEM_CMP_LT 5
#define SHMEM_CMP_LE 6

#define SHMEM_SYNC_VALUE 0L
#define SHMEM_BARRIER_SYNC_SIZE 64
#define SHMEM_BCAST_SYNC_SIZE 64
#define SHMEM_COLLECT_SYNC_SIZE 64
#define SHMEM_REDUCE_SYNC_SIZE 64
#define SHMEM_REDUCE_MIN_WRKDATA_SIZE 64
#define SHMEM_ALLTOALL_SYNC_SIZE 64
#define SHMEM_ALLTOALLS_SYNC_SIZE 64
#define SHMEM_SYNC_SIZE 64

/* Names of OpenSHMEM 1.0 to 1.2, deprecated since 1.3. */
#define _SHMEM_MAJOR_VERSION SHMEM_MAJOR_VERSION
#define _SHMEM_MINOR_VERSION SHMEM_MINOR_VERSION
#define _SHMEM_MAX_NAME_LEN SHMEM_MAX_NAME_LEN
#define _SHMEM_VENDOR_STRING SHMEM_VENDOR_STRING
#define _SHMEM_CMP_EQ SHMEM_CMP_EQ
#define _SHMEM_CMP_NE SHMEM_CMP_NE
#define _SHMEM_CMP_GT SHMEM_CMP_GT
#define _SHMEM_CMP_GE SHMEM_CMP_GE
#define _SHMEM_CMP_LT SHMEM_CMP_LT
#define _SHMEM_CMP_LE SHMEM_CMP_LE
#define _SHMEM_SYNC_VALUE SHMEM_SYNC_VALUE
#define _SHMEM_BARRIER_SYNC_SIZE SHMEM_BARRIER_SYNC_SIZE
#define _SHMEM_BCAST_SYNC_SIZE SHMEM_BCAST_SYNC_SIZE
#define _SHMEM_COLLECT_SYNC_SIZE SHMEM_COLLECT_SYNC_SIZE
#define _SHMEM_REDUCE_SYNC_SIZE SHMEM_REDUCE_SYNC_SIZE
#define _SHMEM_ALLTOALL_SYNC_SIZE SHMEM_ALLTOALL_SYNC_SIZE
#define _SHMEM_ALLTOALLS_SYNC_SIZE SHMEM_ALLTOALLS_SYNC_SIZE
#define _SHMEM_REDUCE_MIN_WRKDATA_SIZE SHMEM_REDUCE_MIN_WRKDATA_SIZE
/** @} */

/* Only for programs that ask for it: old ones are built with -Werror too. */
#ifdef SHMEM_NO_DEPRECATED
#define SHMEMI_DEPRECATED(instead) __attribute__((deprecated("use " instead)))
#else
#define SHMEMI_DEPRECATED(instead)
#endif
#define SHMEMI_NORETURN __attribute__((noreturn))

#define SHMEMI_PROTOTYPES
#define SHMEMI_FN(ret, name, params) ret name params
#define SHMEMI_OLD(ret, name, params, instead) ret name params SHMEMI_DEPRECATED(instead)
/* Another name of a call, which costs the library nothing. */
#define SHMEMI_SAME(name, call) extern __typeof__(call) name __asm__(#call);

/* Deprecated atomics of the types of newer ones, as peers have them: op is what follows shmem. */
#define SHMEMI_SAME_AMO(T, N, op)                                          \
	SHMEMI_SAME(shmem##op##N##_fetch, shmem_##N##_atomic_fetch)        \
	SHMEMI_SAME(shmem##op##N##_set, shmem_##N##_atomic_set)            \
	SHMEMI_SAME(shmem##op##N##_swap, shmem_##N##_atomic_swap)          \
	SHMEMI_SAME(shmem##op##N##_cswap, shmem_##N##_atomic_compare_swap) \
	SHMEMI_SAME(shmem##op##N##_fadd, shmem_##N##_atomic_fetch_add)     \
	SHMEMI_SAME(shmem##op##N##_finc, shmem_##N##_atomic_fetch_inc)     \
	SHMEMI_SAME(shmem##op##N##_add, shmem_##N##_atomic_add)            \
	SHMEMI_SAME(shmem##op##N##_inc, shmem_##N##_atomic_inc)

#endif /* SHMEM_H */

#ifdef SHMEMI_PROFILING

#define SHMEMI_PROTOTYPES
#define SHMEMI_FN(ret, name, params) ret p##name params
#define SHMEMI_OLD(ret, name, params, instead) ret p##name params

#endif

#ifdef SHMEMI_PROTOTYPES

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup setup Library setup, exit and query (section 9.1) shmem_init() and shmem_finalize()
 *  are collective. They nest: each init needs a finalize, and the last finalize completes all
 *  communication, frees everything, and lets a later init start again. A PE that ends with status 0
 *  without it is finalized at exit. After the last finalize shmem_my_pe() and shmem_n_pes() still
 *  answer, and another finalize does nothing; the standard leaves both undefined, and SHMEM_CHECK=1
 *  diagnoses them. shmem_global_exit() ends all PEs at once and may be called by any one.
 *  shmem_query_initialized() may be called at any time. The accessibility calls return 1 or 0;
 *  shmem_ptr() and shmem_team_ptr() return an address for loads and stores, or NULL where the PE is
 *  not on this host. */
/** @{ */
SHMEMI_FN(void, shmem_init, (void));
SHMEMI_FN(void, shmem_finalize, (void));
SHMEMI_FN(void, shmem_query_initialized, (int *initialized));
SHMEMI_FN(SHMEMI_NORETURN void, shmem_global_exit, (int status));
SHMEMI_FN(int, shmem_my_pe, (void));
SHMEMI_FN(int, shmem_n_pes, (void));
SHMEMI_FN(int, shmem_pe_accessible, (int pe));
SHMEMI_FN(int, shmem_addr_accessible, (const void *addr, int pe));
SHMEMI_FN(void *, shmem_ptr, (const void *dest, int pe));
SHMEMI_FN(void *, shmem_team_ptr, (shmem_team_t team, const void *dest, int pe));
SHMEMI_FN(void, shmem_info_get_version, (int *major, int *minor));
SHMEMI_FN(void, shmem_info_get_name, (char *name));
/** @} */

/** @defgroup threads Thread support (section 9.2)
 *
 * shmem_init_thread() returns 0, or non-zero when the library could not be set up. Every level is
 * granted as requested; a nested call gets the level in force.
 */
/** @{ */
SHMEMI_FN(int, shmem_init_thread, (int requested, int *provided));
SHMEMI_FN(void, shmem_query_thread, (int *provided));
/** @} */

/** @defgroup memory Memory management (section 9.3)
 *
 * Collective over all PEs, with the same arguments in the same order. Sizes are in bytes. They
 * return NULL on all PEs where the symmetric heap (SHMEM_SYMMETRIC_SIZE) is full or the size is 0.
 * Blocks are aligned for any object. A barrier of all PEs ends the calls that allocate and begins
 * those that free; calls with size 0 or a NULL pointer have none.
 */
/** @{ */
SHMEMI_FN(void *, shmem_malloc, (size_t size));
SHMEMI_FN(void *, shmem_calloc, (size_t count, size_t size));
/** @param alignment a power of two and multiple of sizeof(void *). Any that has a multiple inside
 *  of the heap will do; on memory of real adapters at most 2 MiB. @return NULL else, on all PEs */
SHMEMI_FN(void *, shmem_align, (size_t alignment, size_t size));
SHMEMI_FN(void *, shmem_realloc, (void *ptr, size_t size));
SHMEMI_FN(void *, shmem_malloc_with_hints, (size_t size, long hints));
SHMEMI_FN(void, shmem_free, (void *ptr));
/** @} */

/** @defgroup teams Team management (section 9.4)
 *
 * The splits are collective over the parent; PEs outside of the new team get SHMEM_TEAM_INVALID.
 * They return 0, or non-zero on all members of the parent. The queries return -1 for
 * SHMEM_TEAM_INVALID and for a PE that is not in the team.
 */
/** @{ */
SHMEMI_FN(int, shmem_team_my_pe, (shmem_team_t team));
SHMEMI_FN(int, shmem_team_n_pes, (shmem_team_t team));
SHMEMI_FN(int, shmem_team_get_config,
	  (shmem_team_t team, long config_mask, shmem_team_config_t *config));
SHMEMI_FN(int, shmem_team_translate_pe,
	  (shmem_team_t src_team, int src_pe, shmem_team_t dest_team));
SHMEMI_FN(int, shmem_team_split_strided,
	  (shmem_team_t parent_team, int start, int stride, int size,
	   const shmem_team_config_t *config, long config_mask, shmem_team_t *new_team));
SHMEMI_FN(int, shmem_team_split_2d,
	  (shmem_team_t parent_team, int xrange, const shmem_team_config_t *xaxis_config,
	   long xaxis_mask, shmem_team_t *xaxis_team, const shmem_team_config_t *yaxis_config,
	   long yaxis_mask, shmem_team_t *yaxis_team));
SHMEMI_FN(void, shmem_team_destroy, (shmem_team_t team));
/** @} */

/** @defgroup contexts Communication management (section 9.5) A context is an ordering and
 *  completion domain. Creation is local and returns non-zero, with SHMEM_CTX_INVALID, if there is
 *  no context to be had. Destruction completes what is outstanding. Sessions are hints: they change
 *  neither ordering nor completion. */
/** @{ */
SHMEMI_FN(int, shmem_ctx_create, (long options, shmem_ctx_t *ctx));
SHMEMI_FN(int, shmem_team_create_ctx, (shmem_team_t team, long options, shmem_ctx_t *ctx));
SHMEMI_FN(void, shmem_ctx_destroy, (shmem_ctx_t ctx));
SHMEMI_FN(int, shmem_ctx_get_team, (shmem_ctx_t ctx, shmem_team_t *team));
SHMEMI_FN(void, shmem_ctx_session_start,
	  (shmem_ctx_t ctx, long options, const shmem_ctx_session_config_t *config,
	   long config_mask));
SHMEMI_FN(void, shmem_ctx_session_stop, (shmem_ctx_t ctx));
/** @} */

/* A shape is the prototype of a typed call, for the default context and for a given one. The
 * tables of shmem_types.h call it for each of their rows. */

#define SHMEMI_DECL_COPY(T, N, op)                                                          \
	SHMEMI_FN(void, shmem_##N##op, (T * dest, const T *source, size_t nelems, int pe)); \
	SHMEMI_FN(void, shmem_ctx_##N##op,                                                  \
		  (shmem_ctx_t ctx, T * dest, const T *source, size_t nelems, int pe));
#define SHMEMI_DECL_P(T, N, op)                                      \
	SHMEMI_FN(void, shmem_##N##op, (T * dest, T value, int pe)); \
	SHMEMI_FN(void, shmem_ctx_##N##op, (shmem_ctx_t ctx, T * dest, T value, int pe));
#define SHMEMI_DECL_G(T, N, op)                                 \
	SHMEMI_FN(T, shmem_##N##op, (const T *source, int pe)); \
	SHMEMI_FN(T, shmem_ctx_##N##op, (shmem_ctx_t ctx, const T *source, int pe));
#define SHMEMI_DECL_COPY_SIZED(bits, op)                                                           \
	SHMEMI_FN(void, shmem##op##bits, (void *dest, const void *source, size_t nelems, int pe)); \
	SHMEMI_FN(void, shmem_ctx##op##bits,                                                       \
		  (shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe));       \
	SHMEMI_FN(void, shmem##op##bits##_nbi,                                                     \
		  (void *dest, const void *source, size_t nelems, int pe));                        \
	SHMEMI_FN(void, shmem_ctx##op##bits##_nbi,                                                 \
		  (shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe));

/** @defgroup rma Remote memory access (section 9.6)
 *
 * put copies nelems elements from the local source to the symmetric dest on PE pe and returns
 * when source may be reused; get copies from the symmetric source on PE pe to the local dest and
 * returns when dest holds them. p and g do that for one value. The remote address must be
 * symmetric; the local one may be any. shmem_putmem() and shmem_getmem() count bytes.
 */
/** @{ */
SHMEMI_TYPES_RMA(SHMEMI_DECL_COPY, _put)
SHMEMI_TYPES_RMA(SHMEMI_DECL_COPY, _get)
SHMEMI_TYPES_RMA(SHMEMI_DECL_P, _p)
SHMEMI_TYPES_RMA(SHMEMI_DECL_G, _g)
SHMEMI_SIZES(SHMEMI_DECL_COPY_SIZED, _put)
SHMEMI_SIZES(SHMEMI_DECL_COPY_SIZED, _get)
SHMEMI_FN(void, shmem_putmem, (void *dest, const void *source, size_t nelems, int pe));
SHMEMI_FN(void, shmem_ctx_putmem,
	  (shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe));
SHMEMI_FN(void, shmem_getmem, (void *dest, const void *source, size_t nelems, int pe));
SHMEMI_FN(void, shmem_ctx_getmem,
	  (shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe));
/** @} */

/** @defgroup nbi Non-blocking remote memory access (section 9.7)
 *
 * As above, but the call may return at once: source and dest are in use until the next
 * shmem_quiet() on the same context.
 */
/** @{ */
SHMEMI_TYPES_RMA(SHMEMI_DECL_COPY, _put_nbi)
SHMEMI_TYPES_RMA(SHMEMI_DECL_COPY, _get_nbi)
SHMEMI_FN(void, shmem_putmem_nbi, (void *dest, const void *source, size_t nelems, int pe));
SHMEMI_FN(void, shmem_ctx_putmem_nbi,
	  (shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe));
SHMEMI_FN(void, shmem_getmem_nbi, (void *dest, const void *source, size_t nelems, int pe));
SHMEMI_FN(void, shmem_ctx_getmem_nbi,
	  (shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe));
/** @} */

#define SHMEMI_DECL_STRIDED(T, N, op)                                                              \
	SHMEMI_FN(                                                                                 \
		void, shmem_##N##op,                                                               \
		(T * dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)); \
	SHMEMI_FN(void, shmem_ctx_##N##op,                                                         \
		  (shmem_ctx_t ctx, T * dest, const T *source, ptrdiff_t dst, ptrdiff_t sst,       \
		   size_t nelems, int pe));
#define SHMEMI_DECL_STRIDED_SIZED(bits, op)                                                       \
	SHMEMI_FN(void, shmem##op##bits,                                                          \
		  (void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems,   \
		   int pe));                                                                      \
	SHMEMI_FN(void, shmem_ctx##op##bits,                                                      \
		  (shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, \
		   size_t nelems, int pe));
#define SHMEMI_DECL_BLOCKED(T, N, op)                                                        \
	SHMEMI_FN(void, shmem_##N##op,                                                       \
		  (T * dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize,    \
		   size_t nblocks, int pe));                                                 \
	SHMEMI_FN(void, shmem_ctx_##N##op,                                                   \
		  (shmem_ctx_t ctx, T * dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, \
		   size_t bsize, size_t nblocks, int pe));
#define SHMEMI_DECL_BLOCKED_SIZED(bits, op)                                                       \
	SHMEMI_FN(void, shmem##op##bits,                                                          \
		  (void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize,    \
		   size_t nblocks, int pe));                                                      \
	SHMEMI_FN(void, shmem_ctx##op##bits,                                                      \
		  (shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, \
		   size_t bsize, size_t nblocks, int pe));

/** @defgroup strided Strided remote memory access (section 9.6)
 *
 * iput and iget move nelems elements, dst elements apart at dest and sst apart at source, both at
 * least 1. ibput and ibget move nblocks blocks of bsize elements; dst and sst count elements from
 * the start of a block to that of the next, and are at least bsize.
 */
/** @{ */
SHMEMI_TYPES_RMA(SHMEMI_DECL_STRIDED, _iput)
SHMEMI_TYPES_RMA(SHMEMI_DECL_STRIDED, _iget)
SHMEMI_SIZES(SHMEMI_DECL_STRIDED_SIZED, _iput)
SHMEMI_SIZES(SHMEMI_DECL_STRIDED_SIZED, _iget)
SHMEMI_TYPES_RMA(SHMEMI_DECL_BLOCKED, _ibput)
SHMEMI_TYPES_RMA(SHMEMI_DECL_BLOCKED, _ibget)
SHMEMI_SIZES(SHMEMI_DECL_BLOCKED_SIZED, _ibput)
SHMEMI_SIZES(SHMEMI_DECL_BLOCKED_SIZED, _ibget)
/** @} */

#define SHMEMI_DECL_INC(T, N, op)                           \
	SHMEMI_FN(void, shmem_##N##op, (T * dest, int pe)); \
	SHMEMI_FN(void, shmem_ctx_##N##op, (shmem_ctx_t ctx, T * dest, int pe));
#define SHMEMI_DECL_FINC(T, N, op)                       \
	SHMEMI_FN(T, shmem_##N##op, (T * dest, int pe)); \
	SHMEMI_FN(T, shmem_ctx_##N##op, (shmem_ctx_t ctx, T * dest, int pe));
#define SHMEMI_DECL_FOP(T, N, op)                                 \
	SHMEMI_FN(T, shmem_##N##op, (T * dest, T value, int pe)); \
	SHMEMI_FN(T, shmem_ctx_##N##op, (shmem_ctx_t ctx, T * dest, T value, int pe));
#define SHMEMI_DECL_CSWAP(T, N, op)                                       \
	SHMEMI_FN(T, shmem_##N##op, (T * dest, T cond, T value, int pe)); \
	SHMEMI_FN(T, shmem_ctx_##N##op, (shmem_ctx_t ctx, T * dest, T cond, T value, int pe));

/** @defgroup amo Atomic memory operations (section 9.8)
 *
 * Each acts on one aligned symmetric word of PE pe. fetch, swap, compare_swap and fetch_OP return
 * its old value; the others return once issued and are complete after shmem_quiet(). Arithmetic
 * wraps. compare_swap stores value where the word equals cond. float and double are moved bit by
 * bit. Atomicity holds among atomics of the same type and the point-to-point synchronisation.
 */
/** @{ */
SHMEMI_TYPES_AMO_EXT(SHMEMI_DECL_G, _atomic_fetch)
SHMEMI_TYPES_AMO_EXT(SHMEMI_DECL_P, _atomic_set)
SHMEMI_TYPES_AMO_EXT(SHMEMI_DECL_FOP, _atomic_swap)
SHMEMI_TYPES_AMO(SHMEMI_DECL_CSWAP, _atomic_compare_swap)
SHMEMI_TYPES_AMO(SHMEMI_DECL_FINC, _atomic_fetch_inc)
SHMEMI_TYPES_AMO(SHMEMI_DECL_INC, _atomic_inc)
SHMEMI_TYPES_AMO(SHMEMI_DECL_FOP, _atomic_fetch_add)
SHMEMI_TYPES_AMO(SHMEMI_DECL_P, _atomic_add)
SHMEMI_TYPES_AMO_BIT(SHMEMI_DECL_FOP, _atomic_fetch_and)
SHMEMI_TYPES_AMO_BIT(SHMEMI_DECL_P, _atomic_and)
SHMEMI_TYPES_AMO_BIT(SHMEMI_DECL_FOP, _atomic_fetch_or)
SHMEMI_TYPES_AMO_BIT(SHMEMI_DECL_P, _atomic_or)
SHMEMI_TYPES_AMO_BIT(SHMEMI_DECL_FOP, _atomic_fetch_xor)
SHMEMI_TYPES_AMO_BIT(SHMEMI_DECL_P, _atomic_xor)
/** @} */

#define SHMEMI_DECL_FETCH_NBI(T, N, op)                                       \
	SHMEMI_FN(void, shmem_##N##op, (T * fetch, const T *source, int pe)); \
	SHMEMI_FN(void, shmem_ctx_##N##op, (shmem_ctx_t ctx, T * fetch, const T *source, int pe));
#define SHMEMI_DECL_FINC_NBI(T, N, op)                                 \
	SHMEMI_FN(void, shmem_##N##op, (T * fetch, T * dest, int pe)); \
	SHMEMI_FN(void, shmem_ctx_##N##op, (shmem_ctx_t ctx, T * fetch, T * dest, int pe));
#define SHMEMI_DECL_FOP_NBI(T, N, op)                                           \
	SHMEMI_FN(void, shmem_##N##op, (T * fetch, T * dest, T value, int pe)); \
	SHMEMI_FN(void, shmem_ctx_##N##op, (shmem_ctx_t ctx, T * fetch, T * dest, T value, int pe));
#define SHMEMI_DECL_CSWAP_NBI(T, N, op)                                                 \
	SHMEMI_FN(void, shmem_##N##op, (T * fetch, T * dest, T cond, T value, int pe)); \
	SHMEMI_FN(void, shmem_ctx_##N##op,                                              \
		  (shmem_ctx_t ctx, T * fetch, T * dest, T cond, T value, int pe));

/** @defgroup amo_nbi Non-blocking atomic memory operations (section 9.8)
 *
 * The old value is in *fetch after the next shmem_quiet() on the same context.
 */
/** @{ */
SHMEMI_TYPES_AMO_EXT(SHMEMI_DECL_FETCH_NBI, _atomic_fetch_nbi)
SHMEMI_TYPES_AMO_EXT(SHMEMI_DECL_FOP_NBI, _atomic_swap_nbi)
SHMEMI_TYPES_AMO(SHMEMI_DECL_CSWAP_NBI, _atomic_compare_swap_nbi)
SHMEMI_TYPES_AMO(SHMEMI_DECL_FINC_NBI, _atomic_fetch_inc_nbi)
SHMEMI_TYPES_AMO(SHMEMI_DECL_FOP_NBI, _atomic_fetch_add_nbi)
SHMEMI_TYPES_AMO_BIT(SHMEMI_DECL_FOP_NBI, _atomic_fetch_and_nbi)
SHMEMI_TYPES_AMO_BIT(SHMEMI_DECL_FOP_NBI, _atomic_fetch_or_nbi)
SHMEMI_TYPES_AMO_BIT(SHMEMI_DECL_FOP_NBI, _atomic_fetch_xor_nbi)
/** @} */

#define SHMEMI_DECL_PUT_SIGNAL(T, N, op)                                                          \
	SHMEMI_FN(void, shmem_##N##op,                                                            \
		  (T * dest, const T *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, \
		   int sig_op, int pe));                                                          \
	SHMEMI_FN(void, shmem_ctx_##N##op,                                                        \
		  (shmem_ctx_t ctx, T * dest, const T *source, size_t nelems, uint64_t *sig_addr, \
		   uint64_t signal, int sig_op, int pe));
#define SHMEMI_DECL_PUT_SIGNAL_SIZED(bits, op)                                        \
	SHMEMI_FN(void, shmem_put##bits##op,                                          \
		  (void *dest, const void *source, size_t nelems, uint64_t *sig_addr, \
		   uint64_t signal, int sig_op, int pe));                             \
	SHMEMI_FN(void, shmem_ctx_put##bits##op,                                      \
		  (shmem_ctx_t ctx, void *dest, const void *source, size_t nelems,    \
		   uint64_t *sig_addr, uint64_t signal, int sig_op, int pe));

/** @defgroup signal Signaling operations (section 9.9)
 *
 * put_signal is a put that updates the aligned symmetric word sig_addr of PE pe with signal, by
 * SHMEM_SIGNAL_SET or SHMEM_SIGNAL_ADD, once its data is there; also when nelems is 0. signal_add
 * and signal_set update the word alone. signal_fetch reads this PE's own copy.
 */
/** @{ */
SHMEMI_TYPES_RMA(SHMEMI_DECL_PUT_SIGNAL, _put_signal)
SHMEMI_TYPES_RMA(SHMEMI_DECL_PUT_SIGNAL, _put_signal_nbi)
SHMEMI_SIZES(SHMEMI_DECL_PUT_SIGNAL_SIZED, _signal)
SHMEMI_SIZES(SHMEMI_DECL_PUT_SIGNAL_SIZED, _signal_nbi)
SHMEMI_FN(void, shmem_putmem_signal,
	  (void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal,
	   int sig_op, int pe));
SHMEMI_FN(void, shmem_ctx_putmem_signal,
	  (shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, uint64_t *sig_addr,
	   uint64_t signal, int sig_op, int pe));
SHMEMI_FN(void, shmem_putmem_signal_nbi,
	  (void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal,
	   int sig_op, int pe));
SHMEMI_FN(void, shmem_ctx_putmem_signal_nbi,
	  (shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, uint64_t *sig_addr,
	   uint64_t signal, int sig_op, int pe));
SHMEMI_FN(void, shmem_signal_add, (uint64_t * sig_addr, uint64_t signal, int pe));
SHMEMI_FN(void, shmem_ctx_signal_add,
	  (shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal, int pe));
SHMEMI_FN(void, shmem_signal_set, (uint64_t * sig_addr, uint64_t signal, int pe));
SHMEMI_FN(void, shmem_ctx_signal_set,
	  (shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal, int pe));
SHMEMI_FN(uint64_t, shmem_signal_fetch, (const uint64_t *sig_addr));
/** @} */

#define SHMEMI_DECL_COLL(T, N, op)    \
	SHMEMI_FN(int, shmem_##N##op, \
		  (shmem_team_t team, T * dest, const T *source, size_t nelems));
#define SHMEMI_DECL_ALLTOALLS(T, N, op)                                                        \
	SHMEMI_FN(int, shmem_##N##op,                                                          \
		  (shmem_team_t team, T * dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, \
		   size_t nelems));
#define SHMEMI_DECL_BROADCAST(T, N, op) \
	SHMEMI_FN(int, shmem_##N##op,   \
		  (shmem_team_t team, T * dest, const T *source, size_t nelems, int PE_root));

/** @defgroup coll Collective operations (section 9.10) Called by all members of the team, with the
 *  same arguments but for the nelems of collect. dest and source are symmetric. They return 0, or
 *  non-zero for SHMEM_TEAM_INVALID. Sync is arrival only; shmem_barrier_all() completes the
 *  operations of the default context as well. Shapes, for a team of n: broadcast copies nelems
 *  elements of the root to all members, the root included. collect and fcollect join the source
 *  blocks in team order. alltoall sends block j of source to member j; alltoalls the same with
 *  strides dst and sst, in elements. */
/** @{ */
SHMEMI_FN(void, shmem_barrier_all, (void));
SHMEMI_FN(void, shmem_sync_all, (void));
SHMEMI_FN(int, shmem_team_sync, (shmem_team_t team));
SHMEMI_TYPES_RMA(SHMEMI_DECL_BROADCAST, _broadcast)
SHMEMI_TYPES_RMA(SHMEMI_DECL_COLL, _collect)
SHMEMI_TYPES_RMA(SHMEMI_DECL_COLL, _fcollect)
SHMEMI_TYPES_RMA(SHMEMI_DECL_COLL, _alltoall)
SHMEMI_TYPES_RMA(SHMEMI_DECL_ALLTOALLS, _alltoalls)
SHMEMI_FN(int, shmem_broadcastmem,
	  (shmem_team_t team, void *dest, const void *source, size_t nelems, int PE_root));
SHMEMI_FN(int, shmem_collectmem,
	  (shmem_team_t team, void *dest, const void *source, size_t nelems));
SHMEMI_FN(int, shmem_fcollectmem,
	  (shmem_team_t team, void *dest, const void *source, size_t nelems));
SHMEMI_FN(int, shmem_alltoallmem,
	  (shmem_team_t team, void *dest, const void *source, size_t nelems));
SHMEMI_FN(int, shmem_alltoallsmem,
	  (shmem_team_t team, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst,
	   size_t nelems));
/** @} */

/** @defgroup reduce Reductions and scans (section 9.10)
 *
 * Element i of dest becomes the reduction of the elements i of all sources; every member gets the
 * same bits. sum_inscan sums over the members up to this one, sum_exscan over those before it.
 * source and dest may be the same.
 */
/** @{ */
SHMEMI_TYPES_REDUCE_BIT(SHMEMI_DECL_COLL, _and_reduce)
SHMEMI_TYPES_REDUCE_BIT(SHMEMI_DECL_COLL, _or_reduce)
SHMEMI_TYPES_REDUCE_BIT(SHMEMI_DECL_COLL, _xor_reduce)
SHMEMI_TYPES_REDUCE_ORD(SHMEMI_DECL_COLL, _max_reduce)
SHMEMI_TYPES_REDUCE_ORD(SHMEMI_DECL_COLL, _min_reduce)
SHMEMI_TYPES_REDUCE_ARITH(SHMEMI_DECL_COLL, _sum_reduce)
SHMEMI_TYPES_REDUCE_ARITH(SHMEMI_DECL_COLL, _prod_reduce)
SHMEMI_TYPES_REDUCE_ARITH(SHMEMI_DECL_COLL, _sum_inscan)
SHMEMI_TYPES_REDUCE_ARITH(SHMEMI_DECL_COLL, _sum_exscan)
/** @} */

#define SHMEMI_DECL_SYNC_ONE(T, N, op, ret) \
	SHMEMI_FN(ret, shmem_##N##op, (T * ivar, int cmp, T cmp_value));
#define SHMEMI_DECL_SYNC_ALL(T, N, op, ret)                                             \
	SHMEMI_FN(ret, shmem_##N##op##_all,                                             \
		  (T * ivars, size_t nelems, const int *status, int cmp, T cmp_value)); \
	SHMEMI_FN(ret, shmem_##N##op##_all_vector,                                      \
		  (T * ivars, size_t nelems, const int *status, int cmp, const T *cmp_values));
#define SHMEMI_DECL_SYNC_ANY(T, N, op)                                                          \
	SHMEMI_FN(size_t, shmem_##N##op##_any,                                                  \
		  (T * ivars, size_t nelems, const int *status, int cmp, T cmp_value));         \
	SHMEMI_FN(size_t, shmem_##N##op##_any_vector,                                           \
		  (T * ivars, size_t nelems, const int *status, int cmp, const T *cmp_values)); \
	SHMEMI_FN(size_t, shmem_##N##op##_some,                                                 \
		  (T * ivars, size_t nelems, size_t * indices, const int *status, int cmp,      \
		   T cmp_value));                                                               \
	SHMEMI_FN(size_t, shmem_##N##op##_some_vector,                                          \
		  (T * ivars, size_t nelems, size_t * indices, const int *status, int cmp,      \
		   const T *cmp_values));
#define SHMEMI_DECL_WAIT(T, N, op) SHMEMI_DECL_SYNC_ONE(T, N, op, void)
#define SHMEMI_DECL_TEST(T, N, op) SHMEMI_DECL_SYNC_ONE(T, N, op, int)
#define SHMEMI_DECL_WAIT_ALL(T, N, op) SHMEMI_DECL_SYNC_ALL(T, N, op, void)
#define SHMEMI_DECL_TEST_ALL(T, N, op) SHMEMI_DECL_SYNC_ALL(T, N, op, int)

/** @defgroup sync Point-to-point synchronisation (section 9.11) Compare this PE's own symmetric
 *  words, which remote atomics and signals change, with a value, by SHMEM_CMP_EQ and so on.
 *  wait_until blocks, test returns at once. status selects elements: non-zero ones are left out,
 *  NULL is none. all: 1 when every element satisfies the comparison, also when there is none. any:
 *  the index of one that does, SIZE_MAX when there are no elements or, for test, when none does.
 *  some: the number of those that do, their indices in indices. The vector forms have a value for
 *  each element. Those of short and unsigned short are an extension, for programs that use the
 *  generic calls with all types of wait_until. */
/** @{ */
SHMEMI_TYPES_AMO(SHMEMI_DECL_WAIT, _wait_until)
SHMEMI_TYPES_SYNC_SET(SHMEMI_DECL_WAIT_ALL, _wait_until)
SHMEMI_TYPES_SYNC_SET(SHMEMI_DECL_SYNC_ANY, _wait_until)
SHMEMI_TYPES_AMO(SHMEMI_DECL_TEST, _test)
SHMEMI_TYPES_SYNC_SET(SHMEMI_DECL_TEST_ALL, _test)
SHMEMI_TYPES_SYNC_SET(SHMEMI_DECL_SYNC_ANY, _test)
SHMEMI_FN(uint64_t, shmem_signal_wait_until, (uint64_t * sig_addr, int cmp, uint64_t cmp_value));
/** @} */

/** @defgroup order Memory ordering (section 9.12)
 *
 * fence orders, per target PE, the operations that this context issues before and after it. quiet
 * completes all of them everywhere; pe_quiet does so for npes target PEs. No-ops on
 * SHMEM_CTX_INVALID.
 */
/** @{ */
SHMEMI_FN(void, shmem_fence, (void));
SHMEMI_FN(void, shmem_ctx_fence, (shmem_ctx_t ctx));
SHMEMI_FN(void, shmem_quiet, (void));
SHMEMI_FN(void, shmem_ctx_quiet, (shmem_ctx_t ctx));
SHMEMI_FN(void, shmem_pe_quiet, (const int *target_pes, size_t npes));
SHMEMI_FN(void, shmem_ctx_pe_quiet, (shmem_ctx_t ctx, const int *target_pes, size_t npes));
/** @} */

/** @defgroup locks Distributed locks (section 9.13)
 *
 * lock is a symmetric long, zero before first use; PEs get it first come, first served.
 * shmem_test_lock() returns 0 when it took the lock and 1 when another PE holds it.
 */
/** @{ */
SHMEMI_FN(void, shmem_set_lock, (long *lock));
SHMEMI_FN(void, shmem_clear_lock, (long *lock));
SHMEMI_FN(int, shmem_test_lock, (long *lock));
/** @} */

/** @defgroup profiling Profiling interface (chapter 10)
 *
 * For tools: level 0 disables, 1 enables, 2 flushes. The library itself collects nothing.
 */
/** @{ */
SHMEMI_FN(void, shmem_pcontrol, (int level, ...));
/** @} */

#define SHMEMI_OLD_G(T, N, op) \
	SHMEMI_OLD(T, shmem_##N##op, (const T *source, int pe), "shmem_" #N "_atomic" #op);
#define SHMEMI_OLD_P(T, N, op) \
	SHMEMI_OLD(void, shmem_##N##op, (T * dest, T value, int pe), "shmem_" #N "_atomic" #op);
#define SHMEMI_OLD_SWAP(T, N, op) \
	SHMEMI_OLD(T, shmem_##N##op, (T * dest, T value, int pe), "shmem_" #N "_atomic" #op);
#define SHMEMI_OLD_AMO(T, N, op)                                                              \
	SHMEMI_OLD(T, shmem_##N##_cswap, (T * dest, T cond, T value, int pe),                 \
		   "shmem_" #N "_atomic_compare_swap");                                       \
	SHMEMI_OLD(T, shmem_##N##_finc, (T * dest, int pe), "shmem_" #N "_atomic_fetch_inc"); \
	SHMEMI_OLD(void, shmem_##N##_inc, (T * dest, int pe), "shmem_" #N "_atomic_inc");     \
	SHMEMI_OLD(T, shmem_##N##_fadd, (T * dest, T value, int pe),                          \
		   "shmem_" #N "_atomic_fetch_add");
#define SHMEMI_OLD_SYNC(T, N, op)                                                  \
	SHMEMI_OLD(void, shmem_##N##_wait_until, (T * ivar, int cmp, T cmp_value), \
		   "a type that has atomics");                                     \
	SHMEMI_OLD(int, shmem_##N##_test, (T * ivar, int cmp, T cmp_value),        \
		   "a type that has atomics");
#define SHMEMI_OLD_WAIT(T, N, op)                                \
	SHMEMI_OLD(void, shmem_##N##op, (T * ivar, T cmp_value), \
		   "shmem_" #N "_wait_until with SHMEM_CMP_NE");
#define SHMEMI_OLD_COLL(name, instead)                                                             \
	SHMEMI_OLD(void, name,                                                                     \
		   (void *dest, const void *source, size_t nelems, int PE_start, int logPE_stride, \
		    int PE_size, long *pSync),                                                     \
		   instead);
#define SHMEMI_OLD_ALLTOALLS(name)                                                               \
	SHMEMI_OLD(void, name,                                                                   \
		   (void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, \
		    int PE_start, int logPE_stride, int PE_size, long *pSync),                   \
		   "shmem_alltoallsmem");
#define SHMEMI_OLD_BROADCAST(name)                                                            \
	SHMEMI_OLD(void, name,                                                                \
		   (void *dest, const void *source, size_t nelems, int PE_root, int PE_start, \
		    int logPE_stride, int PE_size, long *pSync),                              \
		   "shmem_broadcastmem");
#define SHMEMI_OLD_REDUCE(T, N, op)                                                         \
	SHMEMI_OLD(void, shmem_##N##op##_to_all,                                            \
		   (T * dest, const T *source, int nreduce, int PE_start, int logPE_stride, \
		    int PE_size, T *pWrk, long *pSync),                                     \
		   "a team reduction");

/** @defgroup deprecated Deprecated names (annex F)
 *
 * The active-set collectives act on PEs PE_start + i * 2^logPE_stride, i in 0..PE_size-1, and
 * need a symmetric pSync of the size for the call, filled with SHMEM_SYNC_VALUE on all of them.
 */
/** @{ */
SHMEMI_TYPES_OLD_AMO_EXT(SHMEMI_OLD_G, _fetch)
SHMEMI_TYPES_OLD_AMO_EXT(SHMEMI_OLD_P, _set)
SHMEMI_TYPES_OLD_AMO_EXT(SHMEMI_OLD_SWAP, _swap)
SHMEMI_TYPES_OLD_AMO(SHMEMI_OLD_AMO, _amo)
SHMEMI_TYPES_OLD_AMO(SHMEMI_OLD_P, _add)
SHMEMI_TYPES_OLD_SYNC(SHMEMI_OLD_SYNC, _sync)
SHMEMI_TYPES_OLD_WAIT(SHMEMI_OLD_WAIT, _wait)
SHMEMI_OLD(void, shmem_wait, (long *ivar, long cmp_value), "shmem_long_wait_until");
#ifdef __cplusplus
/* Here it is an overload of the generic shmem_wait_until, which is current. */
SHMEMI_FN(void, shmem_wait_until, (long *ivar, int cmp, long cmp_value));
#else
SHMEMI_OLD(void, shmem_wait_until, (long *ivar, int cmp, long cmp_value), "shmem_long_wait_until");
#endif
SHMEMI_OLD(void, shmem_barrier, (int PE_start, int logPE_stride, int PE_size, long *pSync),
	   "shmem_quiet and shmem_team_sync");
SHMEMI_OLD(void, shmem_sync, (int PE_start, int logPE_stride, int PE_size, long *pSync),
	   "shmem_team_sync");
SHMEMI_OLD_BROADCAST(shmem_broadcast32)
SHMEMI_OLD_BROADCAST(shmem_broadcast64)
SHMEMI_OLD_COLL(shmem_collect32, "shmem_collectmem")
SHMEMI_OLD_COLL(shmem_collect64, "shmem_collectmem")
SHMEMI_OLD_COLL(shmem_fcollect32, "shmem_fcollectmem")
SHMEMI_OLD_COLL(shmem_fcollect64, "shmem_fcollectmem")
SHMEMI_OLD_COLL(shmem_alltoall32, "shmem_alltoallmem")
SHMEMI_OLD_COLL(shmem_alltoall64, "shmem_alltoallmem")
SHMEMI_OLD_ALLTOALLS(shmem_alltoalls32)
SHMEMI_OLD_ALLTOALLS(shmem_alltoalls64)
SHMEMI_TYPES_ASET_BIT(SHMEMI_OLD_REDUCE, _and)
SHMEMI_TYPES_ASET_BIT(SHMEMI_OLD_REDUCE, _or)
SHMEMI_TYPES_ASET_BIT(SHMEMI_OLD_REDUCE, _xor)
SHMEMI_TYPES_ASET_ORD(SHMEMI_OLD_REDUCE, _max)
SHMEMI_TYPES_ASET_ORD(SHMEMI_OLD_REDUCE, _min)
SHMEMI_TYPES_ASET_ARITH(SHMEMI_OLD_REDUCE, _sum)
SHMEMI_TYPES_ASET_ARITH(SHMEMI_OLD_REDUCE, _prod)

/* Deprecated since OpenSHMEM 1.3. Caches are coherent: they do nothing. */
#define SHMEMI_OLD_CACHE(name, params)                                                \
	SHMEMI_OLD(static inline void, name, params, "nothing: caches are coherent"); \
	SHMEMI_FN(static inline void, name, params)                                   \
	{                                                                             \
	}
SHMEMI_OLD_CACHE(shmem_set_cache_inv, (void))
SHMEMI_OLD_CACHE(shmem_clear_cache_inv, (void))
SHMEMI_OLD_CACHE(shmem_udcflush, (void))
SHMEMI_OLD_CACHE(shmem_set_cache_line_inv, (void *dest __attribute__((unused))))
SHMEMI_OLD_CACHE(shmem_clear_cache_line_inv, (void *dest __attribute__((unused))))
SHMEMI_OLD_CACHE(shmem_udcflush_line, (void *dest __attribute__((unused))))

SHMEMI_TYPES_NEW_AMO(SHMEMI_SAME_AMO, _)
SHMEMI_SAME(shmem_session_start, shmem_ctx_session_start)
SHMEMI_SAME(shmem_session_stop, shmem_ctx_session_stop)
/** @} */

#ifndef SHMEMI_PROFILING
void start_pes(int npes) SHMEMI_DEPRECATED("shmem_init");
int _my_pe(void) SHMEMI_DEPRECATED("shmem_my_pe");
int _num_pes(void) SHMEMI_DEPRECATED("shmem_n_pes");
void *shmalloc(size_t size) SHMEMI_DEPRECATED("shmem_malloc");
void shfree(void *ptr) SHMEMI_DEPRECATED("shmem_free");
void *shrealloc(void *ptr, size_t size) SHMEMI_DEPRECATED("shmem_realloc");
void *shmemalign(size_t alignment, size_t size) SHMEMI_DEPRECATED("shmem_align");
#endif

#ifdef __cplusplus
}
#endif

#undef SHMEMI_FN
#undef SHMEMI_OLD
#undef SHMEMI_PROTOTYPES

#ifndef SHMEMI_PROFILING
#ifdef SHMEMX_INLINE
#include "shmem_inline.h"
#endif
#include "shmem_generic.h"
#endif

#endif /* SHMEMI_PROTOTYPES */
