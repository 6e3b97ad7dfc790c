/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <sched.h>
#include <time.h>

#include <rte_pause.h>

#include "wait.h"

enum {
	SPINS = 1024, /* looks before the CPU is given away */
};

uint64_t
clock_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

void
nap(void)
{
	const struct timespec time = {.tv_nsec = 1000000};

	nanosleep(&time, NULL);
}

bool
pause_once(struct pause *p)
{
	uint64_t now;

	rte_pause();
	if (++p->polls % SPINS != 0)
		return true;
	sched_yield();
	now = clock_ns();
	if (p->end == 0)
		p->end = now + p->limit_ms * 1000000ull;
	return now <= p->end;
}
