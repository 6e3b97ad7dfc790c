/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * A get may come before the put that the same PE made, as there is no quiet between them.
 * Mode: races
 * Says: PE 0: shmem_int_g: x of PE 1 is read here|shmem_int_p|no quiet between the two
 */
#include <shmem.h>

static int x;

int
main(void)
{
	shmem_init();
	if (shmem_my_pe() == 0) {
		shmem_int_p(&x, 1, 1);
		x = shmem_int_g(&x, 1); /* wrong */
	}
	shmem_finalize();
	return 0;
}
