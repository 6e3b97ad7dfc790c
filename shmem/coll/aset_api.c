/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "aset.h"
#include "ops.h"
#include "work.h"

/* Collectives on active sets, deprecated. */

static void
run_on_set(const char *call, const struct coll_aset_args *args, const struct coll_work *work)
{
	struct coll_aset set;
	struct coll_op op;

	coll_aset_enter(&set, call, args);
	coll_begin_on(&op, call, set.team);
	coll_work_run(&op, work);
	coll_aset_leave(&set);
}

SHMEMI_API(void, barrier, (int PE_start, int logPE_stride, int PE_size, long *pSync))
{
	static const struct coll_work work = {.kind = COLL_WORK_BARRIER};
	const struct coll_aset_args args = {PE_start, logPE_stride, PE_size, pSync};

	run_on_set("shmem_barrier", &args, &work);
}

SHMEMI_API(void, sync, (int PE_start, int logPE_stride, int PE_size, long *pSync))
{
	static const struct coll_work work = {.kind = COLL_WORK_SYNC};
	const struct coll_aset_args args = {PE_start, logPE_stride, PE_size, pSync};

	run_on_set("shmem_sync", &args, &work);
}

#define UNPAREN(...) __VA_ARGS__

/** @p params: what follows source; @p scratch: what precedes pSync; the rest: the work besides dest
 *  and source. */
#define SET_CALL(name, T, params, scratch, ...)                                                \
	SHMEMI_API(void, name,                                                                 \
		   (T * dest, const T *source, UNPAREN params, int PE_start, int logPE_stride, \
		    int PE_size, UNPAREN scratch long *pSync))                                 \
	{                                                                                      \
		static const char call[] = "shmem_" #name;                                     \
		const struct coll_aset_args args = {PE_start, logPE_stride, PE_size, pSync};   \
		const struct coll_work work = {.dest = dest, .source = source, __VA_ARGS__};   \
                                                                                               \
		run_on_set(call, &args, &work);                                                \
	}

#define BROADCAST(name, size)                                                                    \
	SET_CALL(name, void, (size_t nelems, int PE_root), (), .kind = COLL_WORK_BROADCAST_REST, \
		 .len = coll_bytes(call, nelems, size), .root = PE_root)
#define COLLECT(name, size, which)                               \
	SET_CALL(name, void, (size_t nelems), (), .kind = which, \
		 .len = coll_bytes(call, nelems, size))
#define ALLTOALL(name, size)                                                   \
	SET_CALL(name, void, (size_t nelems), (), .kind = COLL_WORK_ALLTOALLS, \
		 .shape = {1, 1, nelems, size})
#define ALLTOALLS(name, size)                                                   \
	SET_CALL(name, void, (ptrdiff_t dst, ptrdiff_t sst, size_t nelems), (), \
		 .kind = COLL_WORK_ALLTOALLS, .shape = {dst, sst, nelems, size})

BROADCAST(broadcast32, 4)
BROADCAST(broadcast64, 8)
COLLECT(collect32, 4, COLL_WORK_COLLECT)
COLLECT(collect64, 8, COLL_WORK_COLLECT)
COLLECT(fcollect32, 4, COLL_WORK_FCOLLECT)
COLLECT(fcollect64, 8, COLL_WORK_FCOLLECT)
ALLTOALL(alltoall32, 4)
ALLTOALL(alltoall64, 8)
ALLTOALLS(alltoalls32, 4)
ALLTOALLS(alltoalls64, 8)

SHMEMI_TYPES_ASET_BIT(COLL_AND, _and)
SHMEMI_TYPES_ASET_BIT(COLL_OR, _or)
SHMEMI_TYPES_ASET_BIT(COLL_XOR, _xor)
SHMEMI_TYPES_ASET_ORD(COLL_MAX, _max)
SHMEMI_TYPES_ASET_ORD(COLL_MIN, _min)
SHMEMI_TYPES_ASET_ARITH(COLL_SUM, _sum)
SHMEMI_TYPES_ASET_ARITH(COLL_PROD, _prod)

static size_t
count_of(const char *call, int nreduce)
{
	if (nreduce < 0)
		shmemi_fatal(call, "nreduce %d is negative", nreduce);
	return (size_t)nreduce;
}

#define TO_ALL(T, N, op_)                                                                 \
	SET_CALL(N##op_##_to_all, T, (int nreduce), (T * pWrk __attribute__((unused)), ), \
		 .kind = COLL_WORK_REDUCE, .len = count_of(call, nreduce),                \
		 .what = {N##op_, sizeof(T), false})

SHMEMI_TYPES_ASET_BIT(TO_ALL, _and)
SHMEMI_TYPES_ASET_BIT(TO_ALL, _or)
SHMEMI_TYPES_ASET_BIT(TO_ALL, _xor)
SHMEMI_TYPES_ASET_ORD(TO_ALL, _max)
SHMEMI_TYPES_ASET_ORD(TO_ALL, _min)
SHMEMI_TYPES_ASET_ARITH(TO_ALL, _sum)
SHMEMI_TYPES_ASET_ARITH(TO_ALL, _prod)
