/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "op/barrier.h"

#include <stdbool.h>

#include "base/env.h"
#include "base/exit.h"
#include "base/link.h"
#include "base/route.h"
#include "base/rules.h"
#include "base/state.h"
#include "base/thread.h"
#include "base/tsan.h"
#include "base/types.h"
#include "base/window.h"
#include "base/wire.h"
#include "host/host.h"
#include "host/hostseg.h"
#include "host/wait.h"
#include "mem/layout.h"
#include "observe/span.h"
#include "observe/stats.h"
#include "observe/trace_file.h"

struct rb_barriers rb_barriers;

/* ---- the word that two neighbours send each other ---- */

/* The one that the neighbour on @p port sent last. */
static uint64_t
arrival_word(unsigned int port)
{
	const struct rb_link *link = &rb.link[port];

	/* acquire: pairs with send_word(); everything that the sender did before its barrier
	 * is visible after this load */
	return link->port == NULL ? 0 : __atomic_load_n(&link->mine->barrier, __ATOMIC_ACQUIRE);
}

/* Send @p word to the neighbour; 0: nothing to send. */
static void
send_word(unsigned int port, uint64_t word)
{
	struct rb_link *link = &rb.link[port];

	if (link->port == NULL || word == 0)
		return;
	/* whatever this thread stored before is pushed already: doc/protocols.md */
	rb_tsan_release();
	rb_win_publish64(link, &link->theirs->barrier, word);
}

/* ---- counts that travel both ways ---- */

/*
 * The first PE that sees that all PEs of this host have arrived announces it to the neighbours, if
 * it maps the windows. Otherwise they would wait until the lead gets its CPU. Each word still has
 * one writer at a time: the PE whose compare-and-swap raises `announcing` to the epoch stores the
 * arrival, then releases `announced`; the lead, which alone forwards arrivals of other hosts,
 * acquires `announced` before its own stores.
 */
static bool
claim_epoch(uint64_t epoch)
{
	uint64_t before = atomic_load_explicit(&rb_hostseg->announcing, memory_order_relaxed);

	/* relaxed: it only chooses one PE; rb_host_all_arrived() has acquired everything that the
	 * arrival announces */
	return before < epoch &&
	       atomic_compare_exchange_strong_explicit(&rb_hostseg->announcing, &before, epoch,
						       memory_order_relaxed, memory_order_relaxed);
}

/* Lead: the arrival that it must store itself; 0: another PE has stored it. */
static uint64_t
first_word(uint64_t epoch)
{
	if (rb.locals == 1 || claim_epoch(epoch))
		return rb_rule_arrival(epoch, 1, (unsigned int)rb.hosts);
	/* acquire: pairs with the release in send_arrival() */
	RB_WAIT_FOR(atomic_load_explicit(&rb_hostseg->announced, memory_order_acquire) >= epoch,
		    .what = RB_FOR_BARRIER, .leaves = true);
	return 0;
}

/* PE without ports: does it map the windows to all neighbours? */
static bool
maps_windows(void)
{
	unsigned int port;

	for (port = 0; port < rb.ports; port++)
		if ((rb_hostseg->links & 1u << port) != 0 && rb.link[port].peer == NULL)
			return false;
	return true;
}

static void
send_arrival(uint64_t epoch)
{
	uint64_t arrival = rb_rule_arrival(epoch, 1, (unsigned int)rb.hosts);
	unsigned int port;

	if (!claim_epoch(epoch))
		return;
	for (port = 0; port < RB_RING_PORTS; port++) {
		struct rb_link *link = &rb.link[port];
		struct rb_ctl *theirs;

		if (link->peer == NULL)
			continue;
		theirs = (struct rb_ctl *)(link->peer + rb_mem.lay.ctl[rb.far[port]]);
		/* release: as in send_word() */
		rb_tsan_release();
		__atomic_store_n(&theirs->barrier, arrival, __ATOMIC_RELEASE);
	}
	/* release: pairs with first_word() */
	atomic_store_explicit(&rb_hostseg->announced, epoch, memory_order_release);
}

/*
 * Arrivals travel both ways round the ring at once. A word carries an epoch and a number n: n
 * contiguous hosts on that side, the sender included, are in this epoch's barrier. Words only grow.
 * So one posted store for each word is enough, and a host that is one epoch ahead cannot confuse a
 * host that is one behind. A host may leave when the arrivals of both sides and its own cover the
 * ring. By then it has sent all it knows to both sides, and the other hosts never need more from it
 * (doc/protocols.md, tests/spin).
 */
static void
two_way_barrier(uint64_t epoch)
{
	uint64_t arrival = first_word(epoch), words[RB_RING_PORTS];
	uint64_t next[RB_RING_PORTS] = {arrival, arrival};
	struct rb_arrivals arrivals = {0};
	struct rb_wait w = {.what = RB_FOR_BARRIER, .leaves = true};
	bool over = false;

	for (;;) {
		send_word(RB_PORT_NEXT, next[RB_PORT_NEXT]);
		send_word(RB_PORT_PREV, next[RB_PORT_PREV]);
		if (over)
			break;
		words[RB_PORT_PREV] = arrival_word(RB_PORT_PREV);
		words[RB_PORT_NEXT] = arrival_word(RB_PORT_NEXT);
		over = rb_rule_barrier(&arrivals, words, epoch, (unsigned int)rb.hosts, next);
		if (over || (next[RB_PORT_PREV] | next[RB_PORT_NEXT]) != 0)
			continue;
		rb_wait_turn(&w);
	}
	rb_wait_end(&w);
}

/* ---- spread over all cables, where there is no ring, or where cables may be lost ---- */

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
	bool news = false;
	int h;

	for (h = 0; h < rb.hosts; h++) {
		if (heard[h] == told[port][h])
			continue;
		told[port][h] = heard[h];
		/* release: as in send_word() */
		rb_tsan_release();
		rb_win_store64(&link->theirs->arrived[h], heard[h]);
		news = true;
	}
	if (news)
		rb_win_wmb(link);
}

/* The first host that has not arrived, or -1. */
static int
missing_host(uint64_t epoch)
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
static void
spread_barrier(uint64_t epoch)
{
	struct rb_wait w = {.what = RB_FOR_BARRIER, .leaves = true};
	unsigned int port;
	int missing;

	__atomic_store_n(&heard[rb.host], epoch, __ATOMIC_RELAXED);
	do {
		for (port = 0; port < rb.ports; port++)
			if (rb.link[port].port != NULL)
				hear_port(port);
		missing = missing_host(epoch);
		for (port = 0; port < rb.ports; port++)
			if (rb.link[port].port != NULL && !rb_link_lost(&rb.link[port]))
				tell_port(port);
		if (missing >= 0)
			rb_wait_turn(&w);
	} while (missing >= 0);
	rb_wait_end(&w);
}

/* ---- all PEs ---- */

static bool
both_ways(void)
{
	return rb.ring && !rb.survives;
}

/* The barrier of all hosts; one PE of each host calls it. */
static void
hosts_barrier(uint64_t epoch)
{
	if (both_ways())
		two_way_barrier(epoch);
	else
		spread_barrier(epoch);
}

/* The contiguous hosts on that side that have arrived. The neighbour stores its word into memory
 * that all PEs of the host map. */
static unsigned int
hosts_arrived(unsigned int port, uint64_t epoch)
{
	const struct rb_ctl *mine = (const struct rb_ctl *)(rb_mem.region + rb_mem.lay.ctl[port]);

	/* acquire: as in arrival_word() */
	return rb_rule_arrived(__atomic_load_n(&mine->barrier, __ATOMIC_ACQUIRE), epoch,
			       (unsigned int)rb.hosts);
}

/* Has the lead received the arrivals of all other hosts? */
static bool
lead_complete(uint64_t epoch)
{
	return 1 + hosts_arrived(RB_PORT_PREV, epoch) + hosts_arrived(RB_PORT_NEXT, epoch) >=
	       (unsigned int)rb.hosts;
}

/* For reports to people: the words may change meanwhile. */
bool
rb_barrier_missing(int *local, int *host)
{
	uint64_t epoch = __atomic_load_n(&rb_barriers.epoch, __ATOMIC_RELAXED);
	unsigned int behind;
	int i;

	for (i = 0; i < rb.locals && rb_hostseg != NULL; i++)
		if (atomic_load_explicit(&rb_hostseg->pe[i].arrived, memory_order_relaxed) <
		    epoch) {
			*local = i;
			return true;
		}
	if (rb.hosts == 1)
		return false;
	*local = -1;
	if (!both_ways()) {
		*host = missing_host(epoch);
		return *host >= 0;
	}
	behind = hosts_arrived(RB_PORT_NEXT, epoch);
	*host = (rb.host + (int)behind + 1) % rb.hosts;
	return 1 + behind + hosts_arrived(RB_PORT_PREV, epoch) < (unsigned int)rb.hosts;
}

/* The lead does not have to run again to release the other PEs: they read the same words. */
static void
follow_lead(uint64_t epoch)
{
	bool watches = both_ways(), announces = watches && maps_windows();
	struct rb_wait w = {.what = RB_FOR_BARRIER, .leaves = true};
	int here = 0;

	while (!rb_host_released(epoch)) {
		if (watches && rb_host_all_arrived(epoch, &here)) {
			if (announces)
				send_arrival(epoch);
			announces = false;
			if (lead_complete(epoch))
				break;
		}
		rb_wait_turn(&w);
	}
	rb_wait_end(&w);
}

/* First all PEs of a host arrive, then the lead takes part in the ring's barrier for them. */
void
rb_barrier_uncounted(void)
{
	uint64_t epoch = rb_barriers.epoch + 1;

	__atomic_store_n(&rb_barriers.epoch, epoch, __ATOMIC_RELAXED);
	if (rb.locals > 1)
		rb_host_arrive(epoch);
	if (rb.hosts == 1)
		return;
	if (rb.local != 0) {
		follow_lead(epoch);
		return;
	}
	hosts_barrier(epoch);
	if (rb.locals > 1)
		rb_host_release(epoch);
}

void
rb_barrier(void)
{
	struct rb_stats *s;
	uint64_t begin;

	if (likely(rb.instrument == 0)) {
		rb_barrier_uncounted();
		return;
	}
	s = rb_stats_mine();
	begin = rb_span_enter();
	rb_stats_do(s, RB_DOING_BARRIER);
	rb_barrier_uncounted();
	rb_stats_do(s, RB_DOING_RUN);
	rb_count(&s->barriers, 1);
	rb_span_leave(RB_TRACE_BARRIER, begin);
}
