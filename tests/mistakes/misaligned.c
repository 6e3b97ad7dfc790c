/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * The address of an atomic has to be aligned like its type.
 * Says: shmem_int_atomic_inc: |not aligned to 4 bytes
 */
#include <shmem.h>

int
main(void)
{
	static char x[8];

	shmem_init();
	shmem_int_atomic_inc((int *)(void *)(x + 2), 0); /* wrong */
	shmem_finalize();
	return 0;
}
