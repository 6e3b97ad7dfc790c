/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * All PEs have to allocate the same number of bytes.
 * Says: shmem_malloc: size is 100 on PE 0, 101 on PE 1
 */
#include <shmem.h>

int
main(void)
{
	shmem_init();
	(void)shmem_malloc(100 + (size_t)shmem_my_pe()); /* wrong */
	shmem_finalize();
	return 0;
}
