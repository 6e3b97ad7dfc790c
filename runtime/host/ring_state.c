/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "host/ring_state.h"

#include <stdatomic.h>
#include <stddef.h>

#include "base/state.h"
#include "host/hostseg.h"

static struct rb_ring_words own; /* where this PE is the only one of its host */

static struct rb_ring_words *
words_here(void)
{
	return rb_hostseg != NULL ? &rb_hostseg->cables : &own;
}

void
rb_ring_lose(unsigned int cable)
{
	atomic_fetch_or_explicit(&words_here()->lost, 1ull << cable, memory_order_relaxed);
}

void
rb_ring_survives(bool survives)
{
	atomic_store_explicit(&words_here()->survives, survives, memory_order_relaxed);
}

struct rb_ring_state
rb_ring_state(void)
{
	const struct rb_ring_words *w = words_here();

	return (struct rb_ring_state){
		.host = rb.host,
		.hosts = rb.hosts,
		.lost = atomic_load_explicit(&w->lost, memory_order_relaxed),
		.survives = atomic_load_explicit(&w->survives, memory_order_relaxed) != 0,
	};
}
