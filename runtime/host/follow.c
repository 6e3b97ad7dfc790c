/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "host/follow.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/route.h"
#include "base/state.h"
#include "host/hostseg.h"
#include "mem/fastpath.h"

void
rb_follow_lead(void)
{
	static atomic_flag followed = ATOMIC_FLAG_INIT;
	uint64_t cut;

	if (rb.local == 0 || rb_hostseg == NULL)
		return;
	/* acquire: pairs with the release in link/cut.c */
	cut = atomic_load_explicit(&rb_hostseg->cut, memory_order_acquire);
	if (cut != 0 && !atomic_flag_test_and_set_explicit(&followed, memory_order_relaxed))
		rb_fast_leave(rb_route_cut((unsigned int)cut - 1));
}
