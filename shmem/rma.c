/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "check.h"
#include "shmemi.h"

/* Remote memory access, blocking and not (sections 9.6 and 9.7), of contiguous data. */

/** One call, as the API tells it. */
struct move {
	const char *call;
	void *dest;
	const void *source;
	size_t nelems;
	size_t size;
	bool get;
};

static size_t
bytes_of(const struct move *m)
{
	size_t len;

	if (__builtin_expect(__builtin_mul_overflow(m->nelems, m->size, &len), 0))
		shmemi_fatal(m->call, "nelems is %zu, of %zu bytes each", m->nelems, m->size);
	return len;
}

static __attribute__((cold)) void
check(const struct move *m, const struct shmemi_ctx *ctx, int pe)
{
	const struct shmemi_access a = {
		.ctx = ctx,
		.remote = m->get ? m->source : m->dest,
		.local = m->get ? m->dest : m->source,
		.len = bytes_of(m),
		.align = m->size,
		.pe = pe,
	};

	shmemi_check_access(m->call, &a);
}

static inline __attribute__((always_inline)) void
move(const struct move *m, shmem_ctx_t handle, int pe,
     int (*fn)(struct rb_ctx *ctx, int pe, void *dst, const void *src, size_t len))
{
	const struct shmemi_ctx *ctx = shmemi_ctx_of(m->call, handle);
	int world = shmemi_pe_of(m->call, ctx, pe);
	size_t len = bytes_of(m);
	int err;

	if (__builtin_expect(shmemi.check, 0))
		check(m, ctx, world);
	err = fn(ctx->rb, world, m->dest, m->source, len);
	if (__builtin_expect(err != 0, 0))
		shmemi_fail(m->call, err, pe, m->get ? m->source : m->dest, len);
}

static void
move_put(const struct move *m, shmem_ctx_t ctx, int pe)
{
	move(m, ctx, pe, rb_put);
}

static void
move_put_nbi(const struct move *m, shmem_ctx_t ctx, int pe)
{
	move(m, ctx, pe, rb_put_nbi);
}

static void
move_get(const struct move *m, shmem_ctx_t ctx, int pe)
{
	move(m, ctx, pe, rb_get);
}

static void
move_get_nbi(const struct move *m, shmem_ctx_t ctx, int pe)
{
	move(m, ctx, pe, rb_get_nbi);
}

enum {
	GET_put,
	GET_put_nbi = 0,
	GET_get = 1,
	GET_get_nbi = 1
};

/* NAME of the call, op of its function, bytes of an element */
#define MOVE(name, op, bytes, ctx)                                                                \
	move##op(&(const struct move){"shmem_" #name, dest, source, nelems, bytes, GET##op}, ctx, \
		 pe)

#define TYPED(T, N, op)                                                                 \
	SHMEMI_API(void, N##op, (T * dest, const T *source, size_t nelems, int pe))     \
	{                                                                               \
		MOVE(N##op, op, sizeof(T), SHMEM_CTX_DEFAULT);                          \
	}                                                                               \
	SHMEMI_API(void, ctx_##N##op,                                                   \
		   (shmem_ctx_t ctx, T * dest, const T *source, size_t nelems, int pe)) \
	{                                                                               \
		MOVE(ctx_##N##op, op, sizeof(T), ctx);                                  \
	}

SHMEMI_TYPES_RMA(TYPED, _put)
SHMEMI_TYPES_RMA(TYPED, _get)
SHMEMI_TYPES_RMA(TYPED, _put_nbi)
SHMEMI_TYPES_RMA(TYPED, _get_nbi)

#define UNTYPED(name, op, bytes)                                                             \
	SHMEMI_API(void, name, (void *dest, const void *source, size_t nelems, int pe))      \
	{                                                                                    \
		MOVE(name, op, bytes, SHMEM_CTX_DEFAULT);                                    \
	}                                                                                    \
	SHMEMI_API(void, ctx_##name,                                                         \
		   (shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)) \
	{                                                                                    \
		MOVE(ctx_##name, op, bytes, ctx);                                            \
	}
#define SIZED(bits, op)                      \
	UNTYPED(op##bits, _##op, (bits) / 8) \
	UNTYPED(op##bits##_nbi, _##op##_nbi, (bits) / 8)

SHMEMI_SIZES(SIZED, put)
SHMEMI_SIZES(SIZED, get)
UNTYPED(putmem, _put, 1)
UNTYPED(getmem, _get, 1)
UNTYPED(putmem_nbi, _put_nbi, 1)
UNTYPED(getmem_nbi, _get_nbi, 1)

/* The size is a constant here, which the compiler carries into the copy. */
#define SINGLE(T, N, op)                                                                           \
	static inline __attribute__((always_inline)) void p_##N(const char *call, shmem_ctx_t ctx, \
								T *dest, T value, int pe)          \
	{                                                                                          \
		move(&(const struct move){call, dest, &value, 1, sizeof(T), false}, ctx, pe,       \
		     rb_put);                                                                      \
	}                                                                                          \
	static inline __attribute__((always_inline))                                               \
	T g_##N(const char *call, shmem_ctx_t ctx, const T *source, int pe)                        \
	{                                                                                          \
		T value;                                                                           \
                                                                                                   \
		move(&(const struct move){call, &value, source, 1, sizeof(T), true}, ctx, pe,      \
		     rb_get);                                                                      \
		return value;                                                                      \
	}                                                                                          \
	SHMEMI_API(void, N##_p, (T * dest, T value, int pe))                                       \
	{                                                                                          \
		p_##N("shmem_" #N "_p", SHMEM_CTX_DEFAULT, dest, value, pe);                       \
	}                                                                                          \
	SHMEMI_API(void, ctx_##N##_p, (shmem_ctx_t ctx, T * dest, T value, int pe))                \
	{                                                                                          \
		p_##N("shmem_ctx_" #N "_p", ctx, dest, value, pe);                                 \
	}                                                                                          \
	SHMEMI_API(T, N##_g, (const T *source, int pe))                                            \
	{                                                                                          \
		return g_##N("shmem_" #N "_g", SHMEM_CTX_DEFAULT, source, pe);                     \
	}                                                                                          \
	SHMEMI_API(T, ctx_##N##_g, (shmem_ctx_t ctx, const T *source, int pe))                     \
	{                                                                                          \
		return g_##N("shmem_ctx_" #N "_g", ctx, source, pe);                               \
	}

SHMEMI_TYPES_RMA(SINGLE, _)
