/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SHMEMI_H
#define SHMEMI_H

/**
 * @file
 * For every chapter of the API: the macro that opens a definition, and the checks that each entry
 * makes.
 */

#include "error.h"
#include "state.h"

/**
 * Open the definition of an API function: declares pshmem_NAME, makes shmem_NAME a weak alias of
 * it (so that a user's own definition wins at link time, as the profiling interface demands), and
 * starts the body of pshmem_NAME. The library itself never calls shmem_ or pshmem_ names.
 */
#define SHMEMI_EXPORT __attribute__((visibility("default")))
#define SHMEMI_API(ret, name, params)                                                        \
	SHMEMI_EXPORT ret pshmem_##name params;                                              \
	SHMEMI_EXPORT ret shmem_##name params __attribute__((weak, alias("pshmem_" #name))); \
	ret pshmem_##name params

/** The same for an extension, shmemx_NAME: there is one symbol. */
#define SHMEMX_API(ret, name, params) SHMEMI_EXPORT ret shmemx_##name params

/** Every call but init, finalize and the queries that section 9.1 allows starts with it. */
static inline void
shmemi_enter(const char *call)
{
	if (__builtin_expect(!shmemi.up, 0))
		shmemi_not_up(call);
}

/** SHMEM_CTX_INVALID is a null pointer, SHMEM_CTX_DEFAULT the address of a known object. */
static inline struct shmemi_ctx *
shmemi_ctx_of(const char *call, shmem_ctx_t handle)
{
	struct shmemi_ctx *ctx = (struct shmemi_ctx *)(void *)handle;

	shmemi_enter(call);
	if (__builtin_expect(handle == SHMEM_CTX_DEFAULT, 1))
		return &shmemi_ctx_default;
	if (handle == SHMEM_CTX_INVALID)
		shmemi_fatal(call, "context is SHMEM_CTX_INVALID");
	return ctx;
}

/** World PE of rank @p pe of the context's team, checked. */
static inline int
shmemi_pe_of(const char *call, const struct shmemi_ctx *ctx, int pe)
{
	const struct shmemi_team *team = ctx->team;

	if (__builtin_expect((unsigned int)pe >= (unsigned int)team->size, 0))
		shmemi_fatal(call, "PE %d is not in 0..%d", pe, team->size - 1);
	return shmemi_team_pe(team, pe);
}

#endif /* SHMEMI_H */
