/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * A PE waits for a word that nobody stores.
 * Says: waits for ever|PE 1: shmem_int_wait_until: waits for|PE 0 is in shmem_finalize
 */
#include <shmem.h>

int
main(void)
{
	static int flag;

	shmem_init();
	if (shmem_my_pe() == 1)
		shmem_int_wait_until(&flag, SHMEM_CMP_EQ, 1); /* wrong */
	shmem_finalize();				      /* wrong */
	return 0;
}
