/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * The operator of a signal is SHMEM_SIGNAL_SET or SHMEM_SIGNAL_ADD, not SHMEM_CMP_NE.
 * Says: shmem_int_put_signal: sig_op is 2
 */
#include <shmem.h>

int
main(void)
{
	static uint64_t signal;
	static int x[4], from[4];

	shmem_init();
	shmem_int_put_signal(x, from, 4, &signal, 1, SHMEM_CMP_NE, 0); /* wrong */
	shmem_finalize();
	return 0;
}
