/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * A call before shmem_init().
 * Says: shmem_int_p: called outside of shmem_init and shmem_finalize
 */
#include <shmem.h>

int
main(void)
{
	static int x;

	shmem_int_p(&x, 1, 0); /* wrong */
	shmem_init();
	shmem_finalize();
	return 0;
}
