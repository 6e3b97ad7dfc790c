/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "link/handshake.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>

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
#include "link/session.h"

enum {
	GONE_MS = 500,	/* time for the neighbours to read that this host gives up */
	NOTE_MS = 3000, /* between two lines that name the missing hosts */
	OUT_S = 60,	/* without a limit: for a cable that is out */
};

int
rb_handshake_init(void)
{
	return rb_session_init();
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

		if (link->port == NULL || link->up)
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
		rb_wait_turn(&w);
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

/* Does a neighbour that was up before this host know of a lost cable? */
static bool
any_lost(void)
{
	unsigned int side;

	for (side = 0; side < RB_SIDES; side++)
		if (rb.link[side].port != NULL &&
		    __atomic_load_n(&rb.link[side].mine->cut, __ATOMIC_RELAXED) != 0)
			return true;
	return false;
}

/* Is a link down, and not only its neighbour slow to answer? */
static bool
any_down(void)
{
	unsigned int side;

	for (side = 0; side < RB_SIDES; side++)
		if (rb.link[side].port != NULL && !rb.link[side].up && rb_session_down(side))
			return true;
	return false;
}

/* Is it time to give up? 0: not yet. */
static int
judge_time(uint64_t began)
{
	int limit = rb_block_limit();
	char why[256];

	if (limit == 0) {
		if (rb_now_ns() - began < OUT_S * 1000000000ull || !any_down())
			return 0;
		limit = OUT_S;
	} else if (!rb_block_late(began, 0)) {
		return 0;
	}
	snprintf(why, sizeof(why), "%s", rb_error());
	return rb_fail(-ETIMEDOUT, "%s (waited %d s, RINGBELL_HELLO_TIMEOUT)", why, limit);
}

/* The neighbour on the other side may have ended the job, or found out more. */
static int
look_round(void)
{
	rb_cable_look();
	return any_lost() ? rb_fail(-EIO, "a cable was lost before all hosts were there") : 0;
}

int
rb_handshake(void)
{
	uint64_t began = rb_now_ns(), noted = rb_now_ms();
	struct rb_wait w = {.what = RB_FOR_HOST};
	int ret;

	rb_host_greets(began);
	while ((ret = handshake_turn()) == -EAGAIN) {
		ret = look_round();
		if (ret == 0)
			ret = judge_time(began);
		if (ret < 0)
			break;
		w.whom = (uint64_t)missing_host();
		if (rb.env.per_host_launcher && rb_now_ms() - noted > NOTE_MS) {
			noted = rb_now_ms();
			note_missing();
		}
		rb_wait_turn(&w);
	}
	rb_wait_end(&w);
	if (ret < 0 && rb.env.per_host_launcher)
		give_up();
	return ret;
}
