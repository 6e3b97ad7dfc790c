/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "core/shmemi.h"
#include "shmemx.h"

/* Extensions for programs that want to know of cables and hosts. */

SHMEMI_EXPORT void
shmemx_ring_state(shmemx_ring_t *state)
{
	struct rb_ring_state now;

	shmemi_enter("shmemx_ring_state");
	if (state == NULL)
		shmemi_fatal("shmemx_ring_state", "state is NULL");
	now = rb_ring_state();
	*state = (shmemx_ring_t){
		.host = now.host,
		.hosts = now.hosts,
		.survives = now.survives,
		.lost = now.lost,
	};
}

SHMEMI_EXPORT int
shmemx_pe_host(int pe)
{
	shmemi_enter("shmemx_pe_host");
	return pe >= 0 && pe < shmemi.npes ? rb_place_host(pe) : -1;
}
