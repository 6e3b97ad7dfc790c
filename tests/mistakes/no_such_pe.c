/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * PEs count from 0, so there is none with the number of all.
 * Says: shmem_int_p: PE 2 is not in 0..1
 */
#include <shmem.h>

int
main(void)
{
	static int x;

	shmem_init();
	shmem_int_p(&x, 1, shmem_n_pes()); /* wrong */
	shmem_finalize();
	return 0;
}
