/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "aset.h"
#include "call.h"
#include "ops.h"

static void
reduce(const char *call, const struct coll_aset_args *args, void *dest, const void *source,
       int nreduce, const struct coll_reduction *what)
{
	struct coll_aset set;
	struct coll_op op;

	if (nreduce < 0)
		shmemi_fatal(call, "nreduce %d is negative", nreduce);
	coll_aset_enter(&set, call, args);
	coll_begin_on(&op, call, set.team);
	coll_call_reduce(&op, dest, source, (size_t)nreduce, what);
	coll_aset_leave(&set);
}

SHMEMI_TYPES_ASET_BIT(COLL_AND, _and)
SHMEMI_TYPES_ASET_BIT(COLL_OR, _or)
SHMEMI_TYPES_ASET_BIT(COLL_XOR, _xor)
SHMEMI_TYPES_ASET_ORD(COLL_MAX, _max)
SHMEMI_TYPES_ASET_ORD(COLL_MIN, _min)
SHMEMI_TYPES_ASET_ARITH(COLL_SUM, _sum)
SHMEMI_TYPES_ASET_ARITH(COLL_PROD, _prod)

/* pWrk: the team's own buffers serve. */
#define TO_ALL(T, N, op_)                                                                    \
	SHMEMI_API(void, N##op_##_to_all,                                                    \
		   (T * dest, const T *source, int nreduce, int PE_start, int logPE_stride,  \
		    int PE_size, T *pWrk, long *pSync))                                      \
	{                                                                                    \
		const struct coll_aset_args args = {PE_start, logPE_stride, PE_size, pSync}; \
		const struct coll_reduction what = {N##op_, sizeof(T), false};               \
                                                                                             \
		(void)pWrk;                                                                  \
		reduce("shmem_" #N #op_ "_to_all", &args, dest, source, nreduce, &what);     \
	}

SHMEMI_TYPES_ASET_BIT(TO_ALL, _and)
SHMEMI_TYPES_ASET_BIT(TO_ALL, _or)
SHMEMI_TYPES_ASET_BIT(TO_ALL, _xor)
SHMEMI_TYPES_ASET_ORD(TO_ALL, _max)
SHMEMI_TYPES_ASET_ORD(TO_ALL, _min)
SHMEMI_TYPES_ASET_ARITH(TO_ALL, _sum)
SHMEMI_TYPES_ASET_ARITH(TO_ALL, _prod)
