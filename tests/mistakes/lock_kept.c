/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * A PE enters a barrier with a lock that another PE waits for.
 * Says: waits for ever|shmem_set_lock: waits for|shmem_barrier_all: waits for
 */
#include <shmem.h>

int
main(void)
{
	static long lock;

	shmem_init();
	shmem_set_lock(&lock); /* wrong */
	shmem_barrier_all();   /* wrong */
	shmem_clear_lock(&lock);
	shmem_finalize();
	return 0;
}
