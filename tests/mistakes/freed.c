/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * A block is used after it was freed.
 * Says: PE 0|shmem_int_p: address|in no allocated block
 */
#include <shmem.h>

int
main(void)
{
	int *x;

	shmem_init();
	x = shmem_malloc(sizeof(*x));
	shmem_free(x);
	if (shmem_my_pe() == 0)
		shmem_int_p(x, 1, 1); /* wrong */
	shmem_finalize();
	return 0;
}
