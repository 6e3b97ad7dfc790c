/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Large puts to a neighbour of each kind, each with a flag behind a fence or a quiet: a PE that
 * sees the flag sees the data, whether the CPU or a device copied them. Two hosts; PE 0 puts 64
 * times.
 */
#include <shmem.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum {
	ROUNDS = 64,
	BLOCK = 4096,
	BLOCKS = 16,
	WORDS = BLOCK * BLOCKS,
};

static long flag;
static long echo;

static void
order(shmem_ctx_t ctx, bool fence)
{
	if (fence)
		shmem_ctx_fence(ctx);
	else
		shmem_ctx_quiet(ctx);
}

/* On return the source may be used again, unless the quiet after the flag completes the put. */
static void
put_round(long r, long *to, long *from, long *wide, shmem_ctx_t ctx)
{
	long i;

	for (i = 0; i < (long)WORDS; i++)
		from[i] = r * 1000003 + i;
	for (i = 0; i < (long)BLOCKS; i++)
		memcpy(wide + 2 * i * BLOCK, from + i * BLOCK, BLOCK * sizeof(long));
	switch (r / 2 % 4) {
	case 0:
		shmem_long_put(to, from, WORDS, 1);
		from[r] = -1;
		break;
	case 1:
		shmem_long_put_nbi(to, from, WORDS, 1);
		break;
	case 2:
		shmem_ctx_putmem_nbi(ctx, to, from, WORDS * sizeof(long), 1);
		break;
	default:
		shmem_ctx_long_ibput(ctx, to, wide, BLOCK, (ptrdiff_t)2 * BLOCK, BLOCK, BLOCKS, 1);
		memset(wide, -1, BLOCK * sizeof(long));
	}
	order(r / 2 % 4 < 2 ? SHMEM_CTX_DEFAULT : ctx, r % 2 == 0);
	if (r / 2 % 4 < 2)
		shmem_long_p(&flag, r, 1);
	else
		shmem_ctx_long_p(ctx, &flag, r, 1);
}

static void
put_rounds(long *to, long *from, long *wide)
{
	shmem_ctx_t ctx;
	long r;

	if (shmem_ctx_create(0, &ctx) != 0)
		shmem_global_exit(3);
	for (r = 1; r <= ROUNDS; r++) {
		put_round(r, to, from, wide, ctx);
		shmem_long_wait_until(&echo, SHMEM_CMP_GE, r);
		shmem_quiet();
		shmem_ctx_quiet(ctx);
	}
	shmem_ctx_destroy(ctx);
}

static void
check_rounds(const long *at)
{
	long r, i;

	for (r = 1; r <= ROUNDS; r++) {
		shmem_long_wait_until(&flag, SHMEM_CMP_GE, r);
		for (i = 0; i < (long)WORDS; i++) {
			if (at[i] == r * 1000003 + i)
				continue;
			printf("round %ld, word %ld: %ld\n", r, i, at[i]);
			shmem_global_exit(2);
		}
		shmem_long_p(&echo, r, 0);
	}
}

int
main(void)
{
	long *to, *from, *wide;

	shmem_init();
	to = shmem_malloc(WORDS * sizeof(long));
	from = shmem_malloc(WORDS * sizeof(long));
	wide = shmem_malloc(2 * WORDS * sizeof(long));
	if (shmem_my_pe() == 0)
		put_rounds(to, from, wide);
	else if (shmem_my_pe() == 1)
		check_rounds(to);
	shmem_barrier_all();
	shmem_finalize();
	return 0;
}
