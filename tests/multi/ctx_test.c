/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Contexts: of the world and of teams, whose numbers their calls take, and sessions on them.
 */
#include <string.h>

#include "multi.h"
#include "teams.h"

/** Everything that has a PE number, on a context of a team that counts otherwise. */
static void
on_ctx(const struct team *t, shmem_ctx_t ctx, long *words)
{
	int right = (t->me + 1) % t->n, left = (t->me + t->n - 1) % t->n;
	int from = t->world[left];
	long source[4] = {mt_me, mt_me + 1, mt_me + 2, mt_me + 3}, back[4] = {0}, got;
	uint64_t *signal = (uint64_t *)(void *)&words[20];

	memset(words, 0, 32 * sizeof(*words));
	words[30] = 100 + mt_me;
	shmem_team_sync(t->handle);
	shmem_ctx_long_put(ctx, words, source, 4, right);
	shmem_ctx_long_p(ctx, &words[4], source[3], right);
	shmem_ctx_long_iput(ctx, &words[5], source, 2, 1, 2, right);
	shmem_ctx_putmem_nbi(ctx, &words[8], source, sizeof(source), right);
	shmem_ctx_long_atomic_add(ctx, &words[12], mt_me + 1, right);
	CHECK_EQ(shmem_ctx_long_atomic_swap(ctx, &words[13], mt_me + 5, right), 0);
	shmem_ctx_quiet(ctx);
	shmem_ctx_long_put_signal(ctx, &words[14], source, 4, signal, 8, SHMEM_SIGNAL_SET, right);
	mt_waiting("a signal within a team");
	shmem_signal_wait_until(signal, SHMEM_CMP_EQ, 8);
	CHECK_EQ(words[0], from);
	CHECK_EQ(words[3], from + 3);
	CHECK_EQ(words[4], from + 3);
	CHECK_EQ(words[5], from);
	CHECK_EQ(words[7], from + 1);
	CHECK_EQ(words[11], from + 3);
	CHECK_EQ(words[12], from + 1);
	CHECK_EQ(words[13], from + 5);
	CHECK_EQ(words[14], from);
	CHECK_EQ(words[17], from + 3);
	CHECK_EQ(shmem_ctx_long_g(ctx, &words[30], left), 100 + from);
	shmem_ctx_long_get(ctx, back, &words[29], 2, left);
	CHECK_EQ(back[1], 100 + from);
	shmem_ctx_long_get_nbi(ctx, back, &words[30], 1, right);
	shmem_ctx_long_atomic_fetch_nbi(ctx, &got, &words[30], left);
	shmem_ctx_pe_quiet(ctx, (int[]){left, right}, 2);
	CHECK_EQ(back[0], 100 + t->world[right]);
	CHECK_EQ(got, 100 + from);
	shmem_ctx_quiet(ctx);
	shmem_team_sync(t->handle);
}

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
case_team_ctx(void)
{
	long *words = mt_alloc(32 * sizeof(*words));
	struct team teams[TEAMS];
	const struct team *t;
	shmem_team_t got;
	shmem_ctx_t ctx;
	int i;

	teams_make(teams);
	for (t = teams; t < teams + TEAMS; t++) {
		for (i = 0; i < OPTIONS && t->me >= 0; i++) {
			ctx = SHMEM_CTX_INVALID;
			CHECK_EQ(shmem_team_create_ctx(t->handle, options[i], &ctx), 0);
			CHECK(ctx != SHMEM_CTX_INVALID);
			CHECK_EQ(shmem_ctx_get_team(ctx, &got), 0);
			CHECK(got == t->handle);
			on_ctx(t, ctx, words);
			/* Shareable ones may be left to the team's end. */
			if (t == teams || i % 2 == 0 || (options[i] & SHMEM_CTX_PRIVATE))
				shmem_ctx_destroy(ctx);
		}
		shmem_barrier_all();
	}
	teams_destroy(teams);
	shmem_free(words);
}

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

int
main(int argc, char **argv)
{
	static const struct mt_case cases[] = {
		{"team_ctx", case_team_ctx},
		{"refused", case_refused},
		{"sessions", case_sessions},
		{"many", case_many},
		{0},
	};

	return mt_main(argc, argv, SHMEM_THREAD_SINGLE, cases);
}
