/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Contexts: of the world and of teams, whose numbers their calls take, and sessions on them.
 */
#include <stdint.h>
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
	OPTIONS = sizeof(options) / sizeof(options[0]),
	LEN = 1000
};

static long to[LEN], from[LEN], word;

/* Everything that names a PE goes to rank target of the context's team. */
static void
use(shmem_ctx_t ctx, shmem_team_t team, long key)
{
	int n = shmem_team_n_pes(team), me = shmem_team_my_pe(team), i;
	int target = (me + 1) % n, origin = (me + n - 1) % n;
	long got[3];

	for (i = 0; i < LEN; i++)
		from[i] = key + me * 1000 + i;
	memset(to, 0, sizeof(to));
	word = 0;
	shmem_team_sync(team);
	shmem_ctx_long_put_nbi(ctx, to, from, LEN - 1, target);
	shmem_ctx_fence(ctx);
	shmem_ctx_long_p(ctx, &to[LEN - 1], key, target);
	shmem_ctx_long_atomic_add(ctx, &word, me + 1, target);
	shmem_ctx_quiet(ctx);
	shmem_team_sync(team);
	for (i = 0; i < LEN - 1; i++)
		if (!mt_check(to[i] == key + origin * 1000 + i, __FILE__, __LINE__, "element %d",
			      i))
			break;
	CHECK_EQ(to[LEN - 1], key);
	CHECK_EQ(word, origin + 1);
	CHECK_EQ(shmem_ctx_long_g(ctx, &from[5], target), key + target * 1000 + 5);
	shmem_ctx_long_get_nbi(ctx, got, from, 3, origin);
	shmem_ctx_quiet(ctx);
	CHECK_EQ(got[2], key + origin * 1000 + 2);
	CHECK_EQ(shmem_ctx_long_atomic_fetch(ctx, &word, target), me + 1);
	shmem_team_sync(team);
}

static void
case_world(void)
{
	shmem_ctx_t ctx;
	shmem_team_t team;
	int i;

	use(SHMEM_CTX_DEFAULT, SHMEM_TEAM_WORLD, 1);
	for (i = 0; i < OPTIONS; i++) {
		CHECK_EQ(shmem_ctx_create(options[i], &ctx), 0);
		CHECK(ctx != SHMEM_CTX_INVALID);
		CHECK_EQ(shmem_ctx_get_team(ctx, &team), 0);
		CHECK(team == SHMEM_TEAM_WORLD);
		use(ctx, SHMEM_TEAM_WORLD, 100 * i);
		shmem_ctx_destroy(ctx);
	}
	CHECK_EQ(shmem_ctx_get_team(SHMEM_CTX_DEFAULT, &team), 0);
	CHECK(team == SHMEM_TEAM_WORLD);
}

static void
case_teams(void)
{
	shmem_team_config_t config = {.num_contexts = OPTIONS};
	shmem_team_t team, got;
	shmem_ctx_t ctx[OPTIONS];
	int i, shape;

	for (shape = 0; shape < 3; shape++) {
		int start = shape == 0 ? mt_npes - 1 : 0, stride = shape == 0 ? -1 : shape;
		int size = shape == 2 ? (mt_npes + 1) / 2 : mt_npes;

		CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, start, stride, size, &config,
						  SHMEM_TEAM_NUM_CONTEXTS, &team),
			 0);
		if (team == SHMEM_TEAM_INVALID)
			continue;
		for (i = 0; i < OPTIONS; i++) {
			CHECK_EQ(shmem_team_create_ctx(team, options[i], &ctx[i]), 0);
			CHECK_EQ(shmem_ctx_get_team(ctx[i], &got), 0);
			CHECK(got == team);
		}
		for (i = 0; i < OPTIONS; i++)
			use(ctx[i], team, 77 * i);
		/* Shareable ones may be left to the team's end. */
		for (i = 0; i < OPTIONS; i++)
			if (i % 2 == 0 || (options[i] & SHMEM_CTX_PRIVATE))
				shmem_ctx_destroy(ctx[i]);
		shmem_team_destroy(team);
	}
	shmem_barrier_all();
}

static void
case_refused(void)
{
	shmem_ctx_t ctx = SHMEM_CTX_DEFAULT;
	shmem_team_t team = SHMEM_TEAM_WORLD;

	CHECK(shmem_ctx_create(~0L, &ctx) != 0);
	CHECK(ctx == SHMEM_CTX_INVALID);
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
	shmem_ctx_session_config_t config = {.total_ops = 10};
	shmem_ctx_t ctx;

	CHECK_EQ(shmem_ctx_create(0, &ctx), 0);
	shmem_ctx_session_stop(ctx);
	shmem_ctx_session_start(ctx, SHMEM_CTX_SESSION_BATCH, &config, SHMEM_CTX_SESSION_TOTAL_OPS);
	use(ctx, SHMEM_TEAM_WORLD, 3);
	shmem_ctx_session_start(ctx, 0, NULL, 0);
	use(ctx, SHMEM_TEAM_WORLD, 4);
	shmem_ctx_session_stop(ctx);
	shmem_ctx_session_stop(ctx);
	use(ctx, SHMEM_TEAM_WORLD, 5);
	shmem_ctx_session_start(ctx, SHMEM_CTX_SESSION_BATCH, NULL, 0);
	shmem_ctx_destroy(ctx);
	shmem_ctx_session_start(SHMEM_CTX_DEFAULT, SHMEM_CTX_SESSION_BATCH, NULL, 0);
	use(SHMEM_CTX_DEFAULT, SHMEM_TEAM_WORLD, 6);
	shmem_ctx_session_stop(SHMEM_CTX_DEFAULT);
}

/* Many at a time, destroyed in another order; destroying one completes what was issued on it. */
static void
case_many(void)
{
	enum {
		MANY = 200
	};
	static shmem_ctx_t ctx[MANY];
	static long slot[MANY];
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

int
main(int argc, char **argv)
{
	static const struct mt_case cases[] = {
		{"world", case_world},	     {"teams", case_teams}, {"refused", case_refused},
		{"sessions", case_sessions}, {"many", case_many},   {0},
	};

	return mt_main(argc, argv, SHMEM_THREAD_SINGLE, cases);
}
