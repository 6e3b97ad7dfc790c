/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "aset.h"
#include "call.h"
#include "check.h"
#include "coll.h"

static void
sync_set(const struct coll_aset *set, const char *call)
{
	struct coll_op op;

	coll_begin_on(&op, call, set->team);
	coll_sync(&op);
}

SHMEMI_API(void, barrier, (int PE_start, int logPE_stride, int PE_size, long *pSync))
{
	const struct coll_aset_args args = {PE_start, logPE_stride, PE_size, pSync};
	struct coll_aset set;

	coll_aset_enter(&set, "shmem_barrier", &args);
	shmemi_check_team("shmem_barrier", set.team, NULL);
	rb_quiet(rb_ctx_default);
	sync_set(&set, "shmem_barrier");
	shmemi_check_team_end(set.team);
	coll_aset_leave(&set);
}

SHMEMI_API(void, sync, (int PE_start, int logPE_stride, int PE_size, long *pSync))
{
	const struct coll_aset_args args = {PE_start, logPE_stride, PE_size, pSync};
	struct coll_aset set;

	coll_aset_enter(&set, "shmem_sync", &args);
	shmemi_check_team("shmem_sync", set.team, NULL);
	sync_set(&set, "shmem_sync");
	shmemi_check_team_end(set.team);
	coll_aset_leave(&set);
}

#define ASET_BROADCAST(bits)                                                                  \
	SHMEMI_API(void, broadcast##bits,                                                     \
		   (void *dest, const void *source, size_t nelems, int PE_root, int PE_start, \
		    int logPE_stride, int PE_size, long *pSync))                              \
	{                                                                                     \
		const struct coll_aset_args args = {PE_start, logPE_stride, PE_size, pSync};  \
		struct coll_aset set;                                                         \
		struct coll_op op;                                                            \
                                                                                              \
		coll_aset_enter(&set, "shmem_broadcast" #bits, &args);                        \
		coll_begin_on(&op, "shmem_broadcast" #bits, set.team);                        \
		coll_call_broadcast(&op, dest, source, coll_bytes(&op, nelems, (bits) / 8),   \
				    PE_root);                                                 \
		coll_aset_leave(&set);                                                        \
	}

#define ASET_COLLECT(name, bits, exact)                                                            \
	SHMEMI_API(void, name##bits,                                                               \
		   (void *dest, const void *source, size_t nelems, int PE_start, int logPE_stride, \
		    int PE_size, long *pSync))                                                     \
	{                                                                                          \
		const struct coll_aset_args args = {PE_start, logPE_stride, PE_size, pSync};       \
		struct coll_aset set;                                                              \
		struct coll_op op;                                                                 \
                                                                                                   \
		coll_aset_enter(&set, "shmem_" #name #bits, &args);                                \
		coll_begin_on(&op, "shmem_" #name #bits, set.team);                                \
		coll_call_collect(&op, dest, source, coll_bytes(&op, nelems, (bits) / 8), exact);  \
		coll_aset_leave(&set);                                                             \
	}

#define ASET_ALLTOALL(bits)                                                                        \
	SHMEMI_API(void, alltoall##bits,                                                           \
		   (void *dest, const void *source, size_t nelems, int PE_start, int logPE_stride, \
		    int PE_size, long *pSync))                                                     \
	{                                                                                          \
		const struct coll_aset_args args = {PE_start, logPE_stride, PE_size, pSync};       \
		const struct coll_strides shape = {1, 1, nelems, (bits) / 8};                      \
		struct coll_aset set;                                                              \
		struct coll_op op;                                                                 \
                                                                                                   \
		coll_aset_enter(&set, "shmem_alltoall" #bits, &args);                              \
		coll_begin_on(&op, "shmem_alltoall" #bits, set.team);                              \
		coll_call_alltoalls(&op, dest, source, &shape);                                    \
		coll_aset_leave(&set);                                                             \
	}

#define ASET_ALLTOALLS(bits)                                                                     \
	SHMEMI_API(void, alltoalls##bits,                                                        \
		   (void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, \
		    int PE_start, int logPE_stride, int PE_size, long *pSync))                   \
	{                                                                                        \
		const struct coll_aset_args args = {PE_start, logPE_stride, PE_size, pSync};     \
		const struct coll_strides shape = {dst, sst, nelems, (bits) / 8};                \
		struct coll_aset set;                                                            \
		struct coll_op op;                                                               \
                                                                                                 \
		coll_aset_enter(&set, "shmem_alltoalls" #bits, &args);                           \
		coll_begin_on(&op, "shmem_alltoalls" #bits, set.team);                           \
		coll_call_alltoalls(&op, dest, source, &shape);                                  \
		coll_aset_leave(&set);                                                           \
	}

ASET_BROADCAST(32)
ASET_BROADCAST(64)
ASET_COLLECT(collect, 32, false)
ASET_COLLECT(collect, 64, false)
ASET_COLLECT(fcollect, 32, true)
ASET_COLLECT(fcollect, 64, true)
ASET_ALLTOALL(32)
ASET_ALLTOALL(64)
ASET_ALLTOALLS(32)
ASET_ALLTOALLS(64)
