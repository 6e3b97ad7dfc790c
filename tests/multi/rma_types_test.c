/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Every typed and sized form of put, get, p and g, blocking and not, with and without context,
 * contiguous and strided, to oneself and over one and two hops.
 */
#include <string.h>

#include "multi.h"
#include "types.h"

/* Elements of a lane. Every call writes a lane of its own; lanes of one distance are together. */
#define LEN 24
#define LANES 8
#define LANE(d, n) ((LANES * (d) + (n)) * LEN)
#define ROOM ((size_t)MT_FAR * LANES * LEN)

static shmem_ctx_t ctx;

/** Value of element @p i that PE @p pe sends to @p lane. Small enough for all types. */
static int
value(int pe, int lane, int i)
{
	return (pe * 13 + lane * 5 + i) % 100 + 1;
}

#define CHECK_LANE(name, op, at, from, lane, d, count)                                            \
	do {                                                                                      \
		int i_;                                                                           \
		for (i_ = 0; i_ < (count); i_++)                                                  \
			if (!mt_check((double)(at)[i_] == value(from, lane, i_), __FILE__,        \
				      __LINE__, "%s %s distance %d element %d", name, op, d, i_)) \
				break;                                                            \
		for (; i_ < LEN; i_++)                                                            \
			if (!mt_check((double)(at)[i_] == 0, __FILE__, __LINE__,                  \
				      "%s %s distance %d touched element %d", name, op, d, i_))   \
				break;                                                            \
	} while (0)

/* Puts write LEN - 2 elements, so that a wrong element size shows after them. */
#define PUTS(T, name)                                                                              \
	static void name##_puts(T *at, T *from)                                                    \
	{                                                                                          \
		int d, i, lane;                                                                    \
		memset(at, 0, ROOM * sizeof(T));                                                   \
		for (lane = 0; lane < MT_FAR * LANES; lane++)                                      \
			for (i = 0; i < LEN; i++)                                                  \
				from[lane * LEN + i] = (T)value(mt_me, lane % LANES, i);           \
		shmem_barrier_all();                                                               \
		for (d = 0; d < mt_distances(); d++) {                                             \
			T *to = at + LANE(d, 0), *s = from + LANE(d, 0);                           \
			shmem_##name##_put(to, s, LEN - 2, mt_pe(d));                              \
			shmem_ctx_##name##_put(ctx, to + LEN, s + LEN, LEN - 2, mt_pe(d));         \
			shmem_##name##_put_nbi(to + 2 * LEN, s + 2 * LEN, LEN - 2, mt_pe(d));      \
			shmem_ctx_##name##_put_nbi(ctx, to + 3 * LEN, s + 3 * LEN, LEN - 2,        \
						   mt_pe(d));                                      \
			shmem_##name##_p(to + 4 * LEN, s[4 * LEN], mt_pe(d));                      \
			shmem_ctx_##name##_p(ctx, to + 5 * LEN, s[5 * LEN], mt_pe(d));             \
		}                                                                                  \
		shmem_ctx_quiet(ctx);                                                              \
		shmem_barrier_all();                                                               \
		for (d = 0; d < mt_distances(); d++) {                                             \
			for (lane = 0; lane < 4; lane++)                                           \
				CHECK_LANE(#name, "put", at + LANE(d, lane), mt_pe(-d), lane, d,   \
					   LEN - 2);                                               \
			for (; lane < 6; lane++)                                                   \
				CHECK_LANE(#name, "p", at + LANE(d, lane), mt_pe(-d), lane, d, 1); \
		}                                                                                  \
		shmem_barrier_all();                                                               \
	}

#define GETS(T, name)                                                                             \
	static void name##_gets(T *at, T *from)                                                   \
	{                                                                                         \
		int d, i, lane;                                                                   \
		memset(at, 0, ROOM * sizeof(T));                                                  \
		for (lane = 0; lane < LANES; lane++)                                              \
			for (i = 0; i < LEN; i++)                                                 \
				from[lane * LEN + i] = (T)value(mt_me, lane, i);                  \
		shmem_barrier_all();                                                              \
		for (d = 0; d < mt_distances(); d++) {                                            \
			T *to = at + LANE(d, 0);                                                  \
			shmem_##name##_get(to, from, LEN - 2, mt_pe(d));                          \
			shmem_ctx_##name##_get(ctx, to + LEN, from + LEN, LEN - 2, mt_pe(d));     \
			to[4 * LEN] = shmem_##name##_g(from + 4 * LEN, mt_pe(d));                 \
			to[5 * LEN] = shmem_ctx_##name##_g(ctx, from + 5 * LEN, mt_pe(d));        \
			shmem_##name##_get_nbi(to + 2 * LEN, from + 2 * LEN, LEN - 2, mt_pe(d));  \
			shmem_ctx_##name##_get_nbi(ctx, to + 3 * LEN, from + 3 * LEN, LEN - 2,    \
						   mt_pe(d));                                     \
		}                                                                                 \
		shmem_ctx_quiet(ctx);                                                             \
		shmem_quiet();                                                                    \
		for (d = 0; d < mt_distances(); d++) {                                            \
			for (lane = 0; lane < 4; lane++)                                          \
				CHECK_LANE(#name, "get", at + LANE(d, lane), mt_pe(d), lane, d,   \
					   LEN - 2);                                              \
			for (; lane < 6; lane++)                                                  \
				CHECK_LANE(#name, "g", at + LANE(d, lane), mt_pe(d), lane, d, 1); \
		}                                                                                 \
		shmem_barrier_all();                                                              \
	}

/* Element k of a strided transfer stands at 3k here and at 2k there; the rest stays zero. */
#define CHECK_STRIDED(name, op, at, stride, from, lane, d, n)                                   \
	do {                                                                                    \
		int i_;                                                                         \
		for (i_ = 0; i_ < LEN; i_++)                                                    \
			if (!mt_check((double)(at)[i_] ==                                       \
					      (i_ % (stride) == 0 && i_ / (stride) < (n)        \
						       ? value(from, lane, i_ / (stride))       \
						       : 0),                                    \
				      __FILE__, __LINE__, "%s %s distance %d element %d", name, \
				      op, d, i_))                                               \
				break;                                                          \
	} while (0)

#define STRIDED(T, name)                                                                       \
	static void name##_strided(T *at, T *from)                                             \
	{                                                                                      \
		int d, k, lane;                                                                \
		memset(at, 0, ROOM * sizeof(T));                                               \
		for (k = 0; k < 8; k++) {                                                      \
			from[3 * k] = (T)value(mt_me, 0, k);                                   \
			from[LEN + 3 * k] = (T)value(mt_me, 1, k);                             \
			from[2 * LEN + 2 * k] = (T)value(mt_me, 2, k);                         \
			from[3 * LEN + 2 * k] = (T)value(mt_me, 3, k);                         \
		}                                                                              \
		shmem_barrier_all();                                                           \
		for (d = 0; d < mt_distances(); d++) {                                         \
			T *to = at + LANE(d, 0);                                               \
			shmem_##name##_iput(to, from, 2, 3, 7, mt_pe(d));                      \
			shmem_ctx_##name##_iput(ctx, to + LEN, from + LEN, 2, 3, 7, mt_pe(d)); \
			shmem_##name##_iget(to + 2 * LEN, from + 2 * LEN, 3, 2, 7, mt_pe(d));  \
			shmem_ctx_##name##_iget(ctx, to + 3 * LEN, from + 3 * LEN, 3, 2, 7,    \
						mt_pe(d));                                     \
		}                                                                              \
		shmem_ctx_quiet(ctx);                                                          \
		shmem_barrier_all();                                                           \
		for (d = 0; d < mt_distances(); d++)                                           \
			for (lane = 0; lane < 4; lane++)                                       \
				CHECK_STRIDED(#name, lane < 2 ? "iput" : "iget",               \
					      at + LANE(d, lane), lane < 2 ? 2 : 3,            \
					      lane < 2 ? mt_pe(-d) : mt_pe(d), lane, d, 7);    \
		shmem_barrier_all();                                                           \
	}

/* clang-format off */
TYPES_RMA(PUTS)
TYPES_RMA(GETS)
TYPES_RMA(STRIDED)
/* clang-format on */

static void
with_types(int what)
{
	/* Aligned and large enough for the largest type. */
	void *at = mt_alloc(ROOM * sizeof(long double));
	void *from = mt_alloc(ROOM * sizeof(long double));

	CHECK_EQ(shmem_ctx_create(0, &ctx), 0);
#define CALL(T, name)                  \
	if (what == 0)                 \
		name##_puts(at, from); \
	else if (what == 1)            \
		name##_gets(at, from); \
	else                           \
		name##_strided(at, from);
	TYPES_RMA(CALL)
#undef CALL
	shmem_ctx_destroy(ctx);
	shmem_free(from);
	shmem_free(at);
}

static void
case_put(void)
{
	with_types(0);
}

static void
case_get(void)
{
	with_types(1);
}

static void
case_strided(void)
{
	with_types(2);
}

/* Sized calls move raw bits; 21 elements, which is no round number of bytes for any size. */
#define NSIZED 21
#define SIZED(bits, bytes)                                                                        \
	static void sized##bits(unsigned char *at, unsigned char *from, int d)                    \
	{                                                                                         \
		size_t n = NSIZED * (size_t)(bytes), lane = 1024;                                 \
		int pe = mt_pe(d), i;                                                             \
		memset(at, 0, 8 * lane);                                                          \
		mt_fill(from, 8 * lane, (uint64_t)mt_me * 131 + bits);                            \
		shmem_barrier_all();                                                              \
		shmem_put##bits(at, from, NSIZED, pe);                                            \
		shmem_ctx_put##bits(ctx, at + lane, from, NSIZED, pe);                            \
		shmem_put##bits##_nbi(at + 2 * lane, from, NSIZED, pe);                           \
		shmem_ctx_put##bits##_nbi(ctx, at + 3 * lane, from, NSIZED, pe);                  \
		shmem_get##bits(at + 4 * lane, from, NSIZED, pe);                                 \
		shmem_ctx_get##bits(ctx, at + 5 * lane, from, NSIZED, pe);                        \
		shmem_get##bits##_nbi(at + 6 * lane, from, NSIZED, pe);                           \
		shmem_ctx_get##bits##_nbi(ctx, at + 7 * lane, from, NSIZED, pe);                  \
		shmem_ctx_quiet(ctx);                                                             \
		shmem_barrier_all();                                                              \
		for (i = 0; i < 8; i++) {                                                         \
			uint64_t key = (uint64_t)mt_pe(i < 4 ? -d : d) * 131 + bits;              \
			CHECK_EQ(mt_differs(at + i * lane, n, key), n);                           \
			CHECK_EQ(mt_differs_from(at + i * lane + n, lane - n, 0), lane - n);      \
		}                                                                                 \
		memset(at, 0, 2 * lane);                                                          \
		shmem_barrier_all();                                                              \
		shmem_iput##bits(at, from, 1, 2, 10, pe);                                         \
		shmem_iget##bits(at + lane, from, 2, 1, 10, pe);                                  \
		shmem_barrier_all();                                                              \
		mt_fill(at + 2 * lane, lane, (uint64_t)mt_pe(-d) * 131 + bits);                   \
		mt_fill(at + 3 * lane, lane, (uint64_t)pe * 131 + bits);                          \
		for (i = 0; i < 10; i++) {                                                        \
			CHECK(memcmp(at + i * (bytes), at + 2 * lane + 2 * i * (bytes), bytes) == \
			      0);                                                                 \
			CHECK(memcmp(at + lane + 2 * i * (bytes), at + 3 * lane + i * (bytes),    \
				     bytes) == 0);                                                \
		}                                                                                 \
		shmem_barrier_all();                                                              \
	}
/* clang-format off */
SIZES(SIZED)
/* clang-format on */

static void
case_sized(void)
{
	unsigned char *at = mt_alloc(8 * 1024), *from = mt_alloc(8 * 1024);
	int d;

	CHECK_EQ(shmem_ctx_create(0, &ctx), 0);
	for (d = 0; d < mt_distances(); d++) {
#define CALL(bits, bytes) sized##bits(at, from, d);
		SIZES(CALL)
#undef CALL
	}
	shmem_ctx_destroy(ctx);
	shmem_free(from);
	shmem_free(at);
}

int
main(int argc, char **argv)
{
	static const struct mt_case cases[] = {
		{"put", case_put},
		{"get", case_get},
		{"strided", case_strided},
		{"sized", case_sized},
		{0},
	};

	return mt_main(argc, argv, SHMEM_THREAD_SINGLE, cases);
}
