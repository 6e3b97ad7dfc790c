/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * A collective is called by some of the PEs only.
 * Says: another collective: PE 0 called shmem_barrier_all, PE 1 shmem_finalize
 */
#include <shmem.h>

int
main(void)
{
	shmem_init();
	if (shmem_my_pe() == 0)
		shmem_barrier_all(); /* wrong */
	shmem_finalize();	     /* wrong */
	return 0;
}
