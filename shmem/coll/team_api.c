/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "ops.h"
#include "posted.h"

/*
 * Collectives on teams: the call of the standard, and the nonblocking one of the same arguments, an
 * extension, from one line.
 */

#define UNPAREN(...) __VA_ARGS__

/** @p params: what follows source; the rest: the work besides dest and source. */
#define TEAM_CALL(name, T, params, ...)                                                       \
	SHMEMI_API(int, name, (shmem_team_t team, T * dest, const T *source, UNPAREN params)) \
	{                                                                                     \
		static const char call[] = "shmem_" #name;                                    \
		const struct coll_work work = {.dest = dest, .source = source, __VA_ARGS__};  \
                                                                                              \
		return coll_work_on(call, team, &work);                                       \
	}                                                                                     \
	SHMEMI_EXPORT int shmemx_##name##_nb(shmem_team_t team, T *dest, const T *source,     \
					     UNPAREN params, shmemx_req_h *request)           \
	{                                                                                     \
		static const char call[] = "shmemx_" #name "_nb";                             \
                                                                                              \
		COLL_POST(call, team, request, .dest = dest, .source = source, __VA_ARGS__);  \
	}

/* ---- syncs ---- */

static const struct coll_work sync_call = {.kind = COLL_WORK_SYNC, .mixes = true};

SHMEMI_API(int, team_sync, (shmem_team_t team))
{
	return coll_work_on("shmem_team_sync", team, &sync_call);
}

SHMEMI_API(void, sync_all, (void))
{
	(void)coll_work_on("shmem_sync_all", SHMEM_TEAM_WORLD, &sync_call);
}

SHMEMI_API(void, barrier_all, (void))
{
	static const struct coll_work barrier = {.kind = COLL_WORK_BARRIER, .mixes = true};

	(void)coll_work_on("shmem_barrier_all", SHMEM_TEAM_WORLD, &barrier);
}

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

/* ---- moves ---- */

#define BROADCAST_AS(T, name, size)                                                   \
	TEAM_CALL(name, T, (size_t nelems, int PE_root), .kind = COLL_WORK_BROADCAST, \
		  .len = coll_bytes(call, nelems, size), .root = PE_root)
#define COLLECT_AS(T, name, size, which) \
	TEAM_CALL(name, T, (size_t nelems), .kind = which, .len = coll_bytes(call, nelems, size))
#define ALLTOALL_AS(T, name, size)                                       \
	TEAM_CALL(name, T, (size_t nelems), .kind = COLL_WORK_ALLTOALLS, \
		  .shape = {1, 1, nelems, size})
#define ALLTOALLS_AS(T, name, size)                                       \
	_Static_assert((size) <= COLL_ELEMENT, "larger than any");        \
	TEAM_CALL(name, T, (ptrdiff_t dst, ptrdiff_t sst, size_t nelems), \
		  .kind = COLL_WORK_ALLTOALLS, .shape = {dst, sst, nelems, size})

#define BROADCAST(T, N, op_) BROADCAST_AS(T, N##op_, sizeof(T))
#define COLLECT(T, N, op_) COLLECT_AS(T, N##op_, sizeof(T), COLL_WORK_COLLECT)
#define FCOLLECT(T, N, op_) COLLECT_AS(T, N##op_, sizeof(T), COLL_WORK_FCOLLECT)
#define ALLTOALL(T, N, op_) ALLTOALL_AS(T, N##op_, sizeof(T))
#define ALLTOALLS(T, N, op_) ALLTOALLS_AS(T, N##op_, sizeof(T))

SHMEMI_TYPES_RMA(BROADCAST, _broadcast)
SHMEMI_TYPES_RMA(COLLECT, _collect)
SHMEMI_TYPES_RMA(FCOLLECT, _fcollect)
SHMEMI_TYPES_RMA(ALLTOALL, _alltoall)
SHMEMI_TYPES_RMA(ALLTOALLS, _alltoalls)

BROADCAST_AS(void, broadcastmem, 1)
COLLECT_AS(void, collectmem, 1, COLL_WORK_COLLECT)
COLLECT_AS(void, fcollectmem, 1, COLL_WORK_FCOLLECT)
ALLTOALL_AS(void, alltoallmem, 1)
ALLTOALLS_AS(void, alltoallsmem, 1)

/* ---- reductions and scans ---- */

SHMEMI_TYPES_REDUCE_BIT(COLL_AND, _and)
SHMEMI_TYPES_REDUCE_BIT(COLL_OR, _or)
SHMEMI_TYPES_REDUCE_BIT(COLL_XOR, _xor)
SHMEMI_TYPES_REDUCE_ORD(COLL_MAX, _max)
SHMEMI_TYPES_REDUCE_ORD(COLL_MIN, _min)
SHMEMI_TYPES_REDUCE_ARITH(COLL_SUM, _sum)
SHMEMI_TYPES_REDUCE_ARITH(COLL_PROD, _prod)

#define REDUCE(T, N, op_)                                                                         \
	TEAM_CALL(N##op_##_reduce, T, (size_t nreduce), .kind = COLL_WORK_REDUCE, .len = nreduce, \
		  .what = {N##op_, sizeof(T), false})
#define SCAN(T, N, op_, which)                                                       \
	TEAM_CALL(N##op_, T, (size_t nelems), .kind = COLL_WORK_SCAN, .len = nelems, \
		  .chain = which, .what = {N##_sum, sizeof(T), false})
#define INSCAN(T, N, op_) SCAN(T, N, op_, COLL_INSCAN)
#define EXSCAN(T, N, op_) SCAN(T, N, op_, COLL_EXSCAN)

SHMEMI_TYPES_REDUCE_BIT(REDUCE, _and)
SHMEMI_TYPES_REDUCE_BIT(REDUCE, _or)
SHMEMI_TYPES_REDUCE_BIT(REDUCE, _xor)
SHMEMI_TYPES_REDUCE_ORD(REDUCE, _max)
SHMEMI_TYPES_REDUCE_ORD(REDUCE, _min)
SHMEMI_TYPES_REDUCE_ARITH(REDUCE, _sum)
SHMEMI_TYPES_REDUCE_ARITH(REDUCE, _prod)
SHMEMI_TYPES_REDUCE_ARITH(INSCAN, _sum_inscan)
SHMEMI_TYPES_REDUCE_ARITH(EXSCAN, _sum_exscan)
