/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_HOST_CPU_HINT_H
#define RB_HOST_CPU_HINT_H

/**
 * @file
 * The CPU on which a PE ran last.
 */

#include <sched.h>
#include <stdint.h>

#include "host/hostseg.h"

/** CPU numbers plus 1: of the PE when it stored its CPU last, and of the calling thread now. */
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
