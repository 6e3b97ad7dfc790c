/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "host/cpu.h"

#include <stdbool.h>

#include "base/state.h"
#include "host/hostseg.h"
#include "host/wait_choose.h"

bool
rb_cpu_shared(void)
{
	return rb_waiting.shared_cpus;
}

bool
rb_cpu_here(int pe)
{
	return rb_cpu_of(&rb_hostseg->pe[rb.place[pe].local]) == rb_cpu_mine();
}

/*
 * Relaxed, as all accesses to this word. If the PE has moved since, its waiters lose a context
 * switch or some polls, until the PE stores its CPU again.
 */
void
rb_cpu_publish(void)
{
	struct rb_host_line *mine;
	uint32_t cpu;

	if (!rb_waiting.shared_cpus)
		return;
	mine = &rb_hostseg->pe[rb.local];
	cpu = rb_cpu_mine();
	if (rb_cpu_of(mine) != cpu)
		atomic_store_explicit(&mine->cpu, cpu, memory_order_relaxed);
}
