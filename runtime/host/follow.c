/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "host/follow.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include "base/link.h"
#include "base/route.h"
#include "base/rules.h"
#include "base/state.h"
#include "host/hostseg.h"
#include "mem/fastpath.h"

/* The lead's word as this process has followed it; by the holder of `lock`. */
static _Atomic uint64_t followed;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void (*map_windows)(void);

void
rb_follow_return(void (*map)(void))
{
	map_windows = map;
}

static void
mark_links(int lost)
{
	unsigned int side;

	for (side = 0; side < RB_SIDES; side++) {
		int cable = (int)rb_rule_cable((unsigned int)rb.host, side, (unsigned int)rb.hosts);

		atomic_store_explicit(&rb.link[side].use,
				      cable == lost ? RB_LINK_LOST : RB_LINK_WHOLE,
				      memory_order_relaxed);
	}
}

/* The lead shares a loss before its own requests go another way, and a return once those of the
 * other way are complete. So the direct way is closed in time, and not opened too early. */
static void
follow_word(uint64_t word)
{
	const struct rb_ring ring = rb_ring_of(word);

	if (ring.lost < 0 && map_windows != NULL)
		map_windows();
	if (ring.lost >= 0)
		rb_fast_leave(rb_route_moves(ring.lost));
	mark_links(ring.lost);
	rb_route_change(&ring);
	if (ring.lost < 0)
		rb_fast_return(UINT64_MAX);
}

void
rb_follow_lead(void)
{
	uint64_t word;

	if (rb.local == 0 || rb_hostseg == NULL)
		return;
	/* acquire: pairs with the release in link/turn.c */
	word = atomic_load_explicit(&rb_hostseg->followed, memory_order_acquire);
	if (likely(word == atomic_load_explicit(&followed, memory_order_relaxed)))
		return;
	pthread_mutex_lock(&lock);
	if (word > atomic_load_explicit(&followed, memory_order_relaxed)) {
		follow_word(word);
		atomic_store_explicit(&followed, word, memory_order_relaxed);
	}
	pthread_mutex_unlock(&lock);
}
