/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "link/cut.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>

#include "base/env.h"
#include "base/exit.h"
#include "base/route.h"
#include "base/state.h"
#include "base/transport.h"
#include "base/window.h"
#include "base/wire.h"
#include "host/hostseg.h"
#include "host/ring_state.h"
#include "link/chan.h"
#include "link/kept.h"
#include "mem/fastpath.h"
#include "mem/layout.h"

/* What this host knows: the word that it stores at its neighbours; 0: no cable is lost. Bits are
 * only added, by the holder of `lock`. Release: pairs with the acquire in rb_cut_all_told(). */
static _Atomic uint64_t known;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic bool stopped; /* this host, at its end of the cable */

static bool
is_ring_of_memory(void)
{
	unsigned int side;

	for (side = 0; side < RB_SIDES; side++)
		if (!rb.link[side].memory)
			return false;
	return true;
}

/* The port's window ends with the link, this mapping of the same memory does not. */
static bool
keep_window(enum rb_side side)
{
	struct rb_link *link = &rb.link[side];
	uint64_t off;
	void *va;
	int fd;

	if (link->port->ops->window_file(link->port, 0, rb_mem.lay.shown, &fd, &off) < 0)
		return false;
	va = mmap(NULL, rb_mem.lay.shown, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)off);
	if (va == MAP_FAILED)
		return false;
	link->peer = va;
	rb_chan_attach(side);
	return true;
}

/* By the settings, and with two ways round. */
static bool
is_asked_for(void)
{
	return rb.env.survive != RB_SURVIVE_NO && rb.transport->turns &&
	       rb.env.barrier == RB_BARRIER_TWOWAY && rb.link[RB_LEFT].port != NULL &&
	       rb.link[RB_RIGHT].port != NULL;
}

/* By the windows: what was stored has arrived, or is kept. */
static bool
survives_here(void)
{
	if (is_ring_of_memory())
		return *rb.env.dma == '\0';
	return rb.env.survive == RB_SURVIVE_YES && rb_mem.by_frames && rb_kept_open(RB_LEFT) == 0 &&
	       rb_kept_open(RB_RIGHT) == 0;
}

void
rb_cut_prepare(void)
{
	bool windows = true;
	unsigned int side;

	for (side = 0; side < RB_SIDES; side++)
		if (rb.link[side].port != NULL && rb.link[side].memory && !keep_window(side))
			windows = false;
	rb.survives = windows && is_asked_for() && survives_here();
	rb_ring_survives(rb.survives);
}

static enum rb_side
cut_side(void)
{
	return rb_cut_is(&rb.link[RB_LEFT]) ? RB_LEFT : RB_RIGHT;
}

static void
tell_neighbours(uint64_t word)
{
	unsigned int side;

	for (side = 0; side < RB_SIDES; side++) {
		struct rb_link *link = &rb.link[side];

		if (rb_cut_is(link))
			continue;
		/* release: what this host has sent over the cable is visible to every host that
		 * gets the word, because they pass it on */
		rb_win_store64(&link->theirs->cut, word);
		rb_win_ring(link->port, RB_DB_CUT);
	}
}

/* The holder of `lock` learns of the loss: from here on this host's requests go the other way. */
static void
leave_cable(unsigned int cable)
{
	rb_fast_leave(rb_route_cut(cable));
	rb_ring_lose(cable);
	if (rb_hostseg != NULL)
		atomic_store_explicit(&rb_hostseg->cut, cable + 1, memory_order_release);
	/* one of the two hosts at the cable says it */
	if ((unsigned int)rb.host == cable)
		rb_note("the cable between host %u and host %u is lost; the job goes on the other "
			"way round",
			cable, (cable + 1) % (unsigned int)rb.hosts);
}

/* Add to what this host knows. 0, or -EBUSY: @p word is about another cable. */
static int
learn_word(uint64_t word)
{
	uint64_t before, now;
	int ret = 0;

	pthread_mutex_lock(&lock);
	before = atomic_load_explicit(&known, memory_order_relaxed);
	now = before | word;
	if (before != 0 && ((before ^ word) & RB_CUT_CABLE) != 0)
		ret = -EBUSY;
	else if (before == 0)
		leave_cable((unsigned int)(word & RB_CUT_CABLE) - 1);
	if (atomic_load_explicit(&stopped, memory_order_acquire))
		now |= (uint64_t)RB_CUT_STOPPED << cut_side();
	if (ret == 0 && now != before) {
		atomic_store_explicit(&known, now, memory_order_release);
		tell_neighbours(now);
	}
	pthread_mutex_unlock(&lock);
	return ret;
}

int
rb_cut_own(enum rb_side side)
{
	if (!rb.survives)
		return -ENOTSUP;
	return learn_word(rb_rule_cable((unsigned int)rb.host, side, (unsigned int)rb.hosts) + 1);
}

static uint64_t
told_by(enum rb_side side)
{
	const struct rb_link *link = &rb.link[side];

	/* acquire: pairs with tell_neighbours() */
	return link->port == NULL ? 0 : __atomic_load_n(&link->mine->cut, __ATOMIC_ACQUIRE);
}

bool
rb_cut_told(void)
{
	return told_by(RB_LEFT) != 0 || told_by(RB_RIGHT) != 0;
}

/* Untrusted: a word that no host stores says nothing. */
static bool
is_news(uint64_t word)
{
	const uint64_t bits = RB_CUT_CABLE | RB_CUT_STOPPED | RB_CUT_STOPPED << 1;
	uint64_t cable = word & RB_CUT_CABLE;

	return (word & ~atomic_load_explicit(&known, memory_order_relaxed)) != 0 &&
	       (word & ~bits) == 0 && cable != 0 && cable <= (uint64_t)rb.hosts;
}

int
rb_cut_look(void)
{
	unsigned int side;
	int ret = 0;

	if (!rb.survives)
		return 0;
	for (side = 0; ret == 0 && side < RB_SIDES; side++) {
		uint64_t word = told_by(side);

		if (unlikely(word != 0) && is_news(word))
			ret = learn_word(word);
	}
	return ret;
}

void
rb_cut_stopped(void)
{
	/* release: pairs with the acquire in learn_word(), which passes it on to the other end */
	atomic_store_explicit(&stopped, true, memory_order_release);
	learn_word(atomic_load_explicit(&known, memory_order_relaxed));
}

bool
rb_cut_all_told(enum rb_side side)
{
	return (atomic_load_explicit(&known, memory_order_acquire) & (uint64_t)RB_CUT_STOPPED
									     << (side ^ 1u)) != 0;
}
