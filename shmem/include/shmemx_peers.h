/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SHMEMX_PEERS_H
#define SHMEMX_PEERS_H

/**
 * @file
 * Part of shmemx.h: names that Sandia OpenSHMEM and Open MPI declare beyond the standard. A name of
 * which the standard has the same call by now is another name of that call, which costs the library
 * nothing. Of the others the compiler says what to write instead.
 */

#include "shmem.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SHMEMX_NAME(name, call) extern __typeof__(call) name __asm__(#call);
#define SHMEMX_PLAIN(T, N, op) SHMEMX_NAME(shmemx_##N##op, shmem_##N##op)
#define SHMEMX_BOTH(T, N, op)  \
	SHMEMX_PLAIN(T, N, op) \
	SHMEMX_NAME(shmemx_ctx_##N##op, shmem_ctx_##N##op)
#define SHMEMX_SIZED(bits, op)                                 \
	SHMEMX_NAME(shmemx_put##bits##op, shmem_put##bits##op) \
	SHMEMX_NAME(shmemx_ctx_put##bits##op, shmem_ctx_put##bits##op)

/* What Sandia's library had before OpenSHMEM 1.5. */
#define SHMEMX_TEAM_INVALID SHMEM_TEAM_INVALID
#define SHMEMX_TEAM_WORLD SHMEM_TEAM_WORLD
#define SHMEMX_TEAM_SHARED SHMEM_TEAM_SHARED
#define SHMEMX_TEAM_NODE SHMEM_TEAM_SHARED
#define SHMEMX_TEAM_NUM_CONTEXTS SHMEM_TEAM_NUM_CONTEXTS
#define SHMEMX_SIGNAL_SET SHMEM_SIGNAL_SET
#define SHMEMX_SIGNAL_ADD SHMEM_SIGNAL_ADD
/* Hints that this library has no use for: a barrier ends each allocation. */
#define SHMEMX_MALLOC_NO_BARRIER 0L
#define SHMEMX_CTX_BOUNCE_BUFFER 0L
typedef shmem_team_t shmemx_team_t;
typedef shmem_team_config_t shmemx_team_config_t;
SHMEMX_NAME(shmemx_team_my_pe, shmem_team_my_pe)
SHMEMX_NAME(shmemx_team_n_pes, shmem_team_n_pes)
SHMEMX_NAME(shmemx_team_translate_pe, shmem_team_translate_pe)
SHMEMX_NAME(shmemx_team_split_strided, shmem_team_split_strided)
SHMEMX_NAME(shmemx_team_split_2d, shmem_team_split_2d)
SHMEMX_NAME(shmemx_team_destroy, shmem_team_destroy)
SHMEMX_NAME(shmemx_team_create_ctx, shmem_team_create_ctx)
SHMEMX_NAME(shmemx_ctx_get_team, shmem_ctx_get_team)
SHMEMX_NAME(shmemx_team_sync, shmem_team_sync)
SHMEMX_NAME(shmemx_sync, shmem_team_sync)
SHMEMX_NAME(shmemx_pcontrol, shmem_pcontrol)
SHMEMX_NAME(shmemx_signal_fetch, shmem_signal_fetch)

SHMEMI_TYPES_RMA(SHMEMX_BOTH, _put_signal)
SHMEMI_TYPES_RMA(SHMEMX_BOTH, _put_signal_nbi)
SHMEMI_SIZES(SHMEMX_SIZED, _signal)
SHMEMI_SIZES(SHMEMX_SIZED, _signal_nbi)
SHMEMX_SIZED(mem, _signal)
SHMEMX_SIZED(mem, _signal_nbi)
SHMEMI_TYPES_AMO_EXT(SHMEMX_BOTH, _atomic_fetch_nbi)
SHMEMI_TYPES_AMO_EXT(SHMEMX_BOTH, _atomic_swap_nbi)
SHMEMI_TYPES_AMO(SHMEMX_BOTH, _atomic_compare_swap_nbi)
SHMEMI_TYPES_AMO(SHMEMX_BOTH, _atomic_fetch_inc_nbi)
SHMEMI_TYPES_AMO(SHMEMX_BOTH, _atomic_fetch_add_nbi)
SHMEMI_TYPES_AMO_BIT(SHMEMX_BOTH, _atomic_fetch_and_nbi)
SHMEMI_TYPES_AMO_BIT(SHMEMX_BOTH, _atomic_fetch_or_nbi)
SHMEMI_TYPES_AMO_BIT(SHMEMX_BOTH, _atomic_fetch_xor_nbi)
#define SHMEMX_SYNC_SET(T, N, op)           \
	SHMEMX_PLAIN(T, N, op##_all)        \
	SHMEMX_PLAIN(T, N, op##_any)        \
	SHMEMX_PLAIN(T, N, op##_some)       \
	SHMEMX_PLAIN(T, N, op##_all_vector) \
	SHMEMX_PLAIN(T, N, op##_any_vector) \
	SHMEMX_PLAIN(T, N, op##_some_vector)
SHMEMI_TYPES_SYNC_SET(SHMEMX_SYNC_SET, _wait_until)
SHMEMI_TYPES_SYNC_SET(SHMEMX_SYNC_SET, _test)
SHMEMI_TYPES_RMA(SHMEMX_PLAIN, _broadcast)
SHMEMI_TYPES_RMA(SHMEMX_PLAIN, _collect)
SHMEMI_TYPES_RMA(SHMEMX_PLAIN, _fcollect)
SHMEMI_TYPES_RMA(SHMEMX_PLAIN, _alltoall)
SHMEMI_TYPES_RMA(SHMEMX_PLAIN, _alltoalls)
SHMEMX_NAME(shmemx_broadcastmem, shmem_broadcastmem)
SHMEMX_NAME(shmemx_collectmem, shmem_collectmem)
SHMEMX_NAME(shmemx_fcollectmem, shmem_fcollectmem)
SHMEMX_NAME(shmemx_alltoallmem, shmem_alltoallmem)
SHMEMX_NAME(shmemx_alltoallsmem, shmem_alltoallsmem)
SHMEMI_TYPES_REDUCE_BIT(SHMEMX_PLAIN, _and_reduce)
SHMEMI_TYPES_REDUCE_BIT(SHMEMX_PLAIN, _or_reduce)
SHMEMI_TYPES_REDUCE_BIT(SHMEMX_PLAIN, _xor_reduce)
SHMEMI_TYPES_REDUCE_ORD(SHMEMX_PLAIN, _max_reduce)
SHMEMI_TYPES_REDUCE_ORD(SHMEMX_PLAIN, _min_reduce)
SHMEMI_TYPES_RMA(SHMEMX_PLAIN, _sum_reduce)
SHMEMI_TYPES_RMA(SHMEMX_PLAIN, _prod_reduce)
#ifndef __cplusplus
SHMEMI_TYPES_COMPLEX(SHMEMX_PLAIN, _sum_reduce)
SHMEMI_TYPES_COMPLEX(SHMEMX_PLAIN, _prod_reduce)
#endif

/* What Open MPI's shmemx.h has by the size of a type. */
#define SHMEMX_OLD_AMO(T, N, op)                                        \
	SHMEMX_NAME(shmem_##N##_swap, shmem_##N##_atomic_swap)          \
	SHMEMX_NAME(shmem_##N##_cswap, shmem_##N##_atomic_compare_swap) \
	SHMEMX_NAME(shmem_##N##_fadd, shmem_##N##_atomic_fetch_add)     \
	SHMEMX_NAME(shmem_##N##_finc, shmem_##N##_atomic_fetch_inc)     \
	SHMEMX_NAME(shmem_##N##_add, shmem_##N##_atomic_add)            \
	SHMEMX_NAME(shmem_##N##_inc, shmem_##N##_atomic_inc)
SHMEMX_OLD_AMO(int32_t, int32, _)
SHMEMX_OLD_AMO(int64_t, int64, _)
#define SHMEMX_TO_ALL(N, same)                                         \
	SHMEMX_NAME(shmem_##N##_wait, shmem_##same##_wait)             \
	SHMEMX_NAME(shmem_##N##_and_to_all, shmem_##same##_and_to_all) \
	SHMEMX_NAME(shmem_##N##_or_to_all, shmem_##same##_or_to_all)   \
	SHMEMX_NAME(shmem_##N##_xor_to_all, shmem_##same##_xor_to_all) \
	SHMEMX_NAME(shmem_##N##_max_to_all, shmem_##same##_max_to_all) \
	SHMEMX_NAME(shmem_##N##_min_to_all, shmem_##same##_min_to_all) \
	SHMEMX_NAME(shmem_##N##_sum_to_all, shmem_##same##_sum_to_all) \
	SHMEMX_NAME(shmem_##N##_prod_to_all, shmem_##same##_prod_to_all)
SHMEMX_TO_ALL(int16, short)
SHMEMX_TO_ALL(int32, int)
SHMEMX_TO_ALL(int64, long)
SHMEMX_NAME(shmem_int16_wait_until, shmem_short_wait_until)

/* What has no equal here: a program that uses the name is told what to write. */
#if defined(__has_attribute)
#if __has_attribute(unavailable)
#define SHMEMX_INSTEAD(words) __attribute__((unavailable(words)))
#endif
#endif
#ifndef SHMEMX_INSTEAD
#define SHMEMX_INSTEAD(words) __attribute__((error(words)))
#endif
#define SHMEMX_NONE(ret, name, params, words) ret name params SHMEMX_INSTEAD(words);
#define SHMEMX_CT_WORDS                                                                      \
	"write shmem_ctx_create(), shmem_ctx_putmem_nbi() and shmem_ctx_quiet(): a context " \
	"counts for itself"
typedef void *shmemx_ct_t;
SHMEMX_NONE(void, shmemx_ct_create, (shmemx_ct_t * ct), SHMEMX_CT_WORDS)
SHMEMX_NONE(void, shmemx_ct_free, (shmemx_ct_t * ct), SHMEMX_CT_WORDS)
SHMEMX_NONE(long, shmemx_ct_get, (shmemx_ct_t ct), SHMEMX_CT_WORDS)
SHMEMX_NONE(void, shmemx_ct_set, (shmemx_ct_t ct, long value), SHMEMX_CT_WORDS)
SHMEMX_NONE(void, shmemx_ct_wait, (shmemx_ct_t ct, long wait_for), SHMEMX_CT_WORDS)
SHMEMX_NONE(void, shmemx_putmem_ct,
	    (shmemx_ct_t ct, void *dest, const void *source, size_t len, int pe), SHMEMX_CT_WORDS)
SHMEMX_NONE(void, shmemx_getmem_ct,
	    (shmemx_ct_t ct, void *dest, const void *source, size_t len, int pe), SHMEMX_CT_WORDS)
#define SHMEMX_PCNTR_WORDS \
	"run it with oshrun --telemetry: counters of each PE and cable are outside of the program"
#define SHMEMX_PCNTR(which)                                                              \
	SHMEMX_NONE(void, shmemx_pcntr_get_##which, (shmem_ctx_t ctx, uint64_t * value), \
		    SHMEMX_PCNTR_WORDS)
SHMEMX_PCNTR(issued_write)
SHMEMX_PCNTR(issued_read)
SHMEMX_PCNTR(completed_write)
SHMEMX_PCNTR(completed_read)
SHMEMX_NONE(void, shmemx_pcntr_get_completed_target, (uint64_t * value), SHMEMX_PCNTR_WORDS)
SHMEMX_NONE(void, shmemx_pcntr_get_all, (shmem_ctx_t ctx, void *all), SHMEMX_PCNTR_WORDS)
SHMEMX_NONE(void, shmemx_register_gettid, (uint64_t(*gettid)(void)),
	    "leave it out: threads are told apart without it")
#define SHMEMX_HEAP_WORDS \
	"write shmemx_space_create() after shmem_init(): a space is a heap at a place of its own"
SHMEMX_NONE(void, shmemx_heap_create, (void *base, size_t size, int kind, int device),
	    SHMEMX_HEAP_WORDS)
SHMEMX_NONE(void, shmemx_heap_preinit, (void), SHMEMX_HEAP_WORDS)
SHMEMX_NONE(int, shmemx_heap_preinit_thread, (int requested, int *provided), SHMEMX_HEAP_WORDS)
SHMEMX_NONE(void, shmemx_heap_postinit, (void), SHMEMX_HEAP_WORDS)
SHMEMX_NONE(void, shmemx_team_get_config, (shmem_team_t team, shmem_team_config_t *config),
	    "write shmem_team_get_config(team, SHMEM_TEAM_NUM_CONTEXTS, config)")

#ifdef __cplusplus
}
#endif
#endif /* SHMEMX_PEERS_H */
