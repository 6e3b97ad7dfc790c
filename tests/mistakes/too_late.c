/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * A call after shmem_finalize().
 * Says: shmem_int_g: called outside of shmem_init and shmem_finalize
 */
#include <shmem.h>

int
main(void)
{
	static int x;

	shmem_init();
	shmem_finalize();
	x = shmem_int_g(&x, 0); /* wrong */
	return x;
}
