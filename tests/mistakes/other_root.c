/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Each PE broadcasts from itself.
 * Says: shmem_int_broadcast: PE_root is 0 on PE 0, 1 on PE 1
 */
#include <shmem.h>

int
main(void)
{
	static int to, from;

	shmem_init();
	shmem_int_broadcast(SHMEM_TEAM_WORLD, &to, &from, 1, shmem_my_pe()); /* wrong */
	shmem_finalize();
	return 0;
}
