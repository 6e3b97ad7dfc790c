/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Collectives that move data: every typed form by value, on teams that skip and reverse PEs.
 */
#include <stdlib.h>
#include <string.h>

#include "coll_types.h"
#include "types.h"

enum {
	LEN = 37
};

/* Element i of the source of rank r; small enough for every type. */
static int
value(int r, size_t i)
{
	return (int)((r * 29 + (int)(i % 1000) * 3) % 120 + 1);
}

#define TYPED(T, name)                                                                            \
	static T name##_from[LEN * CT_MAX_PES], name##_to[LEN * CT_MAX_PES];                      \
                                                                                                  \
	static void name##_start(int r)                                                           \
	{                                                                                         \
		size_t i;                                                                         \
                                                                                                  \
		shmem_barrier_all();                                                              \
		for (i = 0; i < LEN * CT_MAX_PES; i++) {                                          \
			name##_from[i] = (T)value(r, i);                                          \
			name##_to[i] = (T)125;                                                    \
		}                                                                                 \
		shmem_barrier_all();                                                              \
	}                                                                                         \
                                                                                                  \
	static void name##_check(const char *what, size_t at, size_t n, int r, size_t from)       \
	{                                                                                         \
		size_t i;                                                                         \
                                                                                                  \
		for (i = 0; i < n; i++)                                                           \
			if (!mt_check(name##_to[at + i] == (T)(r < 0 ? 125 : value(r, from + i)), \
				      __FILE__, __LINE__, "%s %s element %zu", #name, what,       \
				      at + i))                                                    \
				return;                                                           \
	}                                                                                         \
                                                                                                  \
	static void name##_broadcasts(const struct ct_team *t)                                    \
	{                                                                                         \
		int root;                                                                         \
                                                                                                  \
		for (root = 0; root < mt_npes; root++) {                                          \
			name##_start(t->me);                                                      \
			if (t->me < 0 || root >= t->n)                                            \
				continue;                                                         \
			CHECK_EQ(shmem_##name##_broadcast(t->team, name##_to, name##_from, LEN,   \
							  root),                                  \
				 0);                                                              \
			name##_check("broadcast", 0, LEN, root, 0);                               \
			name##_check("after broadcast", LEN, LEN, -1, 0);                         \
		}                                                                                 \
	}                                                                                         \
                                                                                                  \
	static void name##_collects(const struct ct_team *t)                                      \
	{                                                                                         \
		size_t at = 0;                                                                    \
		int r;                                                                            \
                                                                                                  \
		name##_start(t->me);                                                              \
		if (t->me >= 0) {                                                                 \
			CHECK_EQ(shmem_##name##_fcollect(t->team, name##_to, name##_from, LEN),   \
				 0);                                                              \
			for (r = 0; r < t->n; r++)                                                \
				name##_check("fcollect", LEN *(size_t)r, LEN, r, 0);              \
		}                                                                                 \
		name##_start(t->me);                                                              \
		if (t->me < 0)                                                                    \
			return;                                                                   \
		CHECK_EQ(shmem_##name##_collect(t->team, name##_to, name##_from,                  \
						(size_t)t->me * 5 % 12),                          \
			 0);                                                                      \
		for (r = 0; r < t->n; r++) {                                                      \
			name##_check("collect", at, (size_t)r * 5 % 12, r, 0);                    \
			at += (size_t)r * 5 % 12;                                                 \
		}                                                                                 \
		name##_check("after collect", at, LEN, -1, 0);                                    \
	}                                                                                         \
                                                                                                  \
	static void name##_alltoalls(const struct ct_team *t)                                     \
	{                                                                                         \
		size_t k, me = (size_t)t->me;                                                     \
		int r, dst, sst;                                                                  \
                                                                                                  \
		name##_start(t->me);                                                              \
		if (t->me >= 0) {                                                                 \
			CHECK_EQ(shmem_##name##_alltoall(t->team, name##_to, name##_from, LEN),   \
				 0);                                                              \
			for (r = 0; r < t->n; r++)                                                \
				name##_check("alltoall", LEN *(size_t)r, LEN, r, LEN *me);        \
		}                                                                                 \
		for (dst = 1; dst <= 3; dst++) {                                                  \
			sst = 4 - dst;                                                            \
			name##_start(t->me);                                                      \
			if (t->me < 0)                                                            \
				continue;                                                         \
			CHECK_EQ(shmem_##name##_alltoalls(t->team, name##_to, name##_from, dst,   \
							  sst, 7),                                \
				 0);                                                              \
			for (r = 0; r < t->n; r++)                                                \
				for (k = 0; k < 7; k++)                                           \
					name##_check("alltoalls",                                 \
						     ((size_t)r * 7 + k) * (size_t)dst, 1, r,     \
						     (me * 7 + k) * (size_t)sst);                 \
			for (k = 1; k < 7 * (size_t)t->n && dst > 1; k++)                         \
				name##_check("beside alltoalls", (size_t)dst *k - 1, 1, -1, 0);   \
		}                                                                                 \
	}                                                                                         \
                                                                                                  \
	static void name##_all(const struct ct_team *t)                                           \
	{                                                                                         \
		mt_waiting(#name " collectives");                                                 \
		name##_broadcasts(t);                                                             \
		name##_collects(t);                                                               \
		name##_alltoalls(t);                                                              \
	}

/* clang-format off: expansion */
TYPES_RMA(TYPED)
/* clang-format on */

static void
case_types(void)
{
	struct ct_team team[CT_TEAMS];
	int i;

	ct_fits();
	ct_teams_make(team);
	for (i = 0; i < CT_TEAMS; i++) {
#define ALL(T, name) name##_all(&team[i]);
		TYPES_RMA(ALL)
	}
	ct_teams_free(team);
}

/* ---- the mem forms: sizes from nothing to 4 MiB, odd places ---- */

static const size_t sizes[] = {0, 1, 7, 4096, 16383, 16384, 16385, 65537, 300001};
enum {
	BIG = 300001
};

struct buffers {
	unsigned char *to, *from; /* to: symmetric, room for a block of each PE */
};

static void
mem_forms(const struct ct_team *t, const struct buffers *b, size_t len)
{
	size_t me = (size_t)t->me, at = 0, n;
	int r;

	ct_fill(b->from, len * (size_t)t->n, me);
	CHECK_EQ(shmem_broadcastmem(t->team, b->to, b->from, len, t->n - 1), 0);
	CHECK_EQ(ct_differs(b->to, len, (uint64_t)t->n - 1), len);
	shmem_team_sync(t->team);
	CHECK_EQ(shmem_fcollectmem(t->team, b->to, b->from, len), 0);
	for (r = 0; r < t->n; r++)
		CHECK_EQ(ct_differs(b->to + (size_t)r * len, len, (uint64_t)r), len);
	shmem_team_sync(t->team);
	CHECK_EQ(shmem_collectmem(t->team, b->to, b->from, me % 3 == 1 ? 0 : len - me % (len + 1)),
		 0);
	for (r = 0; r < t->n; r++) {
		n = r % 3 == 1 ? 0 : len - (size_t)r % (len + 1);
		CHECK_EQ(ct_differs(b->to + at, n, (uint64_t)r), n);
		at += n;
	}
	shmem_team_sync(t->team);
	/* A source of which every block is told from the next. */
	for (r = 0; r < t->n; r++)
		ct_fill(b->from + (size_t)r * len, len, me * 100 + (uint64_t)r);
	CHECK_EQ(shmem_alltoallmem(t->team, b->to, b->from, len), 0);
	for (r = 0; r < t->n; r++)
		CHECK_EQ(ct_differs(b->to + (size_t)r * len, len, (uint64_t)r * 100 + me), len);
	shmem_team_sync(t->team);
}

static void
case_mem(void)
{
	static unsigned char static_to[20000 * CT_MAX_PES + 8];
	struct ct_team team[CT_TEAMS];
	struct buffers b;
	unsigned char *heap = mt_alloc((size_t)BIG * (size_t)mt_npes + 8);
	unsigned char *priv = malloc((size_t)BIG * (size_t)mt_npes + 8);
	size_t s;
	int i, odd;

	ct_teams_make(team);
	for (i = 0; i < CT_TEAMS; i++) {
		for (s = 0; s < sizeof(sizes) / sizeof(sizes[0]) - (mt_npes > 16); s++) {
			for (odd = 0; odd < 2; odd++) {
				mt_waiting("collectives of bytes");
				b.to = (sizes[s] < 20000 && odd ? static_to : heap) + odd * 3;
				b.from = priv + odd;
				if (team[i].me >= 0)
					mem_forms(&team[i], &b, sizes[s]);
				shmem_barrier_all();
			}
		}
	}
	ct_teams_free(team);
	free(priv);
	shmem_free(heap);
}

static void
case_big(void)
{
	/* less for each where they are many, and their heaps smaller */
	size_t large = (4 << 20) / (size_t)(1 + mt_npes / 8);
	unsigned char *to = mt_alloc(large * (size_t)mt_npes);
	unsigned char *from = mt_alloc(large * (size_t)mt_npes);
	const struct ct_team world = {"world", SHMEM_TEAM_WORLD, mt_npes, mt_me};
	const struct buffers b = {to, from};

	mt_waiting("collectives of 4 MiB");
	mem_forms(&world, &b, large);
	shmem_free(from);
	shmem_free(to);
}

/* Zero elements: nothing is written or read. */
static void
case_zero(void)
{
	CHECK_EQ(shmem_broadcastmem(SHMEM_TEAM_WORLD, NULL, NULL, 0, 0), 0);
	CHECK_EQ(shmem_collectmem(SHMEM_TEAM_WORLD, NULL, NULL, 0), 0);
	CHECK_EQ(shmem_fcollectmem(SHMEM_TEAM_WORLD, NULL, NULL, 0), 0);
	CHECK_EQ(shmem_alltoallmem(SHMEM_TEAM_WORLD, NULL, NULL, 0), 0);
	CHECK_EQ(shmem_alltoallsmem(SHMEM_TEAM_WORLD, NULL, NULL, 1, 1, 0), 0);
	CHECK_EQ(shmem_double_sum_reduce(SHMEM_TEAM_WORLD, NULL, NULL, 0), 0);
	CHECK_EQ(shmem_double_sum_exscan(SHMEM_TEAM_WORLD, NULL, NULL, 0), 0);
}

int
main(int argc, char **argv)
{
	static const struct mt_case cases[] = {
		{"types", case_types},
		{"mem", case_mem},
		{"big", case_big},
		{"zero", case_zero},
		{0},
	};

	return mt_main(argc, argv, SHMEM_THREAD_SINGLE, cases);
}
