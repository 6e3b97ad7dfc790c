/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "wait.h"

void
shmemi_wait_ge64(const uint64_t *word, uint64_t value)
{
	struct rb_wait w = {0};

	while (__atomic_load_n(word, __ATOMIC_ACQUIRE) < value)
		shmemi_wait_once(&w);
	shmemi_wait_end(&w);
}
