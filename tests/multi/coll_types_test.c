/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * The collectives that move data, for every type, on teams of all shapes.
 */
#include <string.h>

#include "multi.h"
#include "teams.h"
#include "types.h"

#define LEN 7
#define MEMBERS 64
#define ROOM 512 /* elements: MEMBERS of LEN and a guard */

static int
value(int member, int i)
{
	return (member * 11 + i) % 100 + 1;
}

/** No PE writes to a dest before all members are done with its former contents. */
static void
ready(const struct team *t, void *dest, size_t len)
{
	memset(dest, 0, len);
	mt_waiting("team_sync");
	CHECK_EQ(shmem_team_sync(t->handle), 0);
	mt_waiting(t->name);
}

#define EXPECT(type, op, at, i, want)                                                             \
	CHECK_MSG((double)(at)[i] == (want), "%s %s on team %s: element %d is %g, not %d", #type, \
		  op, t->name, i, (double)(at)[i], want)

#define TYPED(T, name)                                                                    \
	static void name##_broadcast_root(const struct team *t, T *at, T *from, int root) \
	{                                                                                 \
		int i;                                                                    \
		ready(t, at, ROOM * sizeof(T));                                           \
		CHECK_EQ(shmem_##name##_broadcast(t->handle, at, from, LEN, root), 0);    \
		for (i = 0; i < LEN; i++)                                                 \
			EXPECT(name, "broadcast", at, i, value(root, i));                 \
		EXPECT(name, "broadcast", at, LEN, 0);                                    \
	}                                                                                 \
	static void name##_collects(const struct team *t, T *at, T *from)                 \
	{                                                                                 \
		int i, m, off = 0, mine = t->me % 3 * 2; /* 0, 2 or 4 elements */         \
		ready(t, at, ROOM * sizeof(T));                                           \
		CHECK_EQ(shmem_##name##_collect(t->handle, at, from, (size_t)mine), 0);   \
		for (m = 0; m < t->n; m++)                                                \
			for (i = 0; i < m % 3 * 2; i++, off++)                            \
				EXPECT(name, "collect", at, off, value(m, i));            \
		EXPECT(name, "collect", at, off, 0);                                      \
		ready(t, at, ROOM * sizeof(T));                                           \
		CHECK_EQ(shmem_##name##_fcollect(t->handle, at, from, LEN), 0);           \
		for (i = 0; i < t->n * LEN; i++)                                          \
			EXPECT(name, "fcollect", at, i, value(i / LEN, i % LEN));         \
		EXPECT(name, "fcollect", at, i, 0);                                       \
	}                                                                                 \
	static void name##_alltoalls_(const struct team *t, T *at, T *from)               \
	{                                                                                 \
		int i;                                                                    \
		ready(t, at, ROOM * sizeof(T));                                           \
		CHECK_EQ(shmem_##name##_alltoall(t->handle, at, from, 2), 0);             \
		for (i = 0; i < 2 * t->n; i++)                                            \
			EXPECT(name, "alltoall", at, i, value(i / 2, t->me * 2 + i % 2)); \
		EXPECT(name, "alltoall", at, i, 0);                                       \
		ready(t, at, ROOM * sizeof(T));                                           \
		CHECK_EQ(shmem_##name##_alltoalls(t->handle, at, from, 3, 2, 2), 0);      \
		for (i = 0; i < 6 * t->n; i++)                                            \
			EXPECT(name, "alltoalls", at, i,                                  \
			       i % 3 ? 0 : value(i / 6, (t->me * 2 + i / 3 % 2) * 2));    \
	}                                                                                 \
	static void name##_all(const struct team *t, T *at, T *from)                      \
	{                                                                                 \
		int i;                                                                    \
		/* No member may still read the source of the last collective. */         \
		for (i = 0; i < ROOM; i++)                                                \
			from[i] = (T)value(t->me, i);                                     \
		name##_broadcast_root(t, at, from, 0);                                    \
		name##_broadcast_root(t, at, from, t->n - 1);                             \
		name##_collects(t, at, from);                                             \
		name##_alltoalls_(t, at, from);                                           \
	}
/* clang-format off */
TYPES_RMA(TYPED)
/* clang-format on */

static void
case_typed(void)
{
	struct team teams[TEAMS];
	void *at, *from;
	int i;

	if (mt_npes > MEMBERS)
		mt_skip("blocks of %d members have room, not of %d", MEMBERS, mt_npes);
	at = mt_alloc(ROOM * sizeof(long double));
	from = mt_alloc(ROOM * sizeof(long double));
	teams_make(teams);
	for (i = 0; i < TEAMS; i++) {
		if (teams[i].me >= 0) {
#define CALL(T, name) name##_all(&teams[i], at, from);
			TYPES_RMA(CALL)
#undef CALL
		}
		/* The next team has other members, who are to leave this dest alone. */
		shmem_barrier_all();
	}
	teams_destroy(teams);
	shmem_free(from);
	shmem_free(at);
}

/** The untyped forms count bytes. */
static void
case_mem(void)
{
	unsigned char *at = mt_alloc(64 * 64), *from = mt_alloc(64 * 64);
	struct team teams[TEAMS];
	const struct team *t;
	int m;

	teams_make(teams);
	mt_fill(from, 64 * 64, (uint64_t)mt_me);
	for (t = teams; t < teams + TEAMS; t++) {
		if (t->me >= 0) {
			ready(t, at, 64 * 64);
			CHECK_EQ(shmem_broadcastmem(t->handle, at, from, 13, t->n / 2), 0);
			CHECK_EQ(mt_differs(at, 13, (uint64_t)t->world[t->n / 2]), 13);
			ready(t, at, 64 * 64);
			CHECK_EQ(shmem_collectmem(t->handle, at, from, 13), 0);
			for (m = 0; m < t->n; m++)
				CHECK_EQ(mt_differs(at + 13 * m, 13, (uint64_t)t->world[m]), 13);
			ready(t, at, 64 * 64);
			CHECK_EQ(shmem_fcollectmem(t->handle, at, from, 13), 0);
			for (m = 0; m < t->n; m++)
				CHECK_EQ(mt_differs(at + 13 * m, 13, (uint64_t)t->world[m]), 13);
			ready(t, at, 64 * 64);
			CHECK_EQ(shmem_alltoallmem(t->handle, at, from, 13), 0);
			for (m = 0; m < t->n; m++) {
				unsigned char want[64 * 13];

				mt_fill(want, sizeof(want), (uint64_t)t->world[m]);
				CHECK(memcmp(at + 13 * m, want + 13 * t->me, 13) == 0);
			}
			ready(t, at, 64 * 64);
			CHECK_EQ(shmem_alltoallsmem(t->handle, at, from, 2, 3, 5), 0);
			for (m = 0; m < t->n * 5; m++) {
				CHECK_EQ(at[2 * m], mt_byte((uint64_t)t->world[m / 5],
							    (size_t)(t->me * 5 + m % 5) * 3));
				CHECK_EQ(at[2 * m + 1], 0);
			}
		}
		shmem_barrier_all();
	}
	teams_destroy(teams);
	shmem_free(from);
	shmem_free(at);
}

int
main(int argc, char **argv)
{
	static const struct mt_case cases[] = {
		{"typed", case_typed},
		{"mem", case_mem},
		{0},
	};

	return mt_main(argc, argv, SHMEM_THREAD_SINGLE, cases);
}
