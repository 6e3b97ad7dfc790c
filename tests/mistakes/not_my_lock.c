/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * A PE releases the lock that another one holds.
 * Says: PE 1: shmem_clear_lock: lock|not held by this PE
 */
#include <shmem.h>

int
main(void)
{
	static long lock;

	shmem_init();
	if (shmem_my_pe() == 0)
		shmem_set_lock(&lock);
	shmem_barrier_all();
	if (shmem_my_pe() == 1)
		shmem_clear_lock(&lock); /* wrong */
	shmem_barrier_all();
	shmem_finalize();
	return 0;
}
