/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Many contexts at a time. What calls on them do is in tests/calls, what is refused in tests/shmem.
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

MT_PROGRAM(SHMEM_THREAD_SINGLE, {"many", case_many})
