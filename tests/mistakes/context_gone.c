/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * A context is used after it was destroyed.
 * Says: shmem_ctx_int_p: context|was destroyed
 */
#include <shmem.h>

int
main(void)
{
	static int x;
	shmem_ctx_t ctx;

	shmem_init();
	if (shmem_ctx_create(0, &ctx) != 0)
		return 1;
	shmem_ctx_destroy(ctx);
	shmem_ctx_int_p(ctx, &x, 1, 0); /* wrong */
	shmem_finalize();
	return 0;
}
