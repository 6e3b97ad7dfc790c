/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * The collectives that move data, for every type, on teams of all shapes. The calls of a type are a
 * row of a table: what they move is bytes, by number and size of the elements.
 */
#include <string.h>

#include "multi.h"
#include "teams.h"
#include "types.h"

enum {
	LEN = 7,
	WIDEST = 16,
	UNTOUCHED = 0xee
};

typedef int collect(shmem_team_t team, void *dest, const void *source, size_t n);
typedef int broadcast(shmem_team_t team, void *dest, const void *source, size_t n, int root);
typedef int alltoalls(shmem_team_t team, void *dest, const void *source, ptrdiff_t dst,
		      ptrdiff_t sst, size_t n);

static const struct form {
	const char *name;
	size_t size;
	broadcast *broadcast;
	collect *collect, *fcollect, *alltoall;
	alltoalls *alltoalls;
} forms[] = {
#define ROW(name, size, before, after)                  \
	{name,                                          \
	 size,                                          \
	 (broadcast *)shmem_##before##broadcast##after, \
	 (collect *)shmem_##before##collect##after,     \
	 (collect *)shmem_##before##fcollect##after,    \
	 (collect *)shmem_##before##alltoall##after,    \
	 (alltoalls *)shmem_##before##alltoalls##after},
#define TYPE_ROW(T, name) ROW(#name, sizeof(T), name##_, )
	TYPES_RMA(TYPE_ROW) ROW("mem", 1, , mem)};

enum {
	FORMS = sizeof(forms) / sizeof(forms[0])
};

static unsigned char *at, *from;

/* Room for what all members give, or for a stride more. */
static size_t
room(void)
{
	return (size_t)(mt_npes + 1) * LEN * 3 * WIDEST;
}

static uint64_t
key(const struct form *f, int member)
{
	return (uint64_t)member * 64 + f->size;
}

/* No PE writes to a dest before all members are done with its former contents. */
static void
ready(const struct team *t)
{
	memset(at, UNTOUCHED, room());
	mt_waiting("team_sync");
	CHECK_EQ(shmem_team_sync(t->handle), 0);
	mt_waiting(t->name);
}

/* @p n elements from element @p first on are those that @p member has from @p source on. */
static void
arrived(const struct form *f, const char *call, size_t first, size_t n, int member, size_t source)
{
	size_t len = n * f->size, i;

	for (i = 0;
	     i < len && at[first * f->size + i] == mt_byte(key(f, member), source * f->size + i);
	     i++)
		;
	CHECK_MSG(i == len, "%s %s: byte %zu of member %d", f->name, call, i, member);
}

static void
untouched(const struct form *f, const char *call, size_t first, size_t n)
{
	CHECK_MSG(mt_differs_from(at + first * f->size, n * f->size, UNTOUCHED) == n * f->size,
		  "%s %s: element %zu is touched", f->name, call, first);
}

static void
gather(const struct form *f, const struct team *t)
{
	size_t off = 0, n;
	int m;

	ready(t);
	CHECK_EQ(f->collect(t->handle, at, from, (size_t)t->me % 3 * 2), 0);
	for (m = 0; m < t->n; m++, off += n) {
		n = (size_t)m % 3 * 2;
		arrived(f, "collect", off, n, m, 0);
	}
	untouched(f, "collect", off, 1);
	ready(t);
	CHECK_EQ(f->fcollect(t->handle, at, from, LEN), 0);
	for (m = 0; m < t->n; m++)
		arrived(f, "fcollect", (size_t)m * LEN, LEN, m, 0);
	untouched(f, "fcollect", (size_t)m * LEN, 1);
}

static void
exchange(const struct form *f, const struct team *t)
{
	size_t me = (size_t)t->me, i;
	int m;

	ready(t);
	CHECK_EQ(f->alltoall(t->handle, at, from, 2), 0);
	for (m = 0; m < t->n; m++)
		arrived(f, "alltoall", 2 * (size_t)m, 2, m, 2 * me);
	untouched(f, "alltoall", 2 * (size_t)m, 1);
	ready(t);
	CHECK_EQ(f->alltoalls(t->handle, at, from, 3, 2, 2), 0);
	for (i = 0; i < 2 * (size_t)t->n; i++) {
		arrived(f, "alltoalls", 3 * i, 1, (int)i / 2, 2 * (2 * me + i % 2));
		untouched(f, "alltoalls", 3 * i + 1, 2);
	}
}

static void
all_calls(const struct form *f, const struct team *t)
{
	int root;

	/* No member still reads the source of the last collective: ready() came after it. */
	mt_fill(from, room(), key(f, t->me));
	for (root = 0; root<t->n; root += t->n> 1 ? t->n - 1 : 1) {
		ready(t);
		CHECK_EQ(f->broadcast(t->handle, at, from, LEN, root), 0);
		arrived(f, "broadcast", 0, LEN, root, 0);
		untouched(f, "broadcast", LEN, 1);
	}
	gather(f, t);
	exchange(f, t);
	ready(t);
}

static void
case_typed(void)
{
	struct team teams[TEAMS];
	int i, k;

	at = mt_alloc(room());
	from = mt_alloc(room());
	teams_make(teams);
	for (i = 0; i < TEAMS; i++) {
		for (k = 0; k < FORMS && teams[i].me >= 0; k++)
			all_calls(&forms[k], &teams[i]);
		/* The next team has other members, who are to leave this dest alone. */
		shmem_barrier_all();
	}
	teams_destroy(teams);
	shmem_free(from);
	shmem_free(at);
}

/* No elements: nobody touches the buffers, NULL is fine. */
static void
case_nothing(void)
{
	static long word = 5;
	const struct form *f;

	mt_waiting("collectives of nothing");
	for (f = forms; f < forms + FORMS; f++) {
		CHECK_EQ(f->broadcast(SHMEM_TEAM_WORLD, NULL, NULL, 0, 0), 0);
		CHECK_EQ(f->collect(SHMEM_TEAM_WORLD, NULL, NULL, 0), 0);
		CHECK_EQ(f->fcollect(SHMEM_TEAM_WORLD, NULL, NULL, 0), 0);
		CHECK_EQ(f->alltoall(SHMEM_TEAM_WORLD, NULL, NULL, 0), 0);
		CHECK_EQ(f->alltoalls(SHMEM_TEAM_WORLD, NULL, NULL, 1, 1, 0), 0);
	}
	CHECK_EQ(shmem_long_sum_reduce(SHMEM_TEAM_WORLD, NULL, NULL, 0), 0);
	CHECK_EQ(shmem_long_sum_inscan(SHMEM_TEAM_WORLD, NULL, NULL, 0), 0);
	CHECK_EQ(shmem_double_sum_exscan(SHMEM_TEAM_WORLD, NULL, NULL, 0), 0);
	CHECK_EQ(shmem_long_max_reduce(SHMEM_TEAM_WORLD, &word, &word, 0), 0);
	shmem_barrier_all();
	CHECK_EQ(word, 5);
}

int
main(int argc, char **argv)
{
	static const struct mt_case cases[] = {
		{"typed", case_typed},
		{"nothing", case_nothing},
		{0},
	};

	return mt_main(argc, argv, SHMEM_THREAD_SINGLE, cases);
}
