/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Contexts: what is refused, sessions, and many at a time. What calls on them do is in tests/calls.
 */
#include <string.h>

#include "multi.h"

static const long options[] = {
	0,
	SHMEM_CTX_SERIALIZED,
	SHMEM_CTX_PRIVATE,
	SHMEM_CTX_NOSTORE,
	SHMEM_CTX_PRIVATE | SHMEM_CTX_NOSTORE,
	SHMEM_CTX_SERIALIZED | SHMEM_CTX_NOSTORE,
};
enum {
	OPTIONS = sizeof(options) / sizeof(options[0])
};

static void
case_refused(void)
{
	shmem_ctx_t ctx = SHMEM_CTX_DEFAULT;
	shmem_team_t team = SHMEM_TEAM_WORLD;

	CHECK(shmem_ctx_create(~0L, &ctx) != 0);
	CHECK(ctx == SHMEM_CTX_INVALID);
	CHECK_EQ(shmem_ctx_get_team(SHMEM_CTX_DEFAULT, &team), 0);
	CHECK(team == SHMEM_TEAM_WORLD);
	ctx = SHMEM_CTX_DEFAULT;
	CHECK(shmem_team_create_ctx(SHMEM_TEAM_INVALID, 0, &ctx) != 0);
	CHECK(ctx == SHMEM_CTX_INVALID);
	CHECK(shmem_ctx_get_team(SHMEM_CTX_INVALID, &team) != 0);
	CHECK(team == SHMEM_TEAM_INVALID);
	shmem_ctx_destroy(SHMEM_CTX_INVALID);
	shmem_ctx_quiet(SHMEM_CTX_INVALID);
	shmem_ctx_fence(SHMEM_CTX_INVALID);
	shmem_ctx_session_start(SHMEM_CTX_INVALID, 0, NULL, 0);
	shmem_ctx_session_stop(SHMEM_CTX_INVALID);
}

/* Sessions are hints: nested, unended or without a start, they change no result. */
static void
case_sessions(void)
{
	shmem_ctx_session_config_t config = {.total_ops = 100};
	shmem_team_t team;
	shmem_ctx_t ctx;
	static long word;

	shmem_ctx_session_start(SHMEM_CTX_DEFAULT, SHMEM_CTX_SESSION_BATCH, NULL, 0);
	CHECK_EQ(shmem_ctx_create(SHMEM_CTX_SERIALIZED, &ctx), 0);
	CHECK_EQ(shmem_ctx_get_team(ctx, &team), 0);
	CHECK(team == SHMEM_TEAM_WORLD);
	shmem_ctx_session_stop(ctx);
	word = 0;
	shmem_barrier_all();
	shmem_ctx_session_start(ctx, SHMEM_CTX_SESSION_BATCH, &config, SHMEM_CTX_SESSION_TOTAL_OPS);
	shmem_ctx_session_start(ctx, 0, NULL, 0);
	shmem_ctx_long_atomic_inc(ctx, &word, mt_pe(1));
	mt_waiting("an atomic in a session, without any quiet");
	shmem_long_wait_until(&word, SHMEM_CMP_EQ, 1);
	shmem_ctx_session_stop(ctx);
	shmem_ctx_session_stop(ctx);
	shmem_ctx_session_start(ctx, SHMEM_CTX_SESSION_BATCH, NULL, 0);
	shmem_ctx_destroy(ctx);
	shmem_ctx_session_stop(SHMEM_CTX_DEFAULT);
	shmem_barrier_all();
}

/* Many at a time, destroyed in another order; destroying one completes what was issued on it. */
static void
case_many(void)
{
	enum {
		MANY = 200
	};
	static shmem_ctx_t ctx[MANY];
	static long slot[MANY], from[MANY];
	int i, k;

	memset(slot, 0, sizeof(slot));
	shmem_barrier_all();
	for (i = 0; i < MANY; i++)
		CHECK_EQ(shmem_ctx_create(options[i % OPTIONS], &ctx[i]), 0);
	for (i = 0; i < MANY; i++) {
		k = i * 7 % MANY;
		from[i] = k + 1;
		shmem_ctx_long_put_nbi(ctx[k], &slot[k], &from[i], 1, mt_pe(2));
		shmem_ctx_destroy(ctx[k]);
	}
	shmem_sync_all();
	for (i = 0; i < MANY; i++)
		CHECK_EQ(slot[i], i + 1);
	shmem_barrier_all();
}

MT_PROGRAM(SHMEM_THREAD_SINGLE, {"refused", case_refused}, {"sessions", case_sessions},
	   {"many", case_many})
