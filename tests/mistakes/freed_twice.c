/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * A block is freed twice.
 * Says: shmem_free: 0x|not the start of an allocated block
 */
#include <shmem.h>

int
main(void)
{
	int *x;

	shmem_init();
	x = shmem_malloc(sizeof(*x));
	shmem_free(x);
	shmem_free(x); /* wrong */
	shmem_finalize();
	return 0;
}
