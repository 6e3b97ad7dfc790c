/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * The members of a team reduce different numbers of elements.
 * Says: shmem_int_sum_reduce: the number of elements is 1 on PE 0, 2 on PE 1
 */
#include <shmem.h>

int
main(void)
{
	static int to[2], from[2];

	shmem_init();
	shmem_int_sum_reduce(SHMEM_TEAM_WORLD, to, from, 1 + (size_t)shmem_my_pe()); /* wrong */
	shmem_finalize();
	return 0;
}
