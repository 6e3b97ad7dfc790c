/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_HOST_CPU_HINT_H
#define RB_HOST_CPU_HINT_H

/**
 * @file
 * On which CPU a PE was last seen.
 */

#include <sched.h>
#include <stdint.h>

#include "host/hostseg.h"

/** CPUs, from 1 on, that a PE was last seen on and that the calling thread is on. */
static inline uint32_t
rb_cpu_of(const struct rb_host_line *line)
{
	return atomic_load_explicit(&line->cpu, memory_order_relaxed);
}

static inline uint32_t
rb_cpu_mine(void)
{
	return 1 + (uint32_t)sched_getcpu();
}

#endif /* RB_HOST_CPU_HINT_H */
