/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "survive/spread.h"

#include "base/link.h"
#include "base/state.h"
#include "base/tsan.h"
#include "base/window.h"
#include "base/wire.h"
#include "host/wait.h"

/* The last epoch in which each host has arrived, as this host knows and has told each neighbour. By
 * the lead; for reports by any thread. */
static uint64_t heard[RB_MAX_HOSTS], told[RB_MAX_PORTS][RB_MAX_HOSTS];

static void
hear_port(unsigned int port)
{
	const struct rb_ctl *mine = rb.link[port].mine;
	int h;

	for (h = 0; h < rb.hosts; h++) {
		/* acquire: pairs with tell_port(); what the host did before is visible */
		uint64_t epoch = __atomic_load_n(&mine->arrived[h], __ATOMIC_ACQUIRE);

		if (epoch > heard[h])
			__atomic_store_n(&heard[h], epoch, __ATOMIC_RELAXED);
	}
}

static void
tell_port(unsigned int port)
{
	struct rb_link *link = &rb.link[port];
	int h;

	for (h = 0; h < rb.hosts; h++) {
		if (heard[h] == told[port][h])
			continue;
		told[port][h] = heard[h];
		/* release: what this thread stored before is pushed already (doc/protocols.md) */
		rb_tsan_release();
		rb_win_publish64(link, &link->theirs->arrived[h], heard[h]);
	}
}

int
rb_spread_missing(uint64_t epoch)
{
	int h;

	for (h = 0; h < rb.hosts; h++)
		if (__atomic_load_n(&heard[h], __ATOMIC_RELAXED) < epoch)
			return h;
	return -1;
}

/*
 * Each host tells all its neighbours which hosts have arrived, as far as it knows, and leaves when
 * all have and it has told that. Words grow, and each has one writer. No route, and no tree, is in
 * it: any cables do that join all hosts, whichever are lost meanwhile.
 */
void
rb_spread_barrier(uint64_t epoch)
{
	struct rb_wait w = {.what = RB_FOR_BARRIER, .leaves = true};
	unsigned int port;
	int missing;

	__atomic_store_n(&heard[rb.host], epoch, __ATOMIC_RELAXED);
	do {
		for (port = 0; port < rb.ports; port++)
			if (rb.link[port].port != NULL)
				hear_port(port);
		missing = rb_spread_missing(epoch);
		for (port = 0; port < rb.ports; port++)
			if (rb.link[port].port != NULL && !rb_link_lost(&rb.link[port]))
				tell_port(port);
		if (missing >= 0)
			rb_wait_turn(&w);
	} while (missing >= 0);
	rb_wait_end(&w);
}
