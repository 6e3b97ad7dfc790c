/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "survive/heal.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>

#include "base/error.h"
#include "base/exit.h"
#include "base/link.h"
#include "base/state.h"
#include "base/thread.h"
#include "link/cable.h"
#include "link/handshake.h"
#include "relay/ack.h"
#include "survive/cut.h"
#include "survive/cut_word.h"
#include "survive/loop.h"
#include "survive/retransmit.h"

/* ---- is the cable back? ---- */

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
rb_heal_watch(enum rb_side side)
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

/* Has it been up for long enough? If so, the caller is about to take it into use: from now on it
 * counts as lost again where it breaks. */
static bool
is_back(enum rb_side side)
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

/* ---- the stages ---- */

static bool
may_take(enum rb_side side)
{
	const struct rb_loop *loop = &rb_loop;

	return rb_cut_far_stage(side) >= RB_CUT_PARTED && loop->mark_sent && loop->mark_came &&
	       loop->first == loop->held && rb_retx_empty(side) && is_back(side);
}

static bool
send_again(enum rb_side side)
{
	if (rb_retx_begin(side) < 0)
		return false;
	rb_loop_open();
	return true;
}

/* What has to hold before this host leaves @p stage, and what it does then. */
static bool
leave_stage(enum rb_side side, enum rb_cut_stage stage)
{
	switch (stage) {
	case RB_CUT_STOPPED:
		if (!rb_cut_has_drained())
			return false;
		/* a link that broke before may be up, and the last stores must not land later */
		rb_cable_drain(side);
		return true;
	case RB_CUT_PARTED:
		if (!may_take(side))
			return false;
		rb_retx_clear(side);
		return true;
	case RB_CUT_READY:
		if (rb_cut_far_stage(side) < RB_CUT_READY)
			return false;
		/* this host is about to store over the cable: its link is to stay down from now on
		 * if it breaks */
		ntb_link_once(rb.link[side].port, true);
		return true;
	case RB_CUT_ENTER:
		return rb_cut_far_stage(side) >= RB_CUT_ENTER && send_again(side);
	case RB_CUT_OPEN:
		return rb_cut_far_stage(side) >= RB_CUT_OPEN && rb_loop_empty();
	default:
		return false;
	}
}

void
rb_heal_begin(enum rb_side side)
{
	rb_retx_freeze(side);
	rb_ack_again(side, 0);
	if (rb_loop_begin(side) < 0)
		rb_cable_end(side, "no memory to go on without it");
	rb_cut_reach(side, rb_loop.number, rb_loop.stage);
}

bool
rb_heal_turn(enum rb_side side)
{
	if (!leave_stage(side, rb_loop.stage))
		return false;
	rb_loop.stage++;
	rb_cut_reach(side, rb_loop.number, rb_loop.stage);
	return true;
}
