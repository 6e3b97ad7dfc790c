/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * The loop of shmem_long_p() once more, in a file that asks for inlining. In another library
 * the macro has no effect: the loop calls it.
 */
#define SHMEMX_INLINE
#include <shmem.h>

#include "perf.h"

void
perf_p_inline(const struct perf *p, int pe, long n)
{
	long *word = (long *)(void *)p->dst;
	long i;

	for (i = 0; i < n; i++)
		shmem_long_p(&word[i % 8], i, pe);
}
