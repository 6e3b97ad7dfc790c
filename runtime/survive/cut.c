/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "survive/cut.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

#include "base/exit.h"
#include "base/link.h"
#include "base/state.h"
#include "base/window.h"
#include "base/wire.h"
#include "host/ring_state.h"
#include "survive/reroute.h"

/* The cut word of what this host knows; 0: no cable is lost. It only grows. Written by the holder
 * of `lock`. Release: pairs with the acquire in rb_cut_all_know(). */
static _Atomic uint64_t known;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static uint64_t
stopped_bit(unsigned int port)
{
	return 1ull << (RB_CUT_STOPPED + port);
}

static unsigned int
cable_of(uint64_t word)
{
	return (unsigned int)(word & RB_CUT_CABLE) - 1;
}

static unsigned int
cable_on(unsigned int port)
{
	return rb_rule_cable((unsigned int)rb.host, port, (unsigned int)rb.hosts);
}

/* Before any neighbour learns of the loss from this host: its requests go the other way. */
static void
leave_cable(unsigned int cable)
{
	rb_ring_lose(cable);
	rb_reroute(cable);
	/* one of the two hosts at the cable says it */
	if (cable_on(RB_PORT_NEXT) == cable)
		rb_note("the cable between host %u and host %u is lost; the job goes on the other "
			"way round",
			cable, (cable + 1) % (unsigned int)rb.hosts);
}

/* At an end of the cable. Release: pairs with the acquire in rb_link_lost(). */
static void
mark_lost(unsigned int cable)
{
	unsigned int port;

	for (port = 0; port < rb.ports; port++)
		if (cable_on(port) == cable)
			atomic_store_explicit(&rb.link[port].lost, true, memory_order_release);
}

/* Nothing goes over the cable of the loss itself: what comes from its other end has to come by all
 * the other hosts. */
static void
tell_neighbours(uint64_t word)
{
	unsigned int port;

	for (port = 0; port < rb.ports; port++) {
		struct rb_link *link = &rb.link[port];

		if (cable_on(port) == cable_of(word))
			continue;
		/* release: what this host has sent over the cable is visible to every host that
		 * gets the word, because they pass it on */
		rb_win_publish64(link, &link->theirs->cut, word);
		rb_win_ring(link->port, RB_DB_CUT);
	}
}

/* By the holder of `lock`: add to what this host knows. 0, or -EBUSY: @p word is about another
 * cable. */
static int
add_word(uint64_t word)
{
	uint64_t before = atomic_load_explicit(&known, memory_order_relaxed), now = before | word;

	if (before != 0 && cable_of(word) != cable_of(before))
		return -EBUSY;
	if (now == before)
		return 0;
	if (before == 0)
		leave_cable(cable_of(now));
	atomic_store_explicit(&known, now, memory_order_release);
	/* a service lcore that sees the link lost has to find the loss in `known` */
	if (before == 0)
		mark_lost(cable_of(now));
	tell_neighbours(now);
	return 0;
}

static int
learn_word(uint64_t word)
{
	int ret;

	pthread_mutex_lock(&lock);
	ret = add_word(word);
	pthread_mutex_unlock(&lock);
	return ret;
}

int
rb_cut_own(unsigned int port)
{
	return learn_word(cable_on(port) + 1);
}

void
rb_cut_stopped(unsigned int port)
{
	learn_word((cable_on(port) + 1) | stopped_bit(port));
}

/* Untrusted: a word that no host stores says nothing. */
static bool
is_sound(uint64_t word)
{
	return cable_of(word) < (unsigned int)rb.hosts &&
	       (word & ~(RB_CUT_CABLE | stopped_bit(RB_PORT_PREV) | stopped_bit(RB_PORT_NEXT))) ==
		       0;
}

static bool
is_news(uint64_t word)
{
	uint64_t before = atomic_load_explicit(&known, memory_order_relaxed);

	return is_sound(word) && (cable_of(word) != cable_of(before) || (before | word) != before);
}

int
rb_cut_look(void)
{
	unsigned int port;
	int ret = 0;

	for (port = 0; ret == 0 && port < rb.ports; port++) {
		/* untrusted; acquire: pairs with the store of tell_neighbours() */
		uint64_t word = __atomic_load_n(&rb.link[port].mine->cut, __ATOMIC_ACQUIRE);

		if (unlikely(word != 0) && is_news(word))
			ret = learn_word(word);
	}
	return ret;
}

bool
rb_cut_all_know(unsigned int port)
{
	uint64_t other_end = stopped_bit((unsigned int)(port ^ 1u));

	return (atomic_load_explicit(&known, memory_order_acquire) & other_end) != 0;
}
