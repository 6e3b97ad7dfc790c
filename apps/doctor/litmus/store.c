/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <rte_atomic.h>

#include "store.h"

void
store_word(word *at, uint64_t value)
{
	/* the order is what is tested: store_fence() makes it, and nothing else */
	atomic_store_explicit(at, value, memory_order_relaxed);
}

void
store_stream(word *at, uint64_t value, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++)
#ifdef __x86_64__
		_mm_stream_si64((long long *)(void *)&at[i], (long long)value);
#else
		store_word(&at[i], value);
#endif
}

void
store_fence(void)
{
	rte_wmb();
}
