/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "survive/watch.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>

#include "base/error.h"
#include "base/exit.h"
#include "base/link.h"
#include "base/state.h"
#include "base/thread.h"
#include "link/cable.h"
#include "link/session.h"
#include "survive/cut.h"

enum {
	UP_MS = 200, /* that a cable has to be up again */
};

static struct {
	atomic_flag lock;
	uint64_t number; /* of the loss that the rest is about */
	uint64_t breaks; /* as they were when it was up first */
	uint64_t since;	 /* time of that; 0: it is down */
	bool opened;	 /* its port may open it again */
	bool taken;	 /* into use */
} back = {.lock = ATOMIC_FLAG_INIT};

static bool
lock_back(void)
{
	if (atomic_flag_test_and_set_explicit(&back.lock, memory_order_acquire))
		return false;
	if (back.number != rb_cut_number()) {
		back.number = rb_cut_number();
		back.since = 0;
		back.opened = back.taken = false;
	}
	return true;
}

static void
unlock_back(void)
{
	atomic_flag_clear_explicit(&back.lock, memory_order_release);
}

/* The window shows what is at the other end of the cable now, which may be another host. */
static void
agree_anew(struct rb_link *link, enum rb_side side)
{
	link->up = false;
	rb_session_anew(side);
}

/* The port opens no link again that broke, for the sake of stores that are still to come. None are,
 * once both ends have parted. So it may do so now, until this host stores over the cable again. */
static bool
may_open(enum rb_side side)
{
	struct rb_link *link = &rb.link[side];

	if (back.opened)
		return true;
	if (!rb_cut_parted())
		return false;
	agree_anew(link, side);
	ntb_link_once(link->port, false);
	back.opened = true;
	return true;
}

static int
look_at_session(enum rb_side side)
{
	static bool noted;
	int ret = rb_session_look(side);

	if (ret == -EPROTO && !noted) {
		noted = true;
		rb_note("host %d: a cable is back, and stays unused: %s", rb.host, rb_error());
	}
	return ret;
}

static bool
is_up(enum rb_side side)
{
	struct rb_link *link = &rb.link[side];
	uint64_t breaks;

	if (ntb_link_poll(link->port) != NTB_LINK_UP)
		return false;
	breaks = rb_cable_breaks(side);
	if (link->up && breaks != link->breaks)
		agree_anew(link, side);
	if (link->up)
		return true;
	if (look_at_session(side) < 0)
		return false;
	rb_cable_watch(side, breaks);
	return true;
}

void
rb_watch_return(enum rb_side side)
{
	bool up;

	if (!lock_back())
		return;
	if (back.taken) {
		/* the other end may not be as far, and its port waits for this one */
		(void)ntb_link_poll(rb.link[side].port);
	} else if (may_open(side)) {
		up = is_up(side);
		if (!up || back.since == 0 || rb_cable_breaks(side) != back.breaks)
			back.since = up ? rb_now_ns() : 0;
		back.breaks = rb_cable_breaks(side);
	}
	unlock_back();
}

bool
rb_watch_is_back(enum rb_side side)
{
	bool taken;

	if (!lock_back())
		return false;
	if (!back.taken && back.since != 0 &&
	    rb_now_ns() - back.since >= (uint64_t)UP_MS * 1000000) {
		rb.link[side].breaks = back.breaks;
		back.taken = true;
	}
	taken = back.taken;
	unlock_back();
	return taken;
}

void
rb_watch_rely(enum rb_side side)
{
	ntb_link_once(rb.link[side].port, true);
}
