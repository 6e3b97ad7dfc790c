/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * A flag may arrive before the data that was put before it, as there is no fence between them.
 * Mode: races
 * Says: race: x of PE 1|shmem_int_p|nothing orders the two
 */
#include <shmem.h>

static int x;

int
main(void)
{
	shmem_init();
	static int flag;

	if (shmem_my_pe() == 0) {
		shmem_int_p(&x, 1, 1);
		shmem_int_p(&flag, 1, 1);
	} else {
		shmem_int_wait_until(&flag, SHMEM_CMP_EQ, 1);
		shmem_int_put(&x, &x, 1, 0); /* wrong */
	}
	shmem_finalize();
	return 0;
}
