/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "base/env.h"
#include "base/rules.h"
#include "base/shares.h"
#include "base/state.h"
#include "base/types.h"
#include "base/wire.h"
#include "host/wait.h"
#include "link/chan.h"
#include "mem/target.h"
#include "op/put.h"
#include "relay/dispatch.h"
#include "relay/turns.h"
#include "rig.h"

/* Rules 8 to 12 of doc/protocols.md. Rules 8 and 9 where rings are full are in dispatch_test.c. */

/* To the heap of host 2, so that it needs no slot there. */
static const struct rb_desc put = {.op = RB_OP_PUT, .dst_pe = 2, .len = RING_CHUNK / 2, .off = 64};

static void
fill(unsigned int ring)
{
	unsigned int i;

	for (i = 0; i < rb.slots; i++)
		feed(RB_PORT_PREV, ring, put, NULL);
}

/* A source passes, and another one's requests enter: they take turns, also where they are stored
 * beyond the cable. */
static void
equal_shares(void)
{
	const struct rb_rx *rx = rb.link[RB_PORT_PREV].rx;
	unsigned int i;

	set_up_slots(1, RB_NOTIFY_MEMORY, 16);
	fill(0);
	fill(RB_RING_TRANSIT(0));
	for (i = 0; i < rb.slots / 2; i++)
		rb_poll_rings(0);
	CU_ASSERT(rx[0].pos + 2 >= rx[RB_RING_TRANSIT(0)].pos && rx[0].pos >= rb.slots / 4 &&
		  rx[0].pos <= rx[RB_RING_TRANSIT(0)].pos);
	serve_all();
	CU_ASSERT(rb.link[RB_PORT_NEXT].shares[0].served >= (rb.slots - 1) * RING_CHUNK / 2);
}

/* The turn of a ring whose requests come from two sources is twice as long. */
static void
long_turns(void)
{
	const struct rb_rx *transit = &rb.link[RB_PORT_PREV].rx[RB_RING_TRANSIT(0)];
	unsigned int sources, i;

	for (sources = 1; sources <= 3; sources++) {
		set_up_slots(1, RB_NOTIFY_MEMORY, 16);
		for (i = 0; i < sources; i++)
			rb_share_went(&rb.link[RB_PORT_NEXT].shares[0], false, true, i, 1, 2);
		fill(RB_RING_TRANSIT(0));
		rb_poll_rings(0);
		CU_ASSERT_EQUAL(transit->pos * put.len,
				RB_LONG * RTE_MIN(sources, (unsigned int)RB_SHARE_TURN));
	}
}

/* A program may be ahead of what each source of its relay got, by so much, and no more while the
 * relay sends there; and behind by so much at most. */
static void
paces(void)
{
	uint64_t sent = 0;
	unsigned int i;

	for (i = 0; i <= RB_SHARE_AHEAD / RB_SHARE_PART; i++)
		CU_ASSERT_FALSE(rb_share_paces(&sent, 0, true, RB_SHARE_PART));
	CU_ASSERT_TRUE(rb_share_paces(&sent, 0, true, RB_SHARE_PART));
	CU_ASSERT_FALSE(rb_share_paces(&sent, RB_SHARE_PART, true, RB_SHARE_PART));
	CU_ASSERT_FALSE(rb_share_paces(&sent, 0, false, RB_SHARE_PART));
	CU_ASSERT_EQUAL(sent, RB_SHARE_AHEAD + RB_SHARE_PART);
	CU_ASSERT_FALSE(rb_share_paces(&sent, 10 * RB_SHARE_AHEAD, true, RB_SHARE_PART));
	CU_ASSERT_EQUAL(sent, 9 * RB_SHARE_AHEAD + RB_SHARE_PART);
}

static enum rb_progress_left
poll_rings(void)
{
	return rb_poll_rings(0);
}

static bool
no_proxy(void)
{
	return false;
}

/* @return frames that its relay sent to host 2 while the program put to that host, behind one to
 * host @p to */
static uint32_t
sent_within(int to, bool memory)
{
	static const struct rb_wait_ops ops = {.poll = poll_rings, .proxy = no_proxy};
	static const uint8_t from[4 * RB_SHARE_AHEAD];
	static struct rb_ctx ctx;
	const struct rb_loc at = {.off = 64};
	struct rb_desc first = put;
	struct rb_target t;
	uint32_t before;

	set_up_slots(1, RB_NOTIFY_MEMORY, 16);
	rb_wait_register(&ops);
	rb.booted = true;
	rb.link[RB_PORT_NEXT].memory = memory;
	feed(RB_PORT_PREV, 0, put, NULL);
	rb_poll_rings(0);
	first.dst_pe = to;
	feed(to == 2 ? RB_PORT_PREV : RB_PORT_NEXT, 1, first, NULL);
	rb_poll_rings(0);
	fill(RB_RING_TRANSIT(0));
	before = rb.link[RB_PORT_PREV].rx[RB_RING_TRANSIT(0)].pos;
	rb_target_at(&t, 2, &at);
	rb_put_rings(&ctx, &t, from, sizeof(from), false);
	rb.booted = false;
	CU_ASSERT_EQUAL(rb_turn_pace(RB_PORT_NEXT, 0, sizeof(from), true), memory ? sizeof(from)
									   : to == 2
										   ? RB_SHARE_ALONE
										   : RB_SHARE_PART);
	return rb.link[RB_PORT_PREV].rx[RB_RING_TRANSIT(0)].pos - before;
}

/* A put waits while the relay sends over the same cable, and stores on while it sends over another
 * one; a window that is memory holds up nobody. */
static void
puts_wait(void)
{
	CU_ASSERT_EQUAL(sent_within(2, false), rb.slots);
	CU_ASSERT_EQUAL(sent_within(2, true), 0);
	CU_ASSERT_EQUAL(sent_within(0, false), 0);
}

TEST_PROGRAM("turns", NULL, ring_tear_down, {"equal shares of sources", equal_shares},
	     {"a turn for two sources", long_turns}, {"how far a program is ahead", paces},
	     {"a put beside its relay", puts_wait})
