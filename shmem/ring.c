/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "core/shmemi.h"
#include "shmemx.h"

/* Extensions for programs that want to know of cables and hosts. */

static shmemx_ring_t
ring_of(const struct rb_ring_state *s)
{
	return (shmemx_ring_t){
		.host = s->host,
		.hosts = s->hosts,
		.survives = s->survives,
		.changes = s->changes,
		.lost = s->lost,
	};
}

SHMEMI_EXPORT void
shmemx_ring_state(shmemx_ring_t *state)
{
	struct rb_ring_state now;

	shmemi_enter("shmemx_ring_state");
	if (state == NULL)
		shmemi_fatal("shmemx_ring_state", "state is NULL");
	now = rb_ring_state();
	*state = ring_of(&now);
}

SHMEMI_EXPORT int
shmemx_pe_host(int pe)
{
	shmemi_enter("shmemx_pe_host");
	return pe >= 0 && pe < shmemi.npes ? rb_ring_host(pe) : -1;
}

typedef void watch_fn(const shmemx_ring_t *state, void *arg);

static void
call_program(const struct rb_ring_state *s, const struct rb_ring_watcher *w)
{
	const shmemx_ring_t state = ring_of(s);

	((watch_fn *)w->fn)(&state, w->arg);
}

SHMEMI_EXPORT int
shmemx_ring_watch(void (*fn)(const shmemx_ring_t *state, void *arg), void *arg)
{
	const struct rb_ring_watcher w = {
		.call = call_program, .fn = (void (*)(void))fn, .arg = arg};

	shmemi_enter("shmemx_ring_watch");
	return rb_ring_watch(fn == NULL ? NULL : &w) < 0 ? -1 : 0;
}
