/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLXM_CLOCK_H
#define PLXM_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t
plxm_now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

#endif /* PLXM_CLOCK_H */
