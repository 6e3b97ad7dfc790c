/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "core/shmemi.h"
#include "posted.h"

/* Extensions: nonblocking collectives that synchronise or move data; reduce_api.c has the others.
 */

SHMEMI_EXPORT int
shmemx_team_sync_nb(shmem_team_t team, shmemx_req_h *request)
{
	COLL_POST("shmemx_team_sync_nb", team, request, .kind = COLL_WORK_SYNC);
}

SHMEMI_EXPORT int
shmemx_sync_all_nb(shmemx_req_h *request)
{
	COLL_POST("shmemx_sync_all_nb", SHMEM_TEAM_WORLD, request, .kind = COLL_WORK_SYNC);
}

SHMEMI_EXPORT int
shmemx_barrier_all_nb(shmemx_req_h *request)
{
	COLL_POST("shmemx_barrier_all_nb", SHMEM_TEAM_WORLD, request, .kind = COLL_WORK_BARRIER);
}

/* A count of bytes that no memory has ends in the checks of the collective. */
static size_t
bytes_of(const char *call, size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes))
		shmemi_fatal(call, "%zu elements of %zu bytes exceed memory", n, size);
	return bytes;
}

#define BROADCAST_AS(T, name, size)                                                         \
	SHMEMI_EXPORT int shmemx_##name(shmem_team_t team, T *dest, const T *source,        \
					size_t nelems, int PE_root, shmemx_req_h *request)  \
	{                                                                                   \
		COLL_POST("shmemx_" #name, team, request, .kind = COLL_WORK_BROADCAST,      \
			  .dest = dest, .source = source,                                   \
			  .len = bytes_of("shmemx_" #name, nelems, size), .root = PE_root); \
	}

#define COLLECT_AS(T, name, size, which)                                                     \
	SHMEMI_EXPORT int shmemx_##name(shmem_team_t team, T *dest, const T *source,         \
					size_t nelems, shmemx_req_h *request)                \
	{                                                                                    \
		COLL_POST("shmemx_" #name, team, request, .kind = which, .dest = dest,       \
			  .source = source, .len = bytes_of("shmemx_" #name, nelems, size)); \
	}

#define ALLTOALL_AS(T, name, elem)                                                        \
	SHMEMI_EXPORT int shmemx_##name(shmem_team_t team, T *dest, const T *source,      \
					size_t nelems, shmemx_req_h *request)             \
	{                                                                                 \
		COLL_POST("shmemx_" #name, team, request, .kind = COLL_WORK_ALLTOALLS,    \
			  .dest = dest, .source = source, .shape = {1, 1, nelems, elem}); \
	}

#define ALLTOALLS_AS(T, name, elem)                                                           \
	SHMEMI_EXPORT int shmemx_##name(shmem_team_t team, T *dest, const T *source,          \
					ptrdiff_t dst, ptrdiff_t sst, size_t nelems,          \
					shmemx_req_h *request)                                \
	{                                                                                     \
		COLL_POST("shmemx_" #name, team, request, .kind = COLL_WORK_ALLTOALLS,        \
			  .dest = dest, .source = source, .shape = {dst, sst, nelems, elem}); \
	}

#define BROADCAST(T, N, op_) BROADCAST_AS(T, N##op_, sizeof(T))
#define COLLECT(T, N, op_) COLLECT_AS(T, N##op_, sizeof(T), COLL_WORK_COLLECT)
#define FCOLLECT(T, N, op_) COLLECT_AS(T, N##op_, sizeof(T), COLL_WORK_FCOLLECT)
#define ALLTOALL(T, N, op_) ALLTOALL_AS(T, N##op_, sizeof(T))
#define ALLTOALLS(T, N, op_) ALLTOALLS_AS(T, N##op_, sizeof(T))

SHMEMI_TYPES_RMA(BROADCAST, _broadcast_nb)
SHMEMI_TYPES_RMA(COLLECT, _collect_nb)
SHMEMI_TYPES_RMA(FCOLLECT, _fcollect_nb)
SHMEMI_TYPES_RMA(ALLTOALL, _alltoall_nb)
SHMEMI_TYPES_RMA(ALLTOALLS, _alltoalls_nb)

BROADCAST_AS(void, broadcastmem_nb, 1)
COLLECT_AS(void, collectmem_nb, 1, COLL_WORK_COLLECT)
COLLECT_AS(void, fcollectmem_nb, 1, COLL_WORK_FCOLLECT)
ALLTOALL_AS(void, alltoallmem_nb, 1)
ALLTOALLS_AS(void, alltoallsmem_nb, 1)
