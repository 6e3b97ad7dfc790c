/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * The source of a nonblocking put is used again before a quiet.
 * Says: PE 0|shmem_int_put_nbi: source|was changed before a quiet
 */
#include <shmem.h>

int
main(void)
{
	static int x[4], from[4];

	shmem_init();
	if (shmem_my_pe() == 0) {
		shmem_int_put_nbi(x, from, 4, 1); /* wrong */
		from[0] = 1;
	}
	shmem_barrier_all();
	shmem_finalize();
	return 0;
}
