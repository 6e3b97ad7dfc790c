/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Atomics of each type.
 */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#include <string.h>

#include "../multi/types.h"
#include "run.h"

#define HAND(name, ...) \
	(c->plain ? shmem_##name(__VA_ARGS__) : shmem_ctx_##name(c->ctx, __VA_ARGS__))
/* An atomic that returns what was there, by value or later. */
#define FETCH(N, op, ...)                                        \
	if (c->nbi)                                              \
		HAND(N##_atomic_##op##_nbi, fetch, __VA_ARGS__); \
	else                                                     \
		ret = HAND(N##_atomic_##op, __VA_ARGS__);        \
	break

#define BEGIN(T)                                                \
	T *dest = c->dest, *fetch = c->fetch, value, cond, ret; \
                                                                \
	memcpy(&value, &c->value, sizeof(value));               \
	memcpy(&cond, &c->cond, sizeof(cond));                  \
	memset(&ret, 0, sizeof(ret));
#define END         \
	c->ret = 0; \
	memcpy(&c->ret, &ret, sizeof(ret));

#define EXT_CASES(N)                                      \
	case A_FETCH:                                     \
		FETCH(N, fetch, dest, c->pe);             \
	case A_SWAP:                                      \
		FETCH(N, swap, dest, value, c->pe);       \
	case A_SET:                                       \
		HAND(N##_atomic_set, dest, value, c->pe); \
		break;
#define AMO_CASES(N)                                              \
	case A_CSWAP:                                             \
		FETCH(N, compare_swap, dest, cond, value, c->pe); \
	case A_FINC:                                              \
		FETCH(N, fetch_inc, dest, c->pe);                 \
	case A_FADD:                                              \
		FETCH(N, fetch_add, dest, value, c->pe);          \
	case A_INC:                                               \
		HAND(N##_atomic_inc, dest, c->pe);                \
		break;                                            \
	case A_ADD:                                               \
		HAND(N##_atomic_add, dest, value, c->pe);         \
		break;
#define BIT_CASES(N)                                      \
	case A_FAND:                                      \
		FETCH(N, fetch_and, dest, value, c->pe);  \
	case A_FOR:                                       \
		FETCH(N, fetch_or, dest, value, c->pe);   \
	case A_FXOR:                                      \
		FETCH(N, fetch_xor, dest, value, c->pe);  \
	case A_AND:                                       \
		HAND(N##_atomic_and, dest, value, c->pe); \
		break;                                    \
	case A_OR:                                        \
		HAND(N##_atomic_or, dest, value, c->pe);  \
		break;                                    \
	case A_XOR:                                       \
		HAND(N##_atomic_xor, dest, value, c->pe); \
		break;

#define AMO_EXT(T, N)                           \
	static void amo_##N(struct amo_call *c) \
	{                                       \
		BEGIN(T)                        \
		(void)cond;                     \
		switch (c->what) {              \
			EXT_CASES(N)            \
		}                               \
		END                             \
	}
#define AMO(T, N)                               \
	static void amo_##N(struct amo_call *c) \
	{                                       \
		BEGIN(T)                        \
		if (c->old) {                   \
			old_##N(c);             \
			return;                 \
		}                               \
		switch (c->what) {              \
			EXT_CASES(N)            \
			AMO_CASES(N)            \
		}                               \
		END                             \
	}
#define AMO_BIT(T, N)                           \
	static void amo_##N(struct amo_call *c) \
	{                                       \
		BEGIN(T)                        \
		switch (c->what) {              \
			EXT_CASES(N)            \
			AMO_CASES(N)            \
			BIT_CASES(N)            \
		}                               \
		END                             \
	}

/* The names of OpenSHMEM 1.3. */
#define AMO_OLD(T, N)                                                      \
	static void old_##N(struct amo_call *c)                            \
	{                                                                  \
		BEGIN(T)                                                   \
		(void)fetch;                                               \
		switch (c->what) {                                         \
		case A_FETCH:                                              \
			ret = shmem_##N##_fetch(dest, c->pe);              \
			break;                                             \
		case A_SET:                                                \
			shmem_##N##_set(dest, value, c->pe);               \
			break;                                             \
		case A_SWAP:                                               \
			ret = shmem_##N##_swap(dest, value, c->pe);        \
			break;                                             \
		case A_CSWAP:                                              \
			ret = shmem_##N##_cswap(dest, cond, value, c->pe); \
			break;                                             \
		case A_FINC:                                               \
			ret = shmem_##N##_finc(dest, c->pe);               \
			break;                                             \
		case A_INC:                                                \
			shmem_##N##_inc(dest, c->pe);                      \
			break;                                             \
		case A_FADD:                                               \
			ret = shmem_##N##_fadd(dest, value, c->pe);        \
			break;                                             \
		default:                                                   \
			shmem_##N##_add(dest, value, c->pe);               \
		}                                                          \
		END                                                        \
	}

AMO_OLD(int, int)
AMO_OLD(long, long)
AMO_OLD(long long, longlong)
#define old_size(c) (void)0
#define old_ptrdiff(c) (void)0
AMO(int, int)
AMO(long, long)
AMO(long long, longlong)
AMO(size_t, size)
AMO(ptrdiff_t, ptrdiff)
TYPES_BIT(AMO_BIT)
AMO_EXT(float, float)
AMO_EXT(double, double)

/* in the order of the table of types */
void (*const amo_calls[TYPES])(struct amo_call *) = {
	amo_float,    amo_double, NULL, NULL,	  NULL,	      NULL,	     amo_int,  amo_long,
	amo_longlong, NULL,	  NULL, amo_uint, amo_ulong,  amo_ulonglong, NULL,     NULL,
	amo_int32,    amo_int64,  NULL, NULL,	  amo_uint32, amo_uint64,    amo_size, amo_ptrdiff,
};
