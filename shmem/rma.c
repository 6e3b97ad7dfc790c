/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "core/check.h"
#include "core/shmemi.h"

/*
 * Remote memory access, blocking and not (sections 9.6 and 9.7), of contiguous data. Memory within
 * reach of loads and stores is accessed in the API function itself: another call, and registers
 * saved on the stack for it, would be most of the cost of a word. All else goes to call_runtime().
 */

/** One function of the API. */
struct call {
	const char *name;
	size_t size; /**< of an element */
	bool get;
	int (*fn)(struct rb_ctx *ctx, int pe, void *dst, const void *src, size_t len);
};

static __attribute__((cold)) void
check_move(const struct call *c, const struct shmemi_ctx *ctx, const void *remote,
	   const void *local, size_t len, int pe)
{
	const struct shmemi_access a = {
		.ctx = ctx,
		.remote = remote,
		.local = local,
		.len = len,
		.align = c->size,
		.pe = pe,
		.touch = c->get ? SHMEMI_READ : SHMEMI_WRITE,
		.open = !c->get || c->fn == rb_get_nbi,
		.later = c->fn == rb_put_nbi || c->fn == rb_get_nbi,
	};

	shmemi_check_access(c->name, &a);
	if (c->fn == rb_put_nbi && len != 0)
		shmemi_later_note(c->name, ctx->rb, local, len);
}

/* Slow paths are separate functions, so that the fast path saves no registers for them. */
#define LONG_WAY static __attribute__((noinline))

LONG_WAY void
call_runtime(const struct call *c, shmem_ctx_t handle, void *dest, const void *source,
	     size_t nelems, int pe)
{
	const struct shmemi_ctx *ctx = shmemi_ctx_of(c->name, handle);
	int world = shmemi_pe_of(c->name, ctx, pe);
	const void *remote = c->get ? source : dest;
	size_t len;
	int err;

	if (__builtin_expect(__builtin_mul_overflow(nelems, c->size, &len), 0))
		shmemi_fatal(c->name, "nelems is %zu: elements of %zu bytes exceed memory", nelems,
			     c->size);
	if (__builtin_expect(shmemi.check, 0))
		check_move(c, ctx, remote, c->get ? dest : source, len, world);
	err = c->fn(ctx->rb, world, dest, source, len);
	if (__builtin_expect(err != 0, 0))
		shmemi_fail(c->name, err, pe, remote, len);
}

#define SHORT_WAY static inline __attribute__((always_inline))

/* World PE of @p pe, one of the first @p pes; false: misuse, or call_runtime() must check it. */
SHORT_WAY bool
pe_among(unsigned int pes, shmem_ctx_t handle, int pe, int *ret)
{
	const struct shmemi_ctx *ctx = (const struct shmemi_ctx *)(const void *)handle;

	*ret = pe;
	if (handle == SHMEM_CTX_DEFAULT)
		return (unsigned int)pe < pes;
	if (pes == 0 || handle == SHMEM_CTX_INVALID ||
	    (unsigned int)pe >= (unsigned int)ctx->team->size)
		return false;
	*ret = shmemi_team_pe(ctx->team, pe);
	return true;
}

SHORT_WAY bool
fast_pe(shmem_ctx_t handle, int pe, int *ret)
{
	return pe_among(shmemi.fast_pes, handle, pe, ret);
}

SHORT_WAY void
move_data(const struct call *c, shmem_ctx_t handle, void *dest, const void *source, size_t nelems,
	  int pe)
{
	size_t len = nelems * c->size;
	void *there;
	int world;

	if (__builtin_expect(nelems - 1 < RB_FAST_MAX / c->size && fast_pe(handle, pe, &world) &&
				     rb_fast_at(world, c->get ? source : dest, len, &there),
			     1)) {
		if (c->get) {
			rb_copy(dest, there, len);
			rb_got();
		} else {
			rb_store(there, source, len);
		}
	} else {
		call_runtime(c, handle, dest, source, nelems, pe);
	}
}

/* Name of the call and its function in the runtime, whether that is a get, bytes of an element */
#define RMA_MOVE(name, fn, get, bytes, ctx)                            \
	static const struct call c = {"shmem_" #name, bytes, get, fn}; \
                                                                       \
	move_data(&c, ctx, dest, source, nelems, pe)

#define RMA_CALL(T, name, fn, get, bytes)                                               \
	SHMEMI_API(void, name, (T * dest, const T *source, size_t nelems, int pe))      \
	{                                                                               \
		RMA_MOVE(name, fn, get, bytes, SHMEM_CTX_DEFAULT);                      \
	}                                                                               \
	SHMEMI_API(void, ctx_##name,                                                    \
		   (shmem_ctx_t ctx, T * dest, const T *source, size_t nelems, int pe)) \
	{                                                                               \
		RMA_MOVE(ctx_##name, fn, get, bytes, ctx);                              \
	}

#define RMA_PUT(T, N, op) RMA_CALL(T, N##op, rb##op, false, sizeof(T))
#define RMA_GET(T, N, op) RMA_CALL(T, N##op, rb##op, true, sizeof(T))

SHMEMI_TYPES_RMA(RMA_PUT, _put)
SHMEMI_TYPES_RMA(RMA_GET, _get)
SHMEMI_TYPES_RMA(RMA_PUT, _put_nbi)
SHMEMI_TYPES_RMA(RMA_GET, _get_nbi)

#define RMA_SIZED(bits, op, get)                           \
	RMA_CALL(void, op##bits, rb_##op, get, (bits) / 8) \
	RMA_CALL(void, op##bits##_nbi, rb_##op##_nbi, get, (bits) / 8)
#define RMA_SIZED_PUT(bits, op) RMA_SIZED(bits, op, false)
#define RMA_SIZED_GET(bits, op) RMA_SIZED(bits, op, true)

SHMEMI_SIZES(RMA_SIZED_PUT, put)
SHMEMI_SIZES(RMA_SIZED_GET, get)
RMA_CALL(void, putmem, rb_put, false, 1)
RMA_CALL(void, getmem, rb_get, true, 1)
RMA_CALL(void, putmem_nbi, rb_put_nbi, false, 1)
RMA_CALL(void, getmem_nbi, rb_get_nbi, true, 1)

SHORT_WAY bool
fast_word(shmem_ctx_t handle, int pe, const void *addr, void **there)
{
	int world;

	return fast_pe(handle, pe, &world) && rb_fast_word(world, addr, there);
}

/* A volatile access is one access: the other side may be looking at the word. */
#define RMA_SINGLE(T, N, op)                                                                      \
	LONG_WAY void slow_p_##N(const struct call *c, shmem_ctx_t ctx, T *dest, T value, int pe) \
	{                                                                                         \
		call_runtime(c, ctx, dest, &value, 1, pe);                                        \
	}                                                                                         \
	LONG_WAY T slow_g_##N(const struct call *c, shmem_ctx_t ctx, const T *source, int pe)     \
	{                                                                                         \
		T value;                                                                          \
                                                                                                  \
		call_runtime(c, ctx, &value, source, 1, pe);                                      \
		return value;                                                                     \
	}                                                                                         \
	SHORT_WAY void p_##N(const struct call *c, shmem_ctx_t ctx, T *dest, T value, int pe)     \
	{                                                                                         \
		void *there;                                                                      \
                                                                                                  \
		if (__builtin_expect(fast_word(ctx, pe, dest, &there), 1))                        \
			*(volatile T *)there = value;                                             \
		else                                                                              \
			slow_p_##N(c, ctx, dest, value, pe);                                      \
	}                                                                                         \
	SHORT_WAY T g_##N(const struct call *c, shmem_ctx_t ctx, const T *source, int pe)         \
	{                                                                                         \
		void *there;                                                                      \
		T value;                                                                          \
                                                                                                  \
		if (__builtin_expect(!fast_word(ctx, pe, source, &there), 0))                     \
			return slow_g_##N(c, ctx, source, pe);                                    \
		value = *(const volatile T *)there;                                               \
		rb_got();                                                                         \
		return value;                                                                     \
	}                                                                                         \
	SHMEMI_API(void, N##_p, (T * dest, T value, int pe))                                      \
	{                                                                                         \
		static const struct call c = {"shmem_" #N "_p", sizeof(T), false, rb_put};        \
                                                                                                  \
		p_##N(&c, SHMEM_CTX_DEFAULT, dest, value, pe);                                    \
	}                                                                                         \
	SHMEMI_API(void, ctx_##N##_p, (shmem_ctx_t ctx, T * dest, T value, int pe))               \
	{                                                                                         \
		static const struct call c = {"shmem_ctx_" #N "_p", sizeof(T), false, rb_put};    \
                                                                                                  \
		p_##N(&c, ctx, dest, value, pe);                                                  \
	}                                                                                         \
	SHMEMI_API(T, N##_g, (const T *source, int pe))                                           \
	{                                                                                         \
		static const struct call c = {"shmem_" #N "_g", sizeof(T), true, rb_get};         \
                                                                                                  \
		return g_##N(&c, SHMEM_CTX_DEFAULT, source, pe);                                  \
	}                                                                                         \
	SHMEMI_API(T, ctx_##N##_g, (shmem_ctx_t ctx, const T *source, int pe))                    \
	{                                                                                         \
		static const struct call c = {"shmem_ctx_" #N "_g", sizeof(T), true, rb_get};     \
                                                                                                  \
		return g_##N(&c, ctx, source, pe);                                                \
	}

SHMEMI_TYPES_RMA(RMA_SINGLE, _)
