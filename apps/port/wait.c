/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <sched.h>
#include <stddef.h>
#include <time.h>

#include <rte_pause.h>

#include "wait.h"

enum {
	SPINS = 1024, /* looks before the CPU is given away */
	YIELDS = 64,  /* times it is given away before the first sleep */
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
	const struct timespec short_time = {.tv_nsec = 50000};
	const struct watch *w = p->watch;
	uint64_t now;
	bool late;

	rte_pause();
	if (++p->polls % SPINS != 0)
		return true;
	if (p->sleeps && p->polls > YIELDS * SPINS)
		nanosleep(&short_time, NULL);
	else
		sched_yield();
	now = clock_ns();
	if (p->end == 0)
		p->end = now + w->limit_ms * 1000000ull;
	late = now > p->end;
	return w->look != NULL ? w->look(w->ctx, p->what, late) : !late;
}
