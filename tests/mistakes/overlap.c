/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Source and dest of a collective share memory.
 * Says: shmem_int_fcollect: source|overlap
 */
#include <shmem.h>

int
main(void)
{
	static int x[8];

	shmem_init();
	shmem_int_fcollect(SHMEM_TEAM_WORLD, x, x + 1, 2); /* wrong */
	shmem_finalize();
	return 0;
}
