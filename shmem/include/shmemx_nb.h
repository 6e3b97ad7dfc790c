/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SHMEMX_NB_H
#define SHMEMX_NB_H

/**
 * @file
 * Nonblocking collectives; part of shmemx.h. doc/nonblocking.md has the rules, who makes progress,
 * and an example.
 */

#include <stddef.h>

#include "shmem.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A collective that was posted. Copies of a handle name the same request. */
typedef struct shmemx_req *shmemx_req_h;
/** No request. */
#define SHMEMX_REQ_INVALID ((shmemx_req_h)0)

/** @defgroup posted Nonblocking collectives
 *
 *  Follows pull request 456 of openshmem-org/specification.
 *
 *  Each call posts the collective of its name in shmem.h, with the same arguments in the same
 * units, and returns without waiting for other PEs. All members of the team post the same
 * nonblocking collectives of it, and make the blocking calls that are collective over it, in the
 * same order; those of different teams in any order. A blocking form does not meet a nonblocking
 * one. From the call until the request is completed, source must not be changed, and dest must be
 * neither read nor written. dest of each member must be ready when any member posts.
 *
 *  Collectives of a team run one after the other, so they also end in that order; those of other
 *  teams beside them. Any number may be under way, up to 2^20 requests of a PE. A blocking call
 * that is collective over the team first waits for what is posted on it.
 *
 *  @p request gets a handle, which shmemx_req_test() or a wait gives back.
 *  @return 0; -1, with SHMEMX_REQ_INVALID, for a team that is SHMEM_TEAM_INVALID or where there is
 *  no memory. Other errors end the job as those of the blocking call do, at once or when the
 *  collective runs.
 *
 *  In C11 and C++, shmemx_sum_reduce_nb and so on take all types of their family.
 *
 *  Threads: as for blocking collectives, one thread at a time posts on a team. With
 *  SHMEM_THREAD_MULTIPLE another thread may test and wait, each request by one thread.
 */
/** @{ */

/** Sync of a team: shmem_team_sync(). */
int shmemx_team_sync_nb(shmem_team_t team, shmemx_req_h *request);
/** Sync of all PEs: shmem_sync_all(). */
int shmemx_sync_all_nb(shmemx_req_h *request);
/** shmem_barrier_all(): when it ends, what all PEs had issued on the default context before they
 *  posted is complete. So may be what was issued later. */
int shmemx_barrier_all_nb(shmemx_req_h *request);

#define SHMEMX_DECL_BROADCAST_NB(T, N, op)                                             \
	int shmemx_##N##op(shmem_team_t team, T *dest, const T *source, size_t nelems, \
			   int PE_root, shmemx_req_h *request);
#define SHMEMX_DECL_COLLECT_NB(T, N, op)                                               \
	int shmemx_##N##op(shmem_team_t team, T *dest, const T *source, size_t nelems, \
			   shmemx_req_h *request);
#define SHMEMX_DECL_ALLTOALLS_NB(T, N, op)                                             \
	int shmemx_##N##op(shmem_team_t team, T *dest, const T *source, ptrdiff_t dst, \
			   ptrdiff_t sst, size_t nelems, shmemx_req_h *request);

/** PE_root's source in dest of all members, its own included. nelems: elements, here and below of
 *  the type, or bytes of the calls that end in mem_nb. */
SHMEMI_TYPES_RMA(SHMEMX_DECL_BROADCAST_NB, _broadcast_nb)
int shmemx_broadcastmem_nb(shmem_team_t team, void *dest, const void *source, size_t nelems,
			   int PE_root, shmemx_req_h *request);
/** The blocks of all members one after the other, in dest of all; nelems may differ. */
SHMEMI_TYPES_RMA(SHMEMX_DECL_COLLECT_NB, _collect_nb)
int shmemx_collectmem_nb(shmem_team_t team, void *dest, const void *source, size_t nelems,
			 shmemx_req_h *request);
/** The same where all give the same nelems. */
SHMEMI_TYPES_RMA(SHMEMX_DECL_COLLECT_NB, _fcollect_nb)
int shmemx_fcollectmem_nb(shmem_team_t team, void *dest, const void *source, size_t nelems,
			  shmemx_req_h *request);
/** Block i of each member goes to member i; nelems of each block. */
SHMEMI_TYPES_RMA(SHMEMX_DECL_COLLECT_NB, _alltoall_nb)
int shmemx_alltoallmem_nb(shmem_team_t team, void *dest, const void *source, size_t nelems,
			  shmemx_req_h *request);
/** The same with elements dst apart in dest and sst apart in source. */
SHMEMI_TYPES_RMA(SHMEMX_DECL_ALLTOALLS_NB, _alltoalls_nb)
int shmemx_alltoallsmem_nb(shmem_team_t team, void *dest, const void *source, ptrdiff_t dst,
			   ptrdiff_t sst, size_t nelems, shmemx_req_h *request);

/** Reductions: dest[i] of all members is source[i] of all, joined; dest may be source. The result
 * is bitwise that of the blocking call. */
SHMEMI_TYPES_REDUCE_BIT(SHMEMX_DECL_COLLECT_NB, _and_reduce_nb)
SHMEMI_TYPES_REDUCE_BIT(SHMEMX_DECL_COLLECT_NB, _or_reduce_nb)
SHMEMI_TYPES_REDUCE_BIT(SHMEMX_DECL_COLLECT_NB, _xor_reduce_nb)
SHMEMI_TYPES_REDUCE_ORD(SHMEMX_DECL_COLLECT_NB, _max_reduce_nb)
SHMEMI_TYPES_REDUCE_ORD(SHMEMX_DECL_COLLECT_NB, _min_reduce_nb)
SHMEMI_TYPES_REDUCE_ARITH(SHMEMX_DECL_COLLECT_NB, _sum_reduce_nb)
SHMEMI_TYPES_REDUCE_ARITH(SHMEMX_DECL_COLLECT_NB, _prod_reduce_nb)
/** Sums over the members up to this one, with its own source and without it. */
SHMEMI_TYPES_REDUCE_ARITH(SHMEMX_DECL_COLLECT_NB, _sum_inscan_nb)
SHMEMI_TYPES_REDUCE_ARITH(SHMEMX_DECL_COLLECT_NB, _sum_exscan_nb)

/**
 * Is the collective complete for this PE? Also makes progress for all that it has posted.
 *
 * @return 0: it is; the request is given back, and *request is SHMEMX_REQ_INVALID. 1: it is not.
 * -1: *request names no request that is under way
 */
int shmemx_req_test(shmemx_req_h *request);
/** Wait until it is. 0 or -1, as shmemx_req_test(). */
int shmemx_req_wait(shmemx_req_h *request);
/** Wait for all of them but those that are SHMEMX_REQ_INVALID. 0; -1 where one has returned that.
 */
int shmemx_req_wait_all(shmemx_req_h *requests, size_t nelems);
/** Wait for one of them. @return its index; SIZE_MAX where all are SHMEMX_REQ_INVALID */
size_t shmemx_req_wait_any(shmemx_req_h *requests, size_t nelems);
/** Wait for at least one, and complete all that are. @p indices has room for @p nelems.
 *  @return how many indices it got; 0 where all are SHMEMX_REQ_INVALID */
size_t shmemx_req_wait_some(shmemx_req_h *requests, size_t nelems, size_t *indices);
/** @} */

#ifdef __cplusplus
}
#endif
#endif /* SHMEMX_NB_H */
