/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <string.h>

#include "base/types.h"
#include "base/rules.h"
#include "base/state.h"
#include "base/wire.h"
#include "link/chan.h"
#include "link/frame.h"
#include "mem/layout.h"
#include "mem/target.h"
#include "relay/ack.h"
#include "relay/send.h"
#include "survive/cut.h"
#include "survive/reroute.h"
#include "survive/retransmit.h"
#include "survive/survive.h"
#include "rig.h"

/*
 * Host 1 of 3 loses its cable to host 2, and with it what was under way: one story. Its
 * rings have 8 slots. Before the loss three requests in transit, a request of its own, an atomic's
 * reply and an acknowledgement go that way; host 2 has taken one request in transit.
 */

enum {
	GROUP = 0,
};

/* Requests in transit carry their number. */
static struct rb_desc
passing(uint64_t number)
{
	return (struct rb_desc){.op = RB_OP_AMO,
				.flags = RB_DESC_COUNTED,
				.src_pe = 0,
				.dst_pe = 2,
				.amo = RB_AMO_ADD | 8 << 4,
				.arg = {number, 0, number}};
}

static const struct rb_desc *
in_window(unsigned int ring, uint32_t pos)
{
	const uint8_t *first = rb.link[RB_PORT_NEXT].peer + rb_mem.lay.desc[RB_PORT_PREV];

	return (const struct rb_desc *)first + ring * rb.slots + (pos & (rb.slots - 1));
}

static const uint8_t *
payload_in_window(unsigned int ring)
{
	return rb.link[RB_PORT_NEXT].peer + rb_mem.lay.slot[RB_PORT_PREV] +
	       (size_t)ring * rb.slots * rb.chunk;
}

static void
send_own(void)
{
	static struct rb_ctx ctx;
	const struct rb_target to = {.pe = 2, .host = 2, .port = RB_PORT_NEXT, .hops = 1};
	const struct rb_amo op = {.op = RB_AMO_ADD, .size = 8, .operand = 77};
	struct rb_desc d = rb_frame_amo(0, &op, 0, RB_DESC_COUNTED);

	rb_send(&ctx, &to, &d, NULL);
}

/* Each frame is in the window, and here. */
static void
keeps_what_it_sends(void)
{
	unsigned int transit;
	uint64_t i;

	set_up();
	transit = RB_RING_TRANSIT(GROUP);
	begin_to_survive();
	for (i = 1; i <= 3; i++)
		feed(RB_PORT_PREV, transit, passing(i), NULL);
	serve_all();
	send_own();
	for (i = 1; i <= 3; i++) {
		CU_ASSERT_EQUAL(in_window(transit, (uint32_t)i - 1)->seq, i);
		CU_ASSERT_EQUAL(in_window(transit, (uint32_t)i - 1)->operand, i);
		CU_ASSERT_EQUAL(out_desc(RB_PORT_NEXT, transit, (uint32_t)i - 1)->operand, i);
	}
	CU_ASSERT_EQUAL(in_window(0, 0)->seq, 1);
	CU_ASSERT_EQUAL(in_window(0, 0)->operand, 77);
	CU_ASSERT_PTR_NOT_EQUAL(in_window(0, 0), out_desc(RB_PORT_NEXT, 0, 0));
}

static void
keeps_payload(void)
{
	static const uint8_t payload[64] = {1, 2, 3};
	unsigned int ring = RB_RING_REPLY(GROUP);
	const struct rb_desc reply = {
		.op = RB_OP_GET_REPLY, .src_pe = 0, .dst_pe = 2, .len = sizeof(payload)};

	feed(RB_PORT_PREV, ring, reply, payload);
	serve_all();
	CU_ASSERT_EQUAL(in_window(ring, 0)->seq, 1);
	CU_ASSERT_EQUAL(memcmp(payload_in_window(ring), payload, sizeof(payload)), 0);
	CU_ASSERT_EQUAL(memcmp(rb.link[RB_PORT_NEXT].tx[ring].slot, payload, sizeof(payload)), 0);
}

/* A request of host 2 is executed, and acknowledged by a frame: a store could be lost. */
static void
acknowledges_by_a_frame(void)
{
	unsigned int ring = RB_RING_REPLY(GROUP);
	struct rb_desc d = passing(1);

	d.src_pe = 2;
	d.dst_pe = 1;
	feed(RB_PORT_NEXT, 0, d, NULL);
	serve_all();
	CU_ASSERT_EQUAL(acked(RB_PORT_NEXT, 1, RB_CLS_EXECUTED), 0);
	CU_ASSERT_EQUAL(in_window(ring, 1)->op, RB_OP_ACK);
	CU_ASSERT_EQUAL(in_window(ring, 1)->total, 1);
}

/* What lands after the loss was found is not taken. */
static void
takes_nothing_more(void)
{
	struct rb_desc d = passing(1);

	d.src_pe = 2;
	d.dst_pe = 0;
	rb_cut_own(RB_PORT_NEXT);
	feed(RB_PORT_NEXT, RB_RING_TRANSIT(GROUP), d, NULL);
	serve_all();
	CU_ASSERT_EQUAL(rb.link[RB_PORT_NEXT].rx[RB_RING_TRANSIT(GROUP)].pos, 0);
	CU_ASSERT_EQUAL(rb_epoch, 1);
	CU_ASSERT_EQUAL(rb.link[RB_PORT_PREV].theirs->cut[0], 1 << (8 + RB_PORT_NEXT));
	/* nor is anything stored over the cable */
	CU_ASSERT_EQUAL(rb.link[RB_PORT_NEXT].theirs->cut[0], 0);
}

/* The mark says what was taken: the atomic from the own ring, and not what came late. */
static void
says_what_it_took(void)
{
	static const uint32_t taken[] = {1, 0, 0, 0};
	unsigned int transit = RB_RING_TRANSIT(GROUP);
	const struct rb_desc *mark = out_desc(RB_PORT_PREV, transit, 0);

	CU_ASSERT_EQUAL(rb.link[RB_PORT_PREV].tx[transit].pos, 1);
	CU_ASSERT_EQUAL(mark->op, RB_OP_MARK);
	CU_ASSERT_EQUAL(mark->off, RB_PORT_PREV);
	CU_ASSERT_EQUAL(mark->len, sizeof(taken));
	CU_ASSERT_EQUAL(memcmp(rb.link[RB_PORT_PREV].tx[transit].slot, taken, sizeof(taken)), 0);
}

static int
told(uint32_t own, uint32_t transit, uint32_t reply, uint32_t len)
{
	const uint32_t words[] = {own, 0, transit, reply};

	return rb_retx_peer_count(RB_PORT_NEXT, (const uint8_t *)words, len);
}

/* Positions are the far end's word, and may be wrong. */
static void
believes_no_nonsense(void)
{
	struct rb_tx *own = &rb.link[RB_PORT_NEXT].tx[0];
	const uint8_t *payload;

	CU_ASSERT_EQUAL(told(0, 4, 0, 16), -EPROTO);
	CU_ASSERT_EQUAL(told(0, UINT32_MAX, 0, 16), -EPROTO);
	CU_ASSERT_EQUAL(told(2, 1, 0, 16), -EPROTO);
	CU_ASSERT_EQUAL(told(0, 1, 3, 16), -EPROTO);
	CU_ASSERT_EQUAL(told(0, 1, 0, 12), -EPROTO);
	CU_ASSERT_EQUAL(told(0, 1, 0, 0), -EPROTO);
	/* what has its credit is not here any more */
	rb.link[RB_PORT_NEXT].mine->credit[RB_RING_TRANSIT(GROUP)] = 1;
	CU_ASSERT_EQUAL(told(0, 0, 0, 16), -EPROTO);
	/* a sender has the lock of its ring: its frame is not here yet */
	rb_tx_lock(own);
	CU_ASSERT_EQUAL(told(0, 1, 0, 16), -EAGAIN);
	rb_tx_unlock(own);
	CU_ASSERT_PTR_NULL(rb_retx_head(RB_PORT_NEXT, RB_RING_TRANSIT(GROUP), &payload));
}

/* Each frame that was not taken goes the other way once; one of the old routes goes there anew. */
static void
sends_the_rest_once(void)
{
	static const uint64_t numbers[] = {4, 77, 2, 3};
	static const uint32_t taken[] = {0, 0, 1, 0};
	const struct rb_desc mark = {.op = RB_OP_MARK,
				     .src_pe = 2,
				     .dst_pe = 1,
				     .off = RB_PORT_NEXT,
				     .len = sizeof(taken)};
	unsigned int transit = RB_RING_TRANSIT(GROUP), i;

	feed(RB_PORT_PREV, transit, passing(4), NULL);
	serve_all();
	/* a second mark changes nothing */
	feed(RB_PORT_PREV, transit, mark, taken);
	feed(RB_PORT_PREV, transit, mark, taken);
	serve_all();
	CU_ASSERT_EQUAL(rb.link[RB_PORT_PREV].tx[transit].pos, 1 + 4);
	for (i = 0; i < 4; i++) {
		CU_ASSERT_EQUAL(out_desc(RB_PORT_PREV, transit, i + 1)->op, RB_OP_AMO);
		CU_ASSERT_EQUAL(out_desc(RB_PORT_PREV, transit, i + 1)->operand, numbers[i]);
		CU_ASSERT_EQUAL(out_desc(RB_PORT_PREV, transit, i + 1)->epoch, 1);
	}
}

/* Whichever way it came. */
static void
takes_an_ack_into_one_word(void)
{
	struct rb_desc ack = {
		.op = RB_OP_ACK, .cls = RB_CLS_EXECUTED, .src_pe = 2, .dst_pe = 1, .total = 5};

	feed(RB_PORT_PREV, RB_RING_REPLY(GROUP), ack, NULL);
	ack.total = 3;
	feed(RB_PORT_PREV, RB_RING_REPLY(GROUP), ack, NULL);
	serve_all();
	CU_ASSERT_EQUAL(rb.link[RB_PORT_PREV].mine->ack[2][0][RB_CLS_EXECUTED], 5);
	CU_ASSERT_EQUAL(rb.link[RB_PORT_NEXT].mine->ack[2][0][RB_CLS_EXECUTED], 0);
}

static void
sends_the_replies_too(void)
{
	static const uint8_t payload[64] = {1, 2, 3};
	unsigned int ring = RB_RING_REPLY(GROUP);
	const struct rb_desc *reply = out_desc(RB_PORT_PREV, ring, 0);
	const struct rb_desc *ack = out_desc(RB_PORT_PREV, ring, 1);

	CU_ASSERT_EQUAL(rb.link[RB_PORT_PREV].tx[ring].pos, 2);
	CU_ASSERT_EQUAL(reply->op, RB_OP_GET_REPLY);
	CU_ASSERT_EQUAL(memcmp(rb.link[RB_PORT_PREV].tx[ring].slot, payload, sizeof(payload)), 0);
	CU_ASSERT_EQUAL(ack->op, RB_OP_ACK);
	CU_ASSERT_EQUAL(ack->total, 1);
	CU_ASSERT_EQUAL(ack->dst_pe, 2);
}

/* Host 2 has sent one request before; of the next two the later one comes first. */
static void
executes_in_turn(void)
{
	unsigned int transit = RB_RING_TRANSIT(GROUP);
	struct rb_desc d = passing(3);
	uint64_t *dropped = &rb.link[RB_PORT_PREV].relayed[GROUP].dropped;

	d.src_pe = 2;
	d.dst_pe = 1;
	feed(RB_PORT_PREV, transit, d, NULL);
	serve_all();
	CU_ASSERT_EQUAL(rb_ack_total(2, 0), 1);
	d.turn = 2;
	feed(RB_PORT_PREV, transit, d, NULL);
	serve_all();
	CU_ASSERT_EQUAL(rb_ack_total(2, 0), 3);
	/* twice: no right host sends that */
	CU_ASSERT_EQUAL(*dropped, 0);
	feed(RB_PORT_PREV, transit, d, NULL);
	serve_all();
	CU_ASSERT_EQUAL(rb_ack_total(2, 0), 3);
	CU_ASSERT_EQUAL(*dropped, 1);
}

/* Of cables that there are not. */
static void
believes_no_other_word(void)
{
	rb.link[RB_PORT_PREV].mine->cut[0] = 1 << (2 * 8 + 5) | 1ull << 63;
	rb.link[RB_PORT_PREV].mine->cut[RB_CUT_WORDS - 1] = UINT64_MAX;
	rb_cut_look();
	CU_ASSERT_EQUAL(rb_epoch, 1);
	rb_survive_close();
	ring_tear_down();
}

TEST_PROGRAM("retransmit", NULL, NULL, {"each frame is kept", keeps_what_it_sends},
	     {"and its payload", keeps_payload}, {"an ack is a frame", acknowledges_by_a_frame},
	     {"nothing more is taken", takes_nothing_more},
	     {"the mark says what was taken", says_what_it_took},
	     {"wrong positions", believes_no_nonsense},
	     {"the rest goes the other way", sends_the_rest_once},
	     {"acks count in one word", takes_an_ack_into_one_word},
	     {"and the replies", sends_the_replies_too}, {"each in its turn", executes_in_turn},
	     {"no other word", believes_no_other_word})
