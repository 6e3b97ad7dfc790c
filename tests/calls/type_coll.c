/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Collectives of each type, on teams and on active sets.
 */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#include "../multi/types.h"
#include "run.h"

#define TEAM c->team, to, from
#define MOVE_CASES(N)                                             \
	case C_BROADCAST:                                         \
		return shmem_##N##broadcast(TEAM, c->n, c->root); \
	case C_COLLECT:                                           \
		return shmem_##N##collect(TEAM, c->n);            \
	case C_FCOLLECT:                                          \
		return shmem_##N##fcollect(TEAM, c->n);           \
	case C_ALLTOALL:                                          \
		return shmem_##N##alltoall(TEAM, c->n);           \
	case C_ALLTOALLS:                                         \
		return shmem_##N##alltoalls(TEAM, c->dst, c->sst, c->n);
#define FOLD_CASES(N)                                       \
	case C_SUM:                                         \
		return shmem_##N##_sum_reduce(TEAM, c->n);  \
	case C_PROD:                                        \
		return shmem_##N##_prod_reduce(TEAM, c->n); \
	case C_INSCAN:                                      \
		return shmem_##N##_sum_inscan(TEAM, c->n);  \
	case C_EXSCAN:                                      \
		return shmem_##N##_sum_exscan(TEAM, c->n);
#define ORDER_CASES(N)                                     \
	case C_MAX:                                        \
		return shmem_##N##_max_reduce(TEAM, c->n); \
	case C_MIN:                                        \
		return shmem_##N##_min_reduce(TEAM, c->n);
#define BIT_CASES(N)                                       \
	case C_AND:                                        \
		return shmem_##N##_and_reduce(TEAM, c->n); \
	case C_OR:                                         \
		return shmem_##N##_or_reduce(TEAM, c->n);  \
	case C_XOR:                                        \
		return shmem_##N##_xor_reduce(TEAM, c->n);
#define COLL(T, N, CASES)                              \
	static int coll_##N(const struct coll_call *c) \
	{                                              \
		T *to = c->dest;                       \
		const T *from = c->source;             \
                                                       \
		switch (c->what) {                     \
			CASES(N)                       \
		default:                               \
			return -1;                     \
		}                                      \
	}
#define COMPLEX_KIND(N) FOLD_CASES(N)
#define ORDER_KIND(N) MOVE_CASES(N##_) FOLD_CASES(N) ORDER_CASES(N)
#define BIT_KIND(N) ORDER_KIND(N) BIT_CASES(N)
#define COLL_BIT(T, N) COLL(T, N, BIT_KIND)
TYPES_REDUCE_BIT(COLL_BIT)
COLL(float, float, ORDER_KIND)
COLL(double, double, ORDER_KIND)
COLL(long double, longdouble, ORDER_KIND)
COLL(char, char, ORDER_KIND)
COLL(signed char, schar, ORDER_KIND)
COLL(short, short, ORDER_KIND)
COLL(int, int, ORDER_KIND)
COLL(long, long, ORDER_KIND)
COLL(long long, longlong, ORDER_KIND)
COLL(ptrdiff_t, ptrdiff, ORDER_KIND)
COLL(double _Complex, complexd, COMPLEX_KIND)
COLL(float _Complex, complexf, COMPLEX_KIND)

static int
coll_mem(const struct coll_call *c)
{
	switch (c->what) {
	case C_BROADCAST:
		return shmem_broadcastmem(c->team, c->dest, c->source, c->n, c->root);
	case C_COLLECT:
		return shmem_collectmem(c->team, c->dest, c->source, c->n);
	case C_FCOLLECT:
		return shmem_fcollectmem(c->team, c->dest, c->source, c->n);
	case C_ALLTOALL:
		return shmem_alltoallmem(c->team, c->dest, c->source, c->n);
	default:
		return shmem_alltoallsmem(c->team, c->dest, c->source, c->dst, c->sst, c->n);
	}
}

#define SET c->start, c->log_stride, c->size
#define ASET_FOLD(N, op)                                                                  \
	shmem_##N##_##op##_to_all(c->dest, c->source, (int)c->n, SET, c->work, c->psync); \
	break
#define ASET_SUMS(N)               \
	case C_SUM:                \
		ASET_FOLD(N, sum); \
	case C_PROD:               \
		ASET_FOLD(N, prod);
#define ASET_ORDERS(N)             \
	ASET_SUMS(N)               \
	case C_MAX:                \
		ASET_FOLD(N, max); \
	case C_MIN:                \
		ASET_FOLD(N, min);
#define ASET_BITS(N)               \
	ASET_ORDERS(N)             \
	case C_AND:                \
		ASET_FOLD(N, and); \
	case C_OR:                 \
		ASET_FOLD(N, or);  \
	case C_XOR:                \
		ASET_FOLD(N, xor);
#define ASET(N, CASES)                                  \
	static void aset_##N(const struct coll_call *c) \
	{                                               \
		switch (c->what) {                      \
			CASES(N)                        \
		}                                       \
	}
ASET(short, ASET_BITS)
ASET(int, ASET_BITS)
ASET(long, ASET_BITS)
ASET(longlong, ASET_BITS)
ASET(float, ASET_ORDERS)
ASET(double, ASET_ORDERS)
ASET(longdouble, ASET_ORDERS)
ASET(complexd, ASET_SUMS)
ASET(complexf, ASET_SUMS)

#define ASET_SIZED(B)                                                                         \
	static void aset_##B(const struct coll_call *c)                                       \
	{                                                                                     \
		switch (c->what) {                                                            \
		case C_BROADCAST:                                                             \
			shmem_broadcast##B(c->dest, c->source, c->n, c->root, SET, c->psync); \
			break;                                                                \
		case C_COLLECT:                                                               \
			shmem_collect##B(c->dest, c->source, c->n, SET, c->psync);            \
			break;                                                                \
		case C_FCOLLECT:                                                              \
			shmem_fcollect##B(c->dest, c->source, c->n, SET, c->psync);           \
			break;                                                                \
		case C_ALLTOALL:                                                              \
			shmem_alltoall##B(c->dest, c->source, c->n, SET, c->psync);           \
			break;                                                                \
		default:                                                                      \
			shmem_alltoalls##B(c->dest, c->source, c->dst, c->sst, c->n, SET,     \
					   c->psync);                                         \
		}                                                                             \
	}
ASET_SIZED(32)
ASET_SIZED(64)

#define ENTRY(T, N) coll_##N,
int (*const coll_calls[TYPES])(const struct coll_call *) = {
	TYPES_RMA(ENTRY) coll_complexd, coll_complexf, NULL, NULL, NULL, NULL, NULL, coll_mem,
};

/* in the order of the table of types */
void (*const aset_calls[TYPES])(const struct coll_call *) = {
	aset_float,    aset_double,   aset_longdouble,
	NULL,	       NULL,	      aset_short,
	aset_int,      aset_long,     aset_longlong,
	NULL,	       NULL,	      NULL,
	NULL,	       NULL,	      NULL,
	NULL,	       NULL,	      NULL,
	NULL,	       NULL,	      NULL,
	NULL,	       NULL,	      NULL,
	aset_complexd, aset_complexf, NULL,
	NULL,	       aset_32,	      aset_64,
};
