/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Two collectives are called in another order by another PE.
 * Says: another collective: PE 0 called shmem_int_sum_reduce, PE 1 shmem_int_max_reduce
 */
#include <shmem.h>

int
main(void)
{
	static int sum, most, x;

	shmem_init();
	if (shmem_my_pe() == 0)
		shmem_int_sum_reduce(SHMEM_TEAM_WORLD, &sum, &x, 1); /* wrong */
	shmem_int_max_reduce(SHMEM_TEAM_WORLD, &most, &x, 1);	     /* wrong */
	if (shmem_my_pe() == 1)
		shmem_int_sum_reduce(SHMEM_TEAM_WORLD, &sum, &x, 1);
	shmem_finalize();
	return 0;
}
