/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * How far PEs are apart, where the library says it.
 */
#ifdef LITMUS_RINGBELL
#include <shmemx.h>
#include <stdlib.h>
#endif

#include "litmus.h"

bool
litmus_hops_known(void)
{
#ifdef LITMUS_RINGBELL
	return true;
#else
	return false;
#endif
}

int
litmus_hops(int one, int other)
{
#ifdef LITMUS_RINGBELL
	int hosts = shmemx_pe_host(shmem_n_pes() - 1) + 1, pe;
	int way = abs(shmemx_pe_host(one) - shmemx_pe_host(other));

	for (pe = 0; pe < shmem_n_pes(); pe++)
		if (shmemx_pe_host(pe) >= hosts)
			hosts = shmemx_pe_host(pe) + 1;
	return way < hosts - way ? way : hosts - way;
#else
	(void)one;
	(void)other;
	return 0;
#endif
}
