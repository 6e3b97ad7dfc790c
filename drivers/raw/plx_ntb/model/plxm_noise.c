/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Noise of a link: what is drawn for a packet. */

#include "plxm_chip.h"
#include "plxm_path.h"

#define STEP 0x9E3779B97F4A7C15ull

/* Numbers by count, so that threads that draw at once need no lock. */
static uint64_t
draw_number(struct plxm_port *p, uint64_t below)
{
	uint64_t n = atomic_fetch_add_explicit(&p->noise.drawn, 1, memory_order_relaxed);
	uint64_t stream = p->cable_no * PLXM_ENDS + p->end;
	uint64_t x = (p->noise.set.seed * PLXM_RING_MAX * PLXM_ENDS + stream) * STEP + n;

	x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9ull;
	x = (x ^ x >> 27) * 0x94D049BB133111EBull;
	return (x ^ x >> 31) % below;
}

uint64_t
plxm_noise_due(struct plxm_port *p)
{
	bool on = atomic_load_explicit(&p->noise.on, memory_order_acquire);

	if (__builtin_expect(!on, 1) || p->noise.set.posted_ns == 0)
		return 0;
	return plxm_now_ns() + draw_number(p, p->noise.set.posted_ns);
}

void
plxm_noise_wake(struct plxm_port *p)
{
	pthread_mutex_lock(&p->noise.lock);
	p->noise.sooner = true;
	pthread_cond_signal(&p->noise.wake);
	pthread_mutex_unlock(&p->noise.lock);
}

int
plxm_noise_init(struct plxm_port *p)
{
	pthread_condattr_t attr;
	int rc = pthread_condattr_init(&attr);

	if (rc != 0)
		return -rc;
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&p->noise.wake, &attr);
	pthread_condattr_destroy(&attr);
	pthread_mutex_init(&p->noise.lock, NULL);
	pthread_mutex_init(&p->late.lock, NULL);
	return 0;
}

void
plxm_noise_fini(struct plxm_port *p)
{
	pthread_mutex_destroy(&p->late.lock);
	pthread_mutex_destroy(&p->noise.lock);
	pthread_cond_destroy(&p->noise.wake);
}
