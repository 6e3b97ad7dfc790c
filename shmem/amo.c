/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "amo.h"
#include "core/check.h"

/*
 * Atomic memory operations (section 9.8). Arithmetic is done on unsigned words, so that signed
 * types wrap; float and double only travel, bit by bit.
 */

static inline void
amo_now(const struct shmemi_amo *amo, const struct shmemi_ctx *ctx, int pe, int world)
{
	/* the runtime does not write through the address of a fetch */
	int err = rb_amo(ctx->rb, world, (void *)(uintptr_t)amo->dest, &amo->op, amo->fetch,
			 amo->fetch == NULL || amo->nbi);

	if (__builtin_expect(err != 0, 0))
		shmemi_fail(amo->call, err, pe, amo->dest, amo->op.size);
}

static __attribute__((cold, noinline)) void
amo_checked(const struct shmemi_amo *amo, const struct shmemi_ctx *ctx, int pe, int world)
{
	const struct shmemi_access a = {
		.ctx = ctx,
		.remote = amo->dest,
		.local = amo->fetch == NULL ? amo : amo->fetch,
		.len = amo->op.size,
		.align = amo->op.size,
		.pe = world,
		.touch = SHMEMI_ATOMIC,
		.open = amo->fetch == NULL || amo->nbi,
	};

	shmemi_check_access(amo->call, &a);
	amo_now(amo, ctx, pe, world);
	if (!shmemi.races || amo->fetch == NULL)
		return;
	if (amo->nbi)
		shmemi_race_acquire_later();
	else
		shmemi_race_acquire(amo->dest, amo->op.size, world, false);
}

void
shmemi_amo(const struct shmemi_amo *amo, shmem_ctx_t handle, int pe)
{
	const struct shmemi_ctx *ctx = shmemi_ctx_of(amo->call, handle);
	int world = shmemi_pe_of(amo->call, ctx, pe);

	if (__builtin_expect(shmemi.check, 0))
		amo_checked(amo, ctx, pe, world);
	else
		amo_now(amo, ctx, pe, world);
}

/* The effect of a call on the word. */
enum {
	KIND_atomic_fetch = RB_AMO_FETCH,
	KIND_atomic_set = RB_AMO_SET,
	KIND_atomic_swap = RB_AMO_SWAP,
	KIND_atomic_compare_swap = RB_AMO_CSWAP,
	KIND_atomic_inc = RB_AMO_ADD,
	KIND_atomic_fetch_inc = RB_AMO_FADD,
	KIND_atomic_add = RB_AMO_ADD,
	KIND_atomic_fetch_add = RB_AMO_FADD,
	KIND_atomic_and = RB_AMO_AND,
	KIND_atomic_fetch_and = RB_AMO_FAND,
	KIND_atomic_or = RB_AMO_OR,
	KIND_atomic_fetch_or = RB_AMO_FOR,
	KIND_atomic_xor = RB_AMO_XOR,
	KIND_atomic_fetch_xor = RB_AMO_FXOR,
};

/* A shape of API functions: first the body, then the forms without and with a context. */

#define AMO_VOID_BODY(N, T, op, context, value)                                      \
	{                                                                            \
		SHMEMI_AMO("shmem_" #N, T, KIND##op, context, dest, (T)(value), pe); \
	}
#define AMO_FETCH_BODY(N, T, op, context, dst, value, cond)                                     \
	{                                                                                       \
		T old;                                                                          \
                                                                                                \
		SHMEMI_FETCH_AMO("shmem_" #N, T, KIND##op, context, dst, (T)(value), (T)(cond), \
				 &old, false, pe);                                              \
		return old;                                                                     \
	}
#define AMO_NBI_BODY(N, T, op, context, dst, value, cond)                                   \
	{                                                                                   \
		SHMEMI_FETCH_AMO("shmem_" #N "_nbi", T, KIND##op, context, dst, (T)(value), \
				 (T)(cond), fetch, true, pe);                               \
	}

#define AMO_VALUE(T, N, op)                                                         \
	SHMEMI_API(void, N##op, (T * dest, T value, int pe))                        \
	AMO_VOID_BODY(N##op, T, op, SHMEM_CTX_DEFAULT, value)                       \
	SHMEMI_API(void, ctx_##N##op, (shmem_ctx_t ctx, T * dest, T value, int pe)) \
	AMO_VOID_BODY(ctx_##N##op, T, op, ctx, value)
#define AMO_INC(T, N, op)                                                  \
	SHMEMI_API(void, N##op, (T * dest, int pe))                        \
	AMO_VOID_BODY(N##op, T, op, SHMEM_CTX_DEFAULT, 1)                  \
	SHMEMI_API(void, ctx_##N##op, (shmem_ctx_t ctx, T * dest, int pe)) \
	AMO_VOID_BODY(ctx_##N##op, T, op, ctx, 1)

#define AMO_FETCH(T, N, op)                                                                        \
	SHMEMI_API(T, N##op, (const T *source, int pe))                                            \
	AMO_FETCH_BODY(N##op, T, op, SHMEM_CTX_DEFAULT, source, 0, 0)                              \
	SHMEMI_API(T, ctx_##N##op, (shmem_ctx_t ctx, const T *source, int pe))                     \
	AMO_FETCH_BODY(ctx_##N##op, T, op, ctx, source, 0, 0)                                      \
	SHMEMI_API(void, N##op##_nbi, (T * fetch, const T *source, int pe))                        \
	AMO_NBI_BODY(N##op, T, op, SHMEM_CTX_DEFAULT, source, 0, 0)                                \
	SHMEMI_API(void, ctx_##N##op##_nbi, (shmem_ctx_t ctx, T * fetch, const T *source, int pe)) \
	AMO_NBI_BODY(ctx_##N##op, T, op, ctx, source, 0, 0)
#define AMO_FETCH_INC(T, N, op)                                                             \
	SHMEMI_API(T, N##op, (T * dest, int pe))                                            \
	AMO_FETCH_BODY(N##op, T, op, SHMEM_CTX_DEFAULT, dest, 1, 0)                         \
	SHMEMI_API(T, ctx_##N##op, (shmem_ctx_t ctx, T * dest, int pe))                     \
	AMO_FETCH_BODY(ctx_##N##op, T, op, ctx, dest, 1, 0)                                 \
	SHMEMI_API(void, N##op##_nbi, (T * fetch, T * dest, int pe))                        \
	AMO_NBI_BODY(N##op, T, op, SHMEM_CTX_DEFAULT, dest, 1, 0)                           \
	SHMEMI_API(void, ctx_##N##op##_nbi, (shmem_ctx_t ctx, T * fetch, T * dest, int pe)) \
	AMO_NBI_BODY(ctx_##N##op, T, op, ctx, dest, 1, 0)
#define AMO_FETCH_VALUE(T, N, op)                                                \
	SHMEMI_API(T, N##op, (T * dest, T value, int pe))                        \
	AMO_FETCH_BODY(N##op, T, op, SHMEM_CTX_DEFAULT, dest, value, 0)          \
	SHMEMI_API(T, ctx_##N##op, (shmem_ctx_t ctx, T * dest, T value, int pe)) \
	AMO_FETCH_BODY(ctx_##N##op, T, op, ctx, dest, value, 0)                  \
	SHMEMI_API(void, N##op##_nbi, (T * fetch, T * dest, T value, int pe))    \
	AMO_NBI_BODY(N##op, T, op, SHMEM_CTX_DEFAULT, dest, value, 0)            \
	SHMEMI_API(void, ctx_##N##op##_nbi,                                      \
		   (shmem_ctx_t ctx, T * fetch, T * dest, T value, int pe))      \
	AMO_NBI_BODY(ctx_##N##op, T, op, ctx, dest, value, 0)
#define AMO_CSWAP(T, N, op)                                                              \
	SHMEMI_API(T, N##op, (T * dest, T cond, T value, int pe))                        \
	AMO_FETCH_BODY(N##op, T, op, SHMEM_CTX_DEFAULT, dest, value, cond)               \
	SHMEMI_API(T, ctx_##N##op, (shmem_ctx_t ctx, T * dest, T cond, T value, int pe)) \
	AMO_FETCH_BODY(ctx_##N##op, T, op, ctx, dest, value, cond)                       \
	SHMEMI_API(void, N##op##_nbi, (T * fetch, T * dest, T cond, T value, int pe))    \
	AMO_NBI_BODY(N##op, T, op, SHMEM_CTX_DEFAULT, dest, value, cond)                 \
	SHMEMI_API(void, ctx_##N##op##_nbi,                                              \
		   (shmem_ctx_t ctx, T * fetch, T * dest, T cond, T value, int pe))      \
	AMO_NBI_BODY(ctx_##N##op, T, op, ctx, dest, value, cond)

/* clang-format off */
SHMEMI_TYPES_AMO_EXT(AMO_FETCH, _atomic_fetch)
SHMEMI_TYPES_AMO_EXT(AMO_VALUE, _atomic_set)
SHMEMI_TYPES_AMO_EXT(AMO_FETCH_VALUE, _atomic_swap)
SHMEMI_TYPES_AMO(AMO_CSWAP, _atomic_compare_swap)
SHMEMI_TYPES_AMO(AMO_FETCH_INC, _atomic_fetch_inc)
SHMEMI_TYPES_AMO(AMO_INC, _atomic_inc)
SHMEMI_TYPES_AMO(AMO_FETCH_VALUE, _atomic_fetch_add)
SHMEMI_TYPES_AMO(AMO_VALUE, _atomic_add)
SHMEMI_TYPES_AMO_BIT(AMO_FETCH_VALUE, _atomic_fetch_and)
SHMEMI_TYPES_AMO_BIT(AMO_VALUE, _atomic_and)
SHMEMI_TYPES_AMO_BIT(AMO_FETCH_VALUE, _atomic_fetch_or)
SHMEMI_TYPES_AMO_BIT(AMO_VALUE, _atomic_or)
SHMEMI_TYPES_AMO_BIT(AMO_FETCH_VALUE, _atomic_fetch_xor)
SHMEMI_TYPES_AMO_BIT(AMO_VALUE, _atomic_xor)
/* clang-format on */

/* Names of OpenSHMEM 1.3 and before, which have neither contexts nor nbi forms. */
#define AMO_OLD_EXT(T, N, op)                                                        \
	SHMEMI_API(T, N##_fetch, (const T *source, int pe))                          \
	AMO_FETCH_BODY(N##_fetch, T, _atomic_fetch, SHMEM_CTX_DEFAULT, source, 0, 0) \
	SHMEMI_API(void, N##_set, (T * dest, T value, int pe))                       \
	AMO_VOID_BODY(N##_set, T, _atomic_set, SHMEM_CTX_DEFAULT, value)             \
	SHMEMI_API(T, N##_swap, (T * dest, T value, int pe))                         \
	AMO_FETCH_BODY(N##_swap, T, _atomic_swap, SHMEM_CTX_DEFAULT, dest, value, 0)
#define AMO_OLD(T, N, op)                                                                        \
	SHMEMI_API(T, N##_cswap, (T * dest, T cond, T value, int pe))                            \
	AMO_FETCH_BODY(N##_cswap, T, _atomic_compare_swap, SHMEM_CTX_DEFAULT, dest, value, cond) \
	SHMEMI_API(T, N##_finc, (T * dest, int pe))                                              \
	AMO_FETCH_BODY(N##_finc, T, _atomic_fetch_inc, SHMEM_CTX_DEFAULT, dest, 1, 0)            \
	SHMEMI_API(void, N##_inc, (T * dest, int pe))                                            \
	AMO_VOID_BODY(N##_inc, T, _atomic_inc, SHMEM_CTX_DEFAULT, 1)                             \
	SHMEMI_API(T, N##_fadd, (T * dest, T value, int pe))                                     \
	AMO_FETCH_BODY(N##_fadd, T, _atomic_fetch_add, SHMEM_CTX_DEFAULT, dest, value, 0)        \
	SHMEMI_API(void, N##_add, (T * dest, T value, int pe))                                   \
	AMO_VOID_BODY(N##_add, T, _atomic_add, SHMEM_CTX_DEFAULT, value)

SHMEMI_TYPES_OLD_AMO_EXT(AMO_OLD_EXT, _)
SHMEMI_TYPES_OLD_AMO(AMO_OLD, _)
