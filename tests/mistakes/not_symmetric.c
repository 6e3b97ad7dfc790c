/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * A variable on the stack is at no place that other PEs know.
 * Says: PE 0|shmem_int_p: address|not symmetric
 */
#include <shmem.h>

int
main(void)
{
	int x = 0;

	shmem_init();
	if (shmem_my_pe() == 0)
		shmem_int_p(&x, 1, 1); /* wrong */
	shmem_finalize();
	return 0;
}
