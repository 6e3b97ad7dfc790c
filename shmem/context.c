/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <pthread.h>
#include <stdlib.h>

#include "core/check.h"
#include "core/shmemi.h"
#include "core/team_table.h"
#include "context.h"

/* Communication management (section 9.5): contexts and sessions. */

/* The lists of the teams: threads create and destroy contexts at any time. */
static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;

static int
create_ctx(const char *call, struct shmemi_team *team, long options, shmem_ctx_t *handle)
{
	const long known = SHMEM_CTX_PRIVATE | SHMEM_CTX_SERIALIZED | SHMEM_CTX_NOSTORE;
	struct shmemi_ctx *ctx;

	if (handle == NULL)
		shmemi_fatal(call, "ctx is NULL");
	*handle = SHMEM_CTX_INVALID;
	if (team == NULL || (options & ~known) != 0)
		return -1;
	ctx = calloc(1, sizeof(*ctx));
	if (ctx == NULL)
		return -1;
	ctx->rb = rb_ctx_create();
	if (ctx->rb == NULL) {
		free(ctx);
		return -1;
	}
	ctx->team = team;
	ctx->options = options;
	ctx->owner = shmemi_thread();
	pthread_mutex_lock(&list_lock);
	ctx->next = team->ctxs;
	team->ctxs = ctx;
	pthread_mutex_unlock(&list_lock);
	*handle = (shmem_ctx_t)(void *)ctx;
	return 0;
}

/* In checked mode the structure stays, without its rb, so that later use of it is found out. */
static void
destroy_ctx(struct shmemi_ctx *ctx)
{
	static struct shmemi_ctx *destroyed;

	shmemi_check_quiet(ctx->rb); /* as in the runtime, it completes what is outstanding */
	rb_ctx_destroy(ctx->rb);
	if (!shmemi.check) {
		free(ctx);
		return;
	}
	ctx->rb = NULL;
	ctx->team = &shmemi_team_world; /* its own may end */
	pthread_mutex_lock(&list_lock);
	ctx->next = destroyed;
	destroyed = ctx;
	pthread_mutex_unlock(&list_lock);
}

void
shmemi_contexts_close(struct shmemi_team *team)
{
	struct shmemi_ctx *ctx;

	for (;;) {
		pthread_mutex_lock(&list_lock);
		ctx = team->ctxs;
		if (ctx != NULL)
			team->ctxs = ctx->next;
		pthread_mutex_unlock(&list_lock);
		if (ctx == NULL)
			return;
		if (shmemi.check && (ctx->options & SHMEM_CTX_PRIVATE) != 0)
			shmemi_fatal("shmem_ctx_destroy",
				     "not called for private context %p before its team ended",
				     (void *)ctx);
		destroy_ctx(ctx);
	}
}

/* @return whether @p ctx was on the list of its team */
static bool
unlink_ctx(struct shmemi_ctx *ctx)
{
	struct shmemi_ctx **at;
	bool found;

	pthread_mutex_lock(&list_lock);
	for (at = &ctx->team->ctxs; *at != NULL && *at != ctx;)
		at = &(*at)->next;
	found = *at == ctx;
	if (found)
		*at = ctx->next;
	pthread_mutex_unlock(&list_lock);
	return found;
}

SHMEMI_API(int, ctx_create, (long options, shmem_ctx_t *ctx))
{
	shmemi_enter("shmem_ctx_create");
	return create_ctx("shmem_ctx_create", &shmemi_team_world, options, ctx);
}

/* num_contexts of the team's configuration is a request for resources, not a limit. */
SHMEMI_API(int, team_create_ctx, (shmem_team_t team, long options, shmem_ctx_t *ctx))
{
	shmemi_enter("shmem_team_create_ctx");
	return create_ctx("shmem_team_create_ctx", shmemi_team_of("shmem_team_create_ctx", team),
			  options, ctx);
}

SHMEMI_API(void, ctx_destroy, (shmem_ctx_t ctx))
{
	struct shmemi_ctx *c = (struct shmemi_ctx *)(void *)ctx;

	shmemi_enter("shmem_ctx_destroy");
	if (ctx == SHMEM_CTX_INVALID)
		return;
	if (ctx == SHMEM_CTX_DEFAULT)
		shmemi_fatal("shmem_ctx_destroy", "SHMEM_CTX_DEFAULT is predefined and stays");
	if (shmemi.check)
		shmemi_check_ctx("shmem_ctx_destroy", c);
	if (!unlink_ctx(c))
		shmemi_fatal("shmem_ctx_destroy", "context %p is not of its team any more",
			     (void *)c);
	destroy_ctx(c);
}

SHMEMI_API(int, ctx_get_team, (shmem_ctx_t ctx, shmem_team_t *team))
{
	static const char call[] = "shmem_ctx_get_team";

	shmemi_enter(call);
	if (ctx == SHMEM_CTX_INVALID) {
		*team = SHMEM_TEAM_INVALID;
		return -1;
	}
	if (shmemi.check)
		shmemi_check_ctx(call, shmemi_ctx_of(call, ctx));
	*team = shmemi_team_handle(shmemi_ctx_of(call, ctx)->team);
	return 0;
}

/*
 * A session is a hint that changes neither ordering nor completion. Operations leave for the
 * channel as they are issued, which suits a batch as well as a single one, so there is nothing to
 * prepare; the arguments are checked as far as they can be wrong.
 */
SHMEMI_API(void, ctx_session_start,
	   (shmem_ctx_t ctx, long options, const shmem_ctx_session_config_t *config,
	    long config_mask))
{
	static const char call[] = "shmem_ctx_session_start";

	shmemi_enter(call);
	if (ctx == SHMEM_CTX_INVALID)
		return;
	(void)shmemi_ctx_of(call, ctx);
	if ((options & ~SHMEM_CTX_SESSION_BATCH) != 0)
		shmemi_fatal(call, "options %#lx have unknown bits", options);
	if ((config_mask & ~SHMEM_CTX_SESSION_TOTAL_OPS) != 0)
		shmemi_fatal(call, "config_mask %#lx has unknown bits", config_mask);
	if (config_mask != 0 && config == NULL)
		shmemi_fatal(call, "config is NULL, config_mask is %#lx", config_mask);
}

SHMEMI_API(void, ctx_session_stop, (shmem_ctx_t ctx))
{
	shmemi_enter("shmem_ctx_session_stop");
	if (ctx != SHMEM_CTX_INVALID)
		(void)shmemi_ctx_of("shmem_ctx_session_stop", ctx);
}
