/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Teams and contexts: splits, numbering, configuration, and operations whose PE numbers are those
 * of the context's team.
 */
#include <string.h>

#include "multi.h"
#include "teams.h"

static void
case_translate(void)
{
	struct team teams[TEAMS];
	const struct team *a, *b;
	int i, j, want;

	teams_make(teams);
	for (a = teams; a < teams + TEAMS; a++) {
		for (b = teams; b < teams + TEAMS; b++) {
			if (a->me < 0 || b->me < 0)
				continue;
			for (i = 0; i < a->n; i++) {
				for (want = -1, j = 0; j < b->n; j++)
					if (b->world[j] == a->world[i])
						want = j;
				CHECK_MSG(shmem_team_translate_pe(a->handle, i, b->handle) == want,
					  "%s %d to %s: not %d", a->name, i, b->name, want);
			}
			CHECK_EQ(shmem_team_translate_pe(a->handle, a->n, b->handle), -1);
			CHECK_EQ(shmem_team_translate_pe(a->handle, -1, b->handle), -1);
		}
	}
	CHECK_EQ(shmem_team_translate_pe(SHMEM_TEAM_INVALID, 0, SHMEM_TEAM_WORLD), -1);
	CHECK_EQ(shmem_team_translate_pe(SHMEM_TEAM_WORLD, 0, SHMEM_TEAM_INVALID), -1);
	CHECK_EQ(shmem_team_my_pe(SHMEM_TEAM_INVALID), -1);
	CHECK_EQ(shmem_team_n_pes(SHMEM_TEAM_INVALID), -1);
	shmem_team_destroy(SHMEM_TEAM_INVALID);
	teams_destroy(teams);
}

/** Bad triplets fail alike on all PEs and leave the library usable. */
static void
case_bad_splits(void)
{
	shmem_team_t team = SHMEM_TEAM_WORLD;

	mt_waiting("splits that fail");
	CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, mt_npes + 1, NULL, 0, &team) != 0);
	CHECK(team == SHMEM_TEAM_INVALID);
	team = SHMEM_TEAM_WORLD;
	CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, -1, 1, 1, NULL, 0, &team) != 0);
	CHECK(team == SHMEM_TEAM_INVALID);
	team = SHMEM_TEAM_WORLD;
	CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, mt_npes, 1, 1, NULL, 0, &team) != 0);
	CHECK(team == SHMEM_TEAM_INVALID);
	team = SHMEM_TEAM_WORLD;
	CHECK(shmem_team_split_strided(SHMEM_TEAM_INVALID, 0, 1, 1, NULL, 0, &team) != 0);
	CHECK(team == SHMEM_TEAM_INVALID);
	CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, mt_npes, NULL, 0, &team), 0);
	CHECK_EQ(shmem_team_my_pe(team), mt_me);
	shmem_team_sync(team);
	shmem_team_destroy(team);
}

static void
case_split_2d(void)
{
	shmem_team_t x, y;
	int range, row, column;

	for (range = 1; range <= mt_npes + 1; range++) {
		int width = range > mt_npes ? mt_npes : range;
		int rows = (mt_npes + width - 1) / width;

		mt_waiting("split_2d");
		CHECK_EQ(shmem_team_split_2d(SHMEM_TEAM_WORLD, range, NULL, 0, &x, NULL, 0, &y), 0);
		row = mt_me / width;
		column = mt_me % width;
		CHECK_EQ(shmem_team_my_pe(x), column);
		CHECK_EQ(shmem_team_my_pe(y), row);
		CHECK_EQ(shmem_team_n_pes(x), row == rows - 1 ? mt_npes - row * width : width);
		CHECK_EQ(shmem_team_n_pes(y), rows - (column + (rows - 1) * width >= mt_npes));
		CHECK_EQ(shmem_team_translate_pe(x, 0, SHMEM_TEAM_WORLD), row * width);
		CHECK_EQ(shmem_team_translate_pe(y, 0, SHMEM_TEAM_WORLD), column);
		shmem_team_sync(x);
		shmem_team_sync(y);
		shmem_team_destroy(x);
		shmem_team_destroy(y);
	}
}

static void
case_config(void)
{
	shmem_team_config_t config = {.num_contexts = 3}, got = {.num_contexts = -1};
	shmem_team_t team;

	mt_waiting("a split with a configuration");
	CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, mt_npes, &config,
					  SHMEM_TEAM_NUM_CONTEXTS, &team),
		 0);
	CHECK_EQ(shmem_team_get_config(team, SHMEM_TEAM_NUM_CONTEXTS, &got), 0);
	CHECK_EQ(got.num_contexts, 3);
	got.num_contexts = -1;
	CHECK_EQ(shmem_team_get_config(team, 0, NULL), 0);
	CHECK_EQ(shmem_team_get_config(team, 0, &got), 0);
	CHECK_EQ(got.num_contexts, -1);
	CHECK(shmem_team_get_config(SHMEM_TEAM_INVALID, SHMEM_TEAM_NUM_CONTEXTS, &got) != 0);
	shmem_team_destroy(team);
}

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

static void
case_team_ctx(void)
{
	static const long options[] = {0, SHMEM_CTX_SERIALIZED, SHMEM_CTX_PRIVATE,
				       SHMEM_CTX_NOSTORE | SHMEM_CTX_PRIVATE};
	long *words = mt_alloc(32 * sizeof(*words));
	struct team teams[TEAMS];
	const struct team *t;
	shmem_team_t got;
	shmem_ctx_t ctx;
	int i;

	teams_make(teams);
	for (t = teams; t < teams + TEAMS; t++) {
		for (i = 0; i < 4 && t->me >= 0; i++) {
			ctx = SHMEM_CTX_INVALID;
			CHECK_EQ(shmem_team_create_ctx(t->handle, options[i], &ctx), 0);
			CHECK(ctx != SHMEM_CTX_INVALID);
			CHECK_EQ(shmem_ctx_get_team(ctx, &got), 0);
			CHECK(got == t->handle);
			on_ctx(t, ctx, words);
			shmem_ctx_destroy(ctx);
		}
		shmem_barrier_all();
	}
	ctx = SHMEM_CTX_DEFAULT;
	CHECK(shmem_team_create_ctx(SHMEM_TEAM_INVALID, 0, &ctx) != 0);
	CHECK(ctx == SHMEM_CTX_INVALID);
	teams_destroy(teams);
	shmem_free(words);
}

static void
case_ctx_calls(void)
{
	shmem_ctx_session_config_t config = {.total_ops = 100};
	shmem_team_t team = SHMEM_TEAM_INVALID;
	shmem_ctx_t ctx;
	static long word;

	CHECK_EQ(shmem_ctx_get_team(SHMEM_CTX_DEFAULT, &team), 0);
	CHECK(team == SHMEM_TEAM_WORLD);
	CHECK(shmem_ctx_get_team(SHMEM_CTX_INVALID, &team) != 0);
	CHECK(team == SHMEM_TEAM_INVALID);
	/* No operations on no context. */
	shmem_ctx_quiet(SHMEM_CTX_INVALID);
	shmem_ctx_fence(SHMEM_CTX_INVALID);
	shmem_ctx_destroy(SHMEM_CTX_INVALID);
	shmem_ctx_session_start(SHMEM_CTX_INVALID, 0, NULL, 0);
	shmem_ctx_session_stop(SHMEM_CTX_INVALID);

	CHECK_EQ(shmem_ctx_create(SHMEM_CTX_SERIALIZED, &ctx), 0);
	CHECK_EQ(shmem_ctx_get_team(ctx, &team), 0);
	CHECK(team == SHMEM_TEAM_WORLD);
	word = 0;
	shmem_barrier_all();
	shmem_ctx_session_start(ctx, SHMEM_CTX_SESSION_BATCH, &config, SHMEM_CTX_SESSION_TOTAL_OPS);
	shmem_ctx_session_start(ctx, 0, NULL, 0);
	shmem_ctx_long_atomic_inc(ctx, &word, mt_pe(1));
	mt_waiting("an atomic in a session, without any quiet");
	shmem_long_wait_until(&word, SHMEM_CMP_EQ, 1);
	shmem_ctx_session_stop(ctx);
	shmem_ctx_session_stop(ctx);
	shmem_ctx_destroy(ctx);
	shmem_barrier_all();
}

/** Many contexts at once; destroying one completes what is under way on it. */
static void
case_many_ctx(void)
{
	enum {
		MANY = 24
	};
	static long words[MANY];
	shmem_ctx_t ctx[MANY];
	int i, n, round;

	for (round = 0; round < 3; round++) {
		memset(words, 0, sizeof(words));
		shmem_barrier_all();
		for (n = 0; n < MANY; n++)
			if (shmem_ctx_create(n % 2 ? SHMEM_CTX_PRIVATE : 0, &ctx[n]))
				break;
		CHECK(n >= 8);
		for (i = 0; i < n; i++)
			shmem_ctx_long_p(ctx[i], &words[i], mt_me + i, mt_pe(2));
		for (i = 0; i < n; i++)
			shmem_ctx_destroy(ctx[i]);
		shmem_sync_all();
		for (i = 0; i < n; i++)
			CHECK_EQ(words[i], mt_pe(-2) + i);
		shmem_sync_all();
	}
}

/** Teams come and go; one destroyed gives its room to the next. */
static void
case_many_teams(void)
{
	shmem_team_t team[8], before;
	int i, round;

	mt_waiting("many splits");
	for (round = 0; round < 40; round++) {
		before = SHMEM_TEAM_WORLD;
		for (i = 0; i < 8; i++) {
			CHECK_EQ(shmem_team_split_strided(before, mt_npes - 1, -1, mt_npes, NULL, 0,
							  &team[i]),
				 0);
			before = team[i];
		}
		CHECK_EQ(shmem_team_my_pe(team[7]), mt_me);
		CHECK_EQ(shmem_team_my_pe(team[6]), mt_npes - 1 - mt_me);
		shmem_team_sync(team[6]);
		for (i = 7; i >= 0; i--)
			shmem_team_destroy(team[i]);
	}
}

int
main(int argc, char **argv)
{
	static const struct mt_case cases[] = {
		{"translate", case_translate},
		{"bad_splits", case_bad_splits},
		{"split_2d", case_split_2d},
		{"config", case_config},
		{"team_ctx", case_team_ctx},
		{"ctx_calls", case_ctx_calls},
		{"many_ctx", case_many_ctx},
		{"many_teams", case_many_teams},
		{0},
	};

	return mt_main(argc, argv, SHMEM_THREAD_SINGLE, cases);
}
