/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "core/check.h"
#include "core/shmemi.h"

/*
 * Memory ordering (section 9.12). Fence and quiet also cover plain stores of the calling thread;
 * rb_fence() and rb_quiet() are CPU barriers whatever is outstanding, hence no test here.
 */

/* In checked mode, before the call acts. */
static void
check_fence(const struct shmemi_ctx *ctx)
{
	(void)ctx;
	if (shmemi.races)
		shmemi_race_fence();
}

static void
check_quiet(const struct shmemi_ctx *ctx)
{
	shmemi_check_quiet(ctx->rb);
}

/* The context of a call that ignores SHMEM_CTX_INVALID, or NULL for that one. */
static struct shmemi_ctx *
ctx_of(const char *call, shmem_ctx_t handle, void (*check)(const struct shmemi_ctx *ctx))
{
	struct shmemi_ctx *ctx;

	shmemi_enter(call);
	if (handle == SHMEM_CTX_INVALID)
		return NULL;
	ctx = shmemi_ctx_of(call, handle);
	if (__builtin_expect(shmemi.check, 0)) {
		shmemi_check_ctx(call, ctx);
		check(ctx);
	}
	return ctx;
}

SHMEMI_API(void, fence, (void))
{
	(void)ctx_of("shmem_fence", SHMEM_CTX_DEFAULT, check_fence);
	rb_fence(rb_ctx_default);
}

SHMEMI_API(void, quiet, (void))
{
	(void)ctx_of("shmem_quiet", SHMEM_CTX_DEFAULT, check_quiet);
	rb_quiet(rb_ctx_default);
}

SHMEMI_API(void, ctx_fence, (shmem_ctx_t handle))
{
	const struct shmemi_ctx *ctx = ctx_of("shmem_ctx_fence", handle, check_fence);

	if (ctx != NULL)
		rb_fence(ctx->rb);
}

SHMEMI_API(void, ctx_quiet, (shmem_ctx_t handle))
{
	const struct shmemi_ctx *ctx = ctx_of("shmem_ctx_quiet", handle, check_quiet);

	if (ctx != NULL)
		rb_quiet(ctx->rb);
}

/* The text says nothing about an invalid context; it is treated as quiet treats it. */
static void
pe_quiet(const char *call, shmem_ctx_t handle, const int *pes, size_t n)
{
	const struct shmemi_ctx *ctx = ctx_of(call, handle, check_quiet);
	size_t i;

	if (ctx == NULL)
		return;
	if (n != 0 && pes == NULL)
		shmemi_fatal(call, "target_pes is NULL, npes %zu", n);
	for (i = 0; i < n; i++)
		rb_quiet_pe(ctx->rb, shmemi_pe_of(call, ctx, pes[i]));
}

SHMEMI_API(void, pe_quiet, (const int *target_pes, size_t npes))
{
	pe_quiet("shmem_pe_quiet", SHMEM_CTX_DEFAULT, target_pes, npes);
}

SHMEMI_API(void, ctx_pe_quiet, (shmem_ctx_t ctx, const int *target_pes, size_t npes))
{
	pe_quiet("shmem_ctx_pe_quiet", ctx, target_pes, npes);
}
