/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Block-strided transfers (ibput, ibget) of every type and size, with and without context.
 */
#include <string.h>

#include "multi.h"
#include "types.h"

#define LEN 32
#define BLOCKS 4
#define BSIZE 3

static shmem_ctx_t ctx;

static int
value(int pe, int i)
{
	return (pe * 17 + i) % 120 + 1;
}

/** What stands at @p i where blocks of PE @p from, @p sst apart over there, lie @p dst apart. */
static int
expected(int from, int i, int dst, int sst)
{
	int block = i / dst, in = i % dst;

	return block < BLOCKS && in < BSIZE ? value(from, block * sst + in) : 0;
}

#define BLOCKED(T, name)                                                                           \
	static void name##_blocked(T *at, T *from, int d)                                          \
	{                                                                                          \
		int i, pe = mt_pe(d);                                                              \
		memset(at, 0, 4 * LEN * sizeof(T));                                                \
		for (i = 0; i < LEN; i++)                                                          \
			from[i] = (T)value(mt_me, i);                                              \
		shmem_barrier_all();                                                               \
		shmem_##name##_ibput(at, from, 5, 4, BSIZE, BLOCKS, pe);                           \
		shmem_ctx_##name##_ibput(ctx, at + LEN, from, 3, 7, BSIZE, BLOCKS, pe);            \
		shmem_##name##_ibget(at + 2 * LEN, from, 6, 3, BSIZE, BLOCKS, pe);                 \
		shmem_ctx_##name##_ibget(ctx, at + 3 * LEN, from, 4, 5, BSIZE, BLOCKS, pe);        \
		shmem_##name##_ibput(at, from, 5, 4, BSIZE, 0, pe);                                \
		shmem_##name##_ibget(at, from, 5, 4, 0, BLOCKS, pe);                               \
		shmem_ctx_quiet(ctx);                                                              \
		shmem_barrier_all();                                                               \
		for (i = 0; i < LEN; i++) {                                                        \
			CHECK_MSG((double)at[i] == expected(mt_pe(-d), i, 5, 4), "%s ibput %d",    \
				  #name, i);                                                       \
			CHECK_MSG((double)at[LEN + i] == expected(mt_pe(-d), i, 3, 7),             \
				  "%s ctx ibput %d", #name, i);                                    \
			CHECK_MSG((double)at[2 * LEN + i] == expected(pe, i, 6, 3), "%s ibget %d", \
				  #name, i);                                                       \
			CHECK_MSG((double)at[3 * LEN + i] == expected(pe, i, 4, 5),                \
				  "%s ctx ibget %d", #name, i);                                    \
		}                                                                                  \
		shmem_barrier_all();                                                               \
	}
/* clang-format off */
TYPES_RMA(BLOCKED)
/* clang-format on */

static void
case_typed(void)
{
	void *at = mt_alloc(4 * LEN * sizeof(long double));
	void *from = mt_alloc(LEN * sizeof(long double));
	int d;

	CHECK_EQ(shmem_ctx_create(0, &ctx), 0);
	for (d = 0; d < mt_distances(); d++) {
#define CALL(T, name) name##_blocked(at, from, d);
		TYPES_RMA(CALL)
#undef CALL
	}
	shmem_ctx_destroy(ctx);
	shmem_free(from);
	shmem_free(at);
}

/** Is block @p block of BSIZE elements, @p dst apart here, the one @p sst apart in pattern key? */
static void
check_block(const unsigned char *at, int block, size_t bytes, uint64_t key, int dst, int sst)
{
	unsigned char want[LEN * 16];

	mt_fill(want, sizeof(want), key);
	CHECK(memcmp(at + (size_t)(block * dst) * bytes, want + (size_t)(block * sst) * bytes,
		     BSIZE * bytes) == 0);
}

#define SIZED(bits, bytes)                                                                  \
	static void sized##bits(unsigned char *at, unsigned char *from, int d)              \
	{                                                                                   \
		int i, pe = mt_pe(d);                                                       \
		size_t lane = LEN * 16;                                                     \
		mt_fill(from, lane, (uint64_t)mt_me + bits);                                \
		shmem_barrier_all();                                                        \
		shmem_ibput##bits(at, from, 5, 4, BSIZE, BLOCKS, pe);                       \
		shmem_ctx_ibput##bits(ctx, at + lane, from, 5, 4, BSIZE, BLOCKS, pe);       \
		shmem_ibget##bits(at + 2 * lane, from, 5, 4, BSIZE, BLOCKS, pe);            \
		shmem_ctx_ibget##bits(ctx, at + 3 * lane, from, 5, 4, BSIZE, BLOCKS, pe);   \
		shmem_ctx_quiet(ctx);                                                       \
		shmem_barrier_all();                                                        \
		for (i = 0; i < 4 * BLOCKS; i++)                                            \
			check_block(at + i / BLOCKS * lane, i % BLOCKS, bytes,              \
				    (uint64_t)mt_pe(i < 2 * BLOCKS ? -d : d) + bits, 5, 4); \
		shmem_barrier_all();                                                        \
	}
/* clang-format off */
SIZES(SIZED)
/* clang-format on */

static void
case_sized(void)
{
	unsigned char *at = mt_alloc(4 * LEN * 16), *from = mt_alloc(LEN * 16);
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
		{"typed", case_typed},
		{"sized", case_sized},
		{0},
	};

	return mt_main(argc, argv, SHMEM_THREAD_SINGLE, cases);
}
