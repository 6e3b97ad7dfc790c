/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * The members of a team reduce different types.
 * Says: another collective: PE 0 called shmem_int_sum_reduce, PE 1 shmem_long_sum_reduce
 */
#include <shmem.h>

int
main(void)
{
	static long to, from;

	shmem_init();
	if (shmem_my_pe() == 0)
		shmem_int_sum_reduce(SHMEM_TEAM_WORLD, (int *)&to, (int *)&from, 1); /* wrong */
	else
		shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &to, &from, 1); /* wrong */
	shmem_finalize();
	return 0;
}
