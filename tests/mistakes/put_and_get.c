/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * A PE puts what another one gets.
 * Mode: races
 * Says: race: x of PE 1|shmem_int_p|shmem_int_g|nothing orders the two
 */
#include <shmem.h>

static int x;

int
main(void)
{
	shmem_init();
	if (shmem_my_pe() == 0)
		shmem_int_p(&x, 1, 1); /* wrong */
	else
		x = shmem_int_g(&x, 1); /* wrong */
	shmem_finalize();
	return 0;
}
