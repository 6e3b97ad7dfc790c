/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "survive/cut.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <rte_common.h>

#include "base/exit.h"
#include "base/graph.h"
#include "base/link.h"
#include "base/route.h"
#include "base/state.h"
#include "base/window.h"
#include "base/wire.h"
#include "host/ring_state.h"
#include "link/cable.h"
#include "survive/reroute.h"
#include "survive/retransmit.h"

enum {
	HOSTS_A_WORD = 64 / RB_MAX_PORTS,
};
_Static_assert(RB_MAX_HOSTS == RB_CUT_WORDS * HOSTS_A_WORD, "a byte for each host");

/* Ports of this host whose cables broke: any thread -> poll. Relaxed: it orders nothing, since each
 * end takes no more from the cable than it has taken. */
static _Atomic uint32_t broke;
/* The cut words of what this host knows, and its cables, each after a space. Poll. */
static uint64_t known[RB_CUT_WORDS];
static char lost_cables[128];

void
rb_cut_own(unsigned int port)
{
	if (!rb_ring_state().survives)
		rb_cable_end(port, "the link broke");
	atomic_fetch_or_explicit(&broke, 1u << port, memory_order_relaxed);
}

/* On a ring the number of the cable, elsewhere its host with the lower number. */
static unsigned int
cable_of(struct rb_end a, struct rb_end b)
{
	unsigned int hosts = (unsigned int)rb.hosts;

	if ((a.host + 1) % hosts == b.host && (hosts > 2 || a.port == RB_PORT_NEXT))
		return a.host;
	if ((b.host + 1) % hosts == a.host && (hosts > 2 || b.port == RB_PORT_NEXT))
		return b.host;
	return RTE_MIN(a.host, b.host);
}

/* Nothing goes over it from here on. Release: pairs with the acquire in rb_link_lost(). */
static void
lose_port(unsigned int port)
{
	rb_retx_freeze(port);
	atomic_store_explicit(&rb.link[port].lost, true, memory_order_release);
}

static bool
holds_together(void)
{
	char words[128];

	return rb_graph_check(&rb_cables, words, sizeof(words)) == 0;
}

/* Both ends say it, and no host is believed of a cable that there is not. */
static void
lose_cable(unsigned int host, unsigned int port)
{
	const struct rb_end end = {(uint8_t)host, (uint8_t)port}, far = rb_cables.end[host][port];
	unsigned int from;
	size_t len;

	if (far.port == RB_PORT_NONE)
		return;
	from = cable_of(end, far);
	rb_graph_cut(&rb_cables, end);
	rb_ring_lose(from);
	len = strlen(lost_cables);
	snprintf(lost_cables + len, sizeof(lost_cables) - len, " %u-%u", from,
		 from == host ? far.host : host);
	if (host == (unsigned int)rb.host)
		lose_port(port);
	if (far.host == rb.host)
		lose_port(far.port);
	/* one of the two hosts at the cable says it */
	if (from == (unsigned int)rb.host && holds_together())
		rb_note("the cable between host %u and host %u is lost; the job goes on without it",
			(unsigned int)rb.host, host == (unsigned int)rb.host ? far.host : host);
}

/* The hosts at lost cables say which these are, as no one of them may know which was the last. */
static void
fall_apart(void)
{
	char what[sizeof(lost_cables) + 64];
	unsigned int port;

	snprintf(what, sizeof(what),
		 "the link broke, and without the cables%s no way is left to all hosts",
		 lost_cables);
	for (port = 0; port < rb.ports; port++)
		if (rb_link_lost(&rb.link[port]))
			rb_cable_end(port, what);
}

static void
tell_neighbours(void)
{
	unsigned int port, w;

	for (port = 0; port < rb.ports; port++) {
		struct rb_link *link = &rb.link[port];

		if (link->port == NULL || rb_link_lost(link))
			continue;
		for (w = 0; w < RB_CUT_WORDS; w++)
			if (known[w] != 0)
				rb_win_publish64(link, &link->theirs->cut[w], known[w]);
		rb_win_ring(link->port, RB_DB_CUT);
	}
}

/* @p news: bits that were not known. */
static void
learn_words(const uint64_t news[RB_CUT_WORDS])
{
	unsigned int w;
	uint64_t left;

	for (w = 0; w < RB_CUT_WORDS; w++)
		for (left = news[w]; left != 0; left &= left - 1) {
			unsigned int bit = (unsigned int)__builtin_ctzll(left);

			lose_cable(w * HOSTS_A_WORD + bit / RB_MAX_PORTS, bit % RB_MAX_PORTS);
		}
	tell_neighbours();
	if (holds_together())
		rb_reroute();
	else
		fall_apart();
}

void
rb_cut_look(void)
{
	uint64_t own = atomic_load_explicit(&broke, memory_order_relaxed), news[RB_CUT_WORDS] = {0};
	uint64_t any = 0;
	unsigned int port, w;

	news[rb.host / HOSTS_A_WORD] = own << rb.host % HOSTS_A_WORD * RB_MAX_PORTS;
	for (port = 0; port < rb.ports; port++)
		for (w = 0; rb.link[port].port != NULL && w < RB_CUT_WORDS; w++)
			/* untrusted; acquire: pairs with the store of tell_neighbours() */
			news[w] |= __atomic_load_n(&rb.link[port].mine->cut[w], __ATOMIC_ACQUIRE);
	for (w = 0; w < RB_CUT_WORDS; w++) {
		news[w] &= ~known[w];
		known[w] |= news[w];
		any |= news[w];
	}
	if (unlikely(any != 0))
		learn_words(news);
}
