/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * A put goes past the end of the block that was allocated.
 * Says: PE 1|shmem_int_put: 40 bytes|run over the end|36 bytes
 */
#include <shmem.h>

int
main(void)
{
	static int from[10];
	int *x;

	shmem_init();
	x = shmem_malloc(9 * sizeof(*x));
	if (shmem_my_pe() == 1)
		shmem_int_put(x, from, 10, 0); /* wrong */
	shmem_finalize();
	return 0;
}
