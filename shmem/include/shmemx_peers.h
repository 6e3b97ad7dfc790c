/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SHMEMX_PEERS_H
#define SHMEMX_PEERS_H

/**
 * @file
 * Part of shmemx.h: names that Sandia OpenSHMEM and Open MPI declare beyond the standard. A name of
 * which the standard has the same call by now is another name of that call, which costs the library
 * nothing. shmemx_instead.h has the others.
 *
 * pshmem.h includes the second half again, for the profiling names.
 */

#include "shmem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What Sandia's library had before OpenSHMEM 1.5. */
#define SHMEMX_TEAM_INVALID SHMEM_TEAM_INVALID
#define SHMEMX_TEAM_NULL SHMEM_TEAM_INVALID
#define SHMEMX_TEAM_WORLD SHMEM_TEAM_WORLD
#define SHMEMX_TEAM_SHARED SHMEM_TEAM_SHARED
#define SHMEMX_TEAM_NODE SHMEM_TEAM_SHARED
#define SHMEMX_TEAM_HOST SHMEM_TEAM_SHARED
#define SHMEMX_TEAM_NUM_CONTEXTS SHMEM_TEAM_NUM_CONTEXTS
#define SHMEMX_SIGNAL_SET SHMEM_SIGNAL_SET
#define SHMEMX_SIGNAL_ADD SHMEM_SIGNAL_ADD
#define SHMEMX_CTX_INVALID SHMEM_CTX_INVALID
#define SHMEMX_MALLOC_ATOMICS_REMOTE SHMEM_MALLOC_ATOMICS_REMOTE
#define SHMEMX_MALLOC_SIGNAL_REMOTE SHMEM_MALLOC_SIGNAL_REMOTE
#define HAVE_SHMEMX_WTIME
#define shmemx_signal_add shmem_signal_add
#define shmemx_signal_set shmem_signal_set
/* Hints that this library has no use for: a barrier ends each allocation. */
#define SHMEMX_MALLOC_NO_BARRIER 0L
#define SHMEMX_CTX_BOUNCE_BUFFER 0L
typedef shmem_team_t shmemx_team_t;
typedef shmem_team_config_t shmemx_team_config_t;

/* Hints of Open MPI's shmemx_malloc_with_hint(). */
enum {
	SHMEM_HINT_NONE = 0,
	SHMEM_HINT_LOW_LAT_MEM = 1 << 0,
	SHMEM_HINT_HIGH_BW_MEM = 1 << 1,
	SHMEM_HINT_NEAR_NIC_MEM = 1 << 2,
	SHMEM_HINT_DEVICE_GPU_MEM = 1 << 3,
	SHMEM_HINT_DEVICE_NIC_MEM = 1 << 4,
	SHMEM_HINT_PSYNC = 1 << 16,
	SHMEM_HINT_PWORK = 1 << 17,
	SHMEM_HINT_ATOMICS = 1 << 18
};

#ifdef __cplusplus
}
#endif

#define SHMEMX_PLAIN(T, N, op) SHMEMI_SAME(shmemx_##N##op, shmem_##N##op)
#define SHMEMX_BOTH(T, N, op)  \
	SHMEMX_PLAIN(T, N, op) \
	SHMEMI_SAME(shmemx_ctx_##N##op, shmem_ctx_##N##op)
#define SHMEMX_SIZED(bits, op)                                 \
	SHMEMI_SAME(shmemx_put##bits##op, shmem_put##bits##op) \
	SHMEMI_SAME(shmemx_ctx_put##bits##op, shmem_ctx_put##bits##op)
#define SHMEMX_BLOCKED(bits, op)                       \
	SHMEMI_SAME(shmemx##op##bits, shmem##op##bits) \
	SHMEMI_SAME(shmemx_ctx##op##bits, shmem_ctx##op##bits)
#define SHMEMX_SYNC_SET(T, N, op)           \
	SHMEMX_PLAIN(T, N, op##_all)        \
	SHMEMX_PLAIN(T, N, op##_any)        \
	SHMEMX_PLAIN(T, N, op##_some)       \
	SHMEMX_PLAIN(T, N, op##_all_vector) \
	SHMEMX_PLAIN(T, N, op##_any_vector) \
	SHMEMX_PLAIN(T, N, op##_some_vector)
#define SHMEMX_TO_ALL(N, same)                         \
	SHMEMI_SAME(N##_wait, same##_wait)             \
	SHMEMI_SAME(N##_and_to_all, same##_and_to_all) \
	SHMEMI_SAME(N##_or_to_all, same##_or_to_all)   \
	SHMEMI_SAME(N##_xor_to_all, same##_xor_to_all) \
	SHMEMI_SAME(N##_max_to_all, same##_max_to_all) \
	SHMEMI_SAME(N##_min_to_all, same##_min_to_all) \
	SHMEMI_SAME(N##_sum_to_all, same##_sum_to_all) \
	SHMEMI_SAME(N##_prod_to_all, same##_prod_to_all)
#define SHMEMX_BY_SIZE(N, same)                    \
	SHMEMX_TO_ALL(shmem_##N, shmem_##same)     \
	SHMEMX_TO_ALL(shmemx_##N, shmem_##same)    \
	SHMEMI_SAME(shmemx_##N##_p, shmem_##N##_p) \
	SHMEMI_SAME(shmemx_##N##_g, shmem_##N##_g)
#define SHMEMX_NAMES
#endif /* SHMEMX_PEERS_H */

#if defined(SHMEMX_NAMES) || defined(SHMEMI_PROFILING)
#undef SHMEMX_NAMES

#ifdef __cplusplus
extern "C" {
#endif

SHMEMI_SAME(shmemx_team_my_pe, shmem_team_my_pe)
SHMEMI_SAME(shmemx_team_n_pes, shmem_team_n_pes)
SHMEMI_SAME(shmemx_team_translate_pe, shmem_team_translate_pe)
SHMEMI_SAME(shmemx_team_split_strided, shmem_team_split_strided)
SHMEMI_SAME(shmemx_team_split_2d, shmem_team_split_2d)
SHMEMI_SAME(shmemx_team_destroy, shmem_team_destroy)
SHMEMI_SAME(shmemx_team_create_ctx, shmem_team_create_ctx)
SHMEMI_SAME(shmemx_ctx_get_team, shmem_ctx_get_team)
SHMEMI_SAME(shmemx_team_sync, shmem_team_sync)
SHMEMI_SAME(shmemx_sync, shmem_team_sync)
SHMEMI_SAME(shmemx_pcontrol, shmem_pcontrol)
SHMEMI_SAME(shmemx_signal_fetch, shmem_signal_fetch)
SHMEMI_SAME(shmemx_ctx_signal_add, shmem_ctx_signal_add)
SHMEMI_SAME(shmemx_ctx_signal_set, shmem_ctx_signal_set)
SHMEMI_SAME(shmemx_query_initialized, shmem_query_initialized)

SHMEMI_TYPES_RMA(SHMEMX_BOTH, _put_signal)
SHMEMI_TYPES_RMA(SHMEMX_BOTH, _put_signal_nbi)
SHMEMI_SIZES(SHMEMX_SIZED, _signal)
SHMEMI_SIZES(SHMEMX_SIZED, _signal_nbi)
SHMEMX_SIZED(mem, _signal)
SHMEMX_SIZED(mem, _signal_nbi)
SHMEMI_TYPES_RMA(SHMEMX_BOTH, _ibput)
SHMEMI_TYPES_RMA(SHMEMX_BOTH, _ibget)
SHMEMI_SIZES(SHMEMX_BLOCKED, _ibput)
SHMEMI_SIZES(SHMEMX_BLOCKED, _ibget)
SHMEMI_TYPES_AMO_EXT(SHMEMX_BOTH, _atomic_fetch_nbi)
SHMEMI_TYPES_AMO_EXT(SHMEMX_BOTH, _atomic_swap_nbi)
SHMEMI_TYPES_AMO(SHMEMX_BOTH, _atomic_compare_swap_nbi)
SHMEMI_TYPES_AMO(SHMEMX_BOTH, _atomic_fetch_inc_nbi)
SHMEMI_TYPES_AMO(SHMEMX_BOTH, _atomic_fetch_add_nbi)
SHMEMI_TYPES_AMO_BIT(SHMEMX_BOTH, _atomic_fetch_and_nbi)
SHMEMI_TYPES_AMO_BIT(SHMEMX_BOTH, _atomic_fetch_or_nbi)
SHMEMI_TYPES_AMO_BIT(SHMEMX_BOTH, _atomic_fetch_xor_nbi)
SHMEMI_TYPES_SYNC_SET(SHMEMX_SYNC_SET, _wait_until)
SHMEMI_TYPES_SYNC_SET(SHMEMX_SYNC_SET, _test)
SHMEMI_TYPES_RMA(SHMEMX_PLAIN, _broadcast)
SHMEMI_TYPES_RMA(SHMEMX_PLAIN, _collect)
SHMEMI_TYPES_RMA(SHMEMX_PLAIN, _fcollect)
SHMEMI_TYPES_RMA(SHMEMX_PLAIN, _alltoall)
SHMEMI_TYPES_RMA(SHMEMX_PLAIN, _alltoalls)
SHMEMI_SAME(shmemx_broadcastmem, shmem_broadcastmem)
SHMEMI_SAME(shmemx_collectmem, shmem_collectmem)
SHMEMI_SAME(shmemx_fcollectmem, shmem_fcollectmem)
SHMEMI_SAME(shmemx_alltoallmem, shmem_alltoallmem)
SHMEMI_SAME(shmemx_alltoallsmem, shmem_alltoallsmem)
SHMEMI_TYPES_REDUCE_BIT(SHMEMX_PLAIN, _and_reduce)
SHMEMI_TYPES_REDUCE_BIT(SHMEMX_PLAIN, _or_reduce)
SHMEMI_TYPES_REDUCE_BIT(SHMEMX_PLAIN, _xor_reduce)
SHMEMI_TYPES_REDUCE_ORD(SHMEMX_PLAIN, _max_reduce)
SHMEMI_TYPES_REDUCE_ORD(SHMEMX_PLAIN, _min_reduce)
SHMEMI_TYPES_RMA(SHMEMX_PLAIN, _sum_reduce)
SHMEMI_TYPES_RMA(SHMEMX_PLAIN, _prod_reduce)
SHMEMI_TYPES_RMA(SHMEMX_PLAIN, _sum_exscan)
SHMEMI_TYPES_RMA(SHMEMX_PLAIN, _sum_inscan)
#ifndef __cplusplus
SHMEMI_TYPES_COMPLEX(SHMEMX_PLAIN, _sum_reduce)
SHMEMI_TYPES_COMPLEX(SHMEMX_PLAIN, _prod_reduce)
SHMEMI_TYPES_COMPLEX(SHMEMX_PLAIN, _sum_exscan)
SHMEMI_TYPES_COMPLEX(SHMEMX_PLAIN, _sum_inscan)
#endif

/* What Open MPI's shmemx.h has by the size of a type, with x and without. */
SHMEMI_SAME(shmemx_malloc_with_hint, shmem_malloc_with_hints)
SHMEMI_SAME(shmemx_malloc_with_hints, shmem_malloc_with_hints)
SHMEMI_SAME_AMO(int32_t, int32, x_)
SHMEMI_SAME_AMO(int64_t, int64, x_)
SHMEMI_TYPES_AMO_BIT(SHMEMX_PLAIN, _atomic_and)
SHMEMI_TYPES_AMO_BIT(SHMEMX_PLAIN, _atomic_or)
SHMEMI_TYPES_AMO_BIT(SHMEMX_PLAIN, _atomic_xor)
SHMEMI_TYPES_AMO_BIT(SHMEMX_PLAIN, _atomic_fetch_and)
SHMEMI_TYPES_AMO_BIT(SHMEMX_PLAIN, _atomic_fetch_or)
SHMEMI_TYPES_AMO_BIT(SHMEMX_PLAIN, _atomic_fetch_xor)
SHMEMI_SAME(shmem_int16_wait_until, shmem_short_wait_until)
SHMEMI_SAME(shmemx_int32_wait_until, shmem_int32_wait_until)
SHMEMI_SAME(shmemx_int64_wait_until, shmem_int64_wait_until)
SHMEMX_BY_SIZE(int16, short)
SHMEMX_BY_SIZE(int32, int)
SHMEMX_BY_SIZE(int64, long)

#ifdef __cplusplus
}
#endif

#endif /* SHMEMX_NAMES */
