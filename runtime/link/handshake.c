/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "link/handshake.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/cut_word.h"
#include "base/env.h"
#include "base/error.h"
#include "base/exit.h"
#include "base/link.h"
#include "base/route.h"
#include "base/rules.h"
#include "base/state.h"
#include "base/thread.h"
#include "base/types.h"
#include "base/wire.h"
#include "host/blocked.h"
#include "host/host.h"
#include "host/wait.h"
#include "link/cable.h"
#include "link/cut.h"
#include "link/line.h"
#include "link/session.h"
#include "link/survive.h"

enum {
	GONE_MS = 500,	/* time for the neighbours to read that this host gives up */
	NOTE_MS = 3000, /* between two lines that name the missing hosts */
	OUT_MS = 20000, /* without a limit: for a cable that is out, and that the job needs */
};

int
rb_handshake_init(void)
{
	rb_line_begin();
	return rb_session_init();
}

/* A link that was up has broken while the other one comes up. Nothing counts of what went over it
 * so far, so begin again. */
static bool
falls_back(enum rb_side side)
{
	if (!rb_survive_may() || !rb_cable_broke(side))
		return false;
	rb.link[side].up = false;
	rb_session_again(side);
	return true;
}

/* Each turn looks at both sides: a host that waited only for its left neighbour would never answer
 * its right one. The error text is about the worse side, or about the left one if both are alike.
 */
static int
handshake_turn(void)
{
	char why[256] = "";
	unsigned int side;
	int ret = 0;

	for (side = 0; side < RB_SIDES; side++) {
		struct rb_link *link = &rb.link[side];
		uint64_t breaks;
		int err;

		if (link->port == NULL || (link->up && !falls_back(side)))
			continue;
		breaks = rb_cable_breaks(side);
		err = rb_session_look(side);
		if (err == 0)
			rb_cable_watch(side, breaks);
		if (err == 0 || (ret != 0 && err == -EAGAIN) || ret == -EPROTO)
			continue;
		ret = err;
		snprintf(why, sizeof(why), "%s", rb_error());
	}
	return ret < 0 ? rb_fail(ret, "%s", why) : 0;
}

/* Announce the failure, so that the neighbours need not wait for a ring that will not come up. */
static void
give_up(void)
{
	uint64_t start = rb_now_ms();
	struct rb_wait w = {0};
	unsigned int side;
	char why[256];

	snprintf(why, sizeof(why), "%s", rb_error());
	while (rb_now_ms() - start < GONE_MS) {
		for (side = 0; side < RB_SIDES; side++) {
			if (rb.link[side].port == NULL || rb.link[side].up)
				continue;
			rb_session_gone(side);
		}
		rb_wait_once(&w);
	}
	rb_wait_end(&w);
	rb_fail(0, "%s", why);
}

static void
note_missing(void)
{
	unsigned int side;

	for (side = 0; side < RB_SIDES; side++)
		if (rb.link[side].port != NULL && !rb.link[side].up)
			rb_note("host %d: waiting for host %d on the %s cable", rb.host,
				rb_route_neighbour(side), rb_side_name(side));
}

/* No time limit here: the neighbours of a missing host have one, and end the job. */
void
rb_handshake_note_beyond(const struct rb_arrivals *seen)
{
	static uint64_t noted;
	int first = (rb.host + (int)seen->received[RB_RIGHT] + 1) % rb.hosts;
	int last = (rb.host + rb.hosts - (int)seen->received[RB_LEFT] - 1) % rb.hosts;

	if (noted == 0)
		noted = rb_now_ms();
	if (rb_now_ms() - noted < NOTE_MS)
		return;
	noted = rb_now_ms();
	if (first == last)
		rb_note("host %d: both cables are up, waiting for host %d", rb.host, first);
	else
		rb_note("host %d: both cables are up, waiting for hosts %d to %d", rb.host, first,
			last);
}

/* The neighbour that has not answered yet. */
static int
missing_host(void)
{
	const struct rb_link *left = &rb.link[RB_LEFT];

	return left->port != NULL && !left->up ? rb_route_beyond(left)
					       : rb_route_neighbour(RB_RIGHT);
}

/* A neighbour that was up before this host says which cable is lost. Untrusted: only a number for
 * the message. */
static int
lost_at_start(void)
{
	uint64_t word = 0;
	unsigned int side, cable;

	for (side = 0; side < RB_SIDES && word == 0; side++)
		if (rb.link[side].port != NULL)
			word = __atomic_load_n(&rb.link[side].mine->cut, __ATOMIC_RELAXED);
	cable = rb_cut_cable_of(word) % (unsigned int)rb.hosts;
	return rb_fail(-EIO,
		       "the cable between host %u and host %u was lost before all hosts were there",
		       cable, (cable + 1) % (unsigned int)rb.hosts);
}

/* Since when nothing but the cable on @p side keeps the ring from coming up, in ms; -1: something
 * else does. */
static int64_t
out_for(enum rb_side side)
{
	static uint64_t since[RB_SIDES]; /* 0: something else is missing, too */
	const struct rb_link *link = &rb.link[side];

	if (link->port == NULL || link->up || !rb_session_down(side) || !rb_line_whole(side)) {
		since[side] = 0;
		return -1;
	}
	if (since[side] == 0)
		since[side] = rb_now_ms();
	return (int64_t)(rb_now_ms() - since[side]);
}

/* Does the job start without the cable on @p side? @p late: this host waits no longer, whatever
 * state the link is in. */
static bool
goes_without(enum rb_side side, bool late)
{
	const struct rb_link *link = &rb.link[side], *other = &rb.link[side ^ 1u];
	int64_t out = out_for(side);

	if (!rb_survive_may() || link->up || !other->up)
		return false;
	if (rb_cut_told_cable(side ^ 1u) ==
	    rb_rule_cable((unsigned int)rb.host, side, (unsigned int)rb.hosts))
		return true;
	return late ? rb_line_whole(side) : out >= rb.env.line_ms;
}

static bool
starts_without(bool late)
{
	return goes_without(RB_LEFT, late) || goes_without(RB_RIGHT, late);
}

/* The cable that alone keeps the ring from coming up; -1: none, or more is missing. */
static int
cable_out(int64_t for_ms)
{
	enum rb_side side;

	for (side = RB_LEFT; side < RB_SIDES; side++)
		if (out_for(side) >= for_ms)
			return (int)rb_rule_cable((unsigned int)rb.host, side,
						  (unsigned int)rb.hosts);
	return -1;
}

/* Is it time to give up? 0: not yet. */
static int
judge_time(bool late)
{
	int limit = rb_block_limit(), cable = cable_out(limit == 0 ? OUT_MS : 0);
	char why[256];

	if (limit == 0 ? cable < 0 : !late)
		return 0;
	snprintf(why, sizeof(why), "%s", rb_error());
	if (cable >= 0)
		snprintf(why, sizeof(why),
			 "the cable between host %d and host %d is out, and this job does not "
			 "start without it",
			 cable, (cable + 1) % rb.hosts);
	return rb_fail(-ETIMEDOUT, "%s (waited %d s, RINGBELL_HELLO_TIMEOUT)", why,
		       limit == 0 ? OUT_MS / 1000 : limit);
}

/* The neighbour on the other side may have ended the job, or found out more. */
static int
look_round(void)
{
	rb_line_look();
	/* a link that breaks comes up again, or is out */
	if (rb_survive_may()) {
		rb_abort_check();
		return 0;
	}
	rb_cable_look();
	return rb_cut_told() ? lost_at_start() : 0;
}

int
rb_handshake(void)
{
	uint64_t began = rb_now_ns(), noted = rb_now_ms();
	struct rb_wait w = {.what = RB_FOR_HOST};
	int ret;

	rb_host_greets(began);
	while ((ret = handshake_turn()) == -EAGAIN) {
		bool late = rb_block_late(began, 0);

		ret = look_round();
		if (ret < 0 || starts_without(late))
			break;
		ret = judge_time(late);
		if (ret < 0)
			break;
		w.whom = (uint64_t)missing_host();
		if (rb.env.per_host_launcher && rb_now_ms() - noted > NOTE_MS) {
			noted = rb_now_ms();
			note_missing();
		}
		rb_wait_once(&w);
	}
	rb_wait_end(&w);
	if (ret < 0 && rb.env.per_host_launcher)
		give_up();
	return ret;
}
