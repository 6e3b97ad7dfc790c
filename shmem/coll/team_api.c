/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "call.h"

#define TEAM_BROADCAST_AS(T, name, size)                                                       \
	SHMEMI_API(int, name,                                                                  \
		   (shmem_team_t team, T * dest, const T *source, size_t nelems, int PE_root)) \
	{                                                                                      \
		struct coll_op op;                                                             \
                                                                                               \
		if (!coll_begin(&op, "shmem_" #name, team))                                    \
			return -1;                                                             \
		return coll_call_broadcast_to_all(&op, dest, source,                           \
						  coll_bytes(&op, nelems, size), PE_root);     \
	}

#define TEAM_COLLECT_AS(T, name, size, exact)                                                      \
	SHMEMI_API(int, name, (shmem_team_t team, T * dest, const T *source, size_t nelems))       \
	{                                                                                          \
		struct coll_op op;                                                                 \
                                                                                                   \
		if (!coll_begin(&op, "shmem_" #name, team))                                        \
			return -1;                                                                 \
		return coll_call_collect(&op, dest, source, coll_bytes(&op, nelems, size), exact); \
	}

static int
team_alltoalls(const char *name, shmem_team_t team, void *dest, const void *source,
	       const struct coll_strides *shape)
{
	struct coll_op op;

	if (!coll_begin(&op, name, team))
		return -1;
	return coll_call_alltoalls(&op, dest, source, shape);
}

#define TEAM_ALLTOALL_AS(T, name, elem)                                                      \
	SHMEMI_API(int, name, (shmem_team_t team, T * dest, const T *source, size_t nelems)) \
	{                                                                                    \
		const struct coll_strides shape = {1, 1, nelems, elem};                      \
                                                                                             \
		_Static_assert((elem) <= COLL_ELEMENT, "larger than any");                   \
                                                                                             \
		return team_alltoalls("shmem_" #name, team, dest, source, &shape);           \
	}

#define TEAM_ALLTOALLS_AS(T, name, elem)                                                        \
	SHMEMI_API(int, name,                                                                   \
		   (shmem_team_t team, T * dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, \
		    size_t nelems))                                                             \
	{                                                                                       \
		const struct coll_strides shape = {dst, sst, nelems, elem};                     \
                                                                                                \
		_Static_assert((elem) <= COLL_ELEMENT, "larger than any");                      \
                                                                                                \
		return team_alltoalls("shmem_" #name, team, dest, source, &shape);              \
	}

#define TEAM_BROADCAST(T, N, op_) TEAM_BROADCAST_AS(T, N##op_, sizeof(T))
#define TEAM_COLLECT(T, N, op_) TEAM_COLLECT_AS(T, N##op_, sizeof(T), false)
#define TEAM_FCOLLECT(T, N, op_) TEAM_COLLECT_AS(T, N##op_, sizeof(T), true)
#define TEAM_ALLTOALL(T, N, op_) TEAM_ALLTOALL_AS(T, N##op_, sizeof(T))
#define TEAM_ALLTOALLS(T, N, op_) TEAM_ALLTOALLS_AS(T, N##op_, sizeof(T))

SHMEMI_TYPES_RMA(TEAM_BROADCAST, _broadcast)
SHMEMI_TYPES_RMA(TEAM_COLLECT, _collect)
SHMEMI_TYPES_RMA(TEAM_FCOLLECT, _fcollect)
SHMEMI_TYPES_RMA(TEAM_ALLTOALL, _alltoall)
SHMEMI_TYPES_RMA(TEAM_ALLTOALLS, _alltoalls)

TEAM_BROADCAST_AS(void, broadcastmem, 1)
TEAM_COLLECT_AS(void, collectmem, 1, false)
TEAM_COLLECT_AS(void, fcollectmem, 1, true)
TEAM_ALLTOALL_AS(void, alltoallmem, 1)
TEAM_ALLTOALLS_AS(void, alltoallsmem, 1)
