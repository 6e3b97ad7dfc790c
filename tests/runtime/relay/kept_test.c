/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#include "base/context.h"
#include "base/rules.h"
#include "base/state.h"
#include "base/wire.h"
#include "link/cable.h"
#include "link/chan.h"
#include "link/cut.h"
#include "link/frame.h"
#include "link/kept.h"
#include "mem/target.h"
#include "relay/mirror.h"
#include "relay/send.h"
#include "rig.h"

/*
 * Host 1 of 3 loses its right cable, to host 2, and with it what was under way: one story, since a
 * job loses one cable. Its rings have 8 slots. Before the loss three requests in transit, a request
 * of its own, an atomic's reply and an acknowledgement go to the right; host 2 has taken one
 * request in transit. Then the cable comes back, and is lost again.
 */

enum {
	CABLE = 1,
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
				.arg = {number}};
}

static const struct rb_desc *
in_window(unsigned int ring, uint32_t pos)
{
	return &rb.link[RB_RIGHT].kept[ring].desc[pos & (rb.slots - 1)];
}

static void
send_own(void)
{
	static struct rb_ctx ctx;
	const struct rb_target to = {.pe = 2, .host = 2, .side = RB_RIGHT, .hops = 1};
	const struct rb_amo op = {.op = RB_AMO_ADD, .size = 8, .operand = 77};
	struct rb_desc d = rb_frame_amo(0, &op, 0, RB_DESC_COUNTED);

	rb_send(&ctx, &to, &d, NULL, 0);
}

static unsigned int flushes;

static int
count_flush(struct ntb_port *port, uint64_t off, uint64_t *ret)
{
	(void)off;
	(void)ret;
	flushes += port == &ports[RB_RIGHT];
	return -EIO;
}

/* Each frame is in the window, and here. */
static void
keeps_what_it_sends(void)
{
	static struct ntb_port_ops flushing;
	unsigned int transit;
	uint64_t i;

	set_up();
	flushing = *ports[RB_RIGHT].ops;
	flushing.flush = count_flush;
	ports[RB_RIGHT].ops = &flushing;
	transit = RB_RING_TRANSIT(GROUP);
	CU_ASSERT_EQUAL_FATAL(rb_kept_open(RB_RIGHT), 0);
	rb.survives = true;
	for (i = 1; i <= 3; i++)
		feed(RB_LEFT, transit, passing(i), NULL);
	serve_all();
	send_own();
	for (i = 1; i <= 3; i++) {
		CU_ASSERT_EQUAL(in_window(transit, (uint32_t)i - 1)->seq, i);
		CU_ASSERT_EQUAL(in_window(transit, (uint32_t)i - 1)->operand, i);
		CU_ASSERT_EQUAL(out_desc(RB_RIGHT, transit, (uint32_t)i - 1)->operand, i);
	}
	CU_ASSERT_EQUAL(in_window(0, 0)->seq, 1);
	CU_ASSERT_EQUAL(in_window(0, 0)->operand, 77);
	CU_ASSERT_PTR_NOT_EQUAL(in_window(0, 0), out_desc(RB_RIGHT, 0, 0));
}

static void
keeps_payload(void)
{
	static const uint8_t payload[64] = {1, 2, 3};
	unsigned int ring = RB_RING_REPLY(GROUP);
	const struct rb_desc reply = {
		.op = RB_OP_GET_REPLY, .src_pe = 0, .dst_pe = 2, .len = sizeof(payload)};

	feed(RB_LEFT, ring, reply, payload);
	serve_all();
	CU_ASSERT_EQUAL(in_window(ring, 0)->seq, 1);
	CU_ASSERT_EQUAL(memcmp(rb.link[RB_RIGHT].kept[ring].slot, payload, sizeof(payload)), 0);
	CU_ASSERT_EQUAL(memcmp(rb.link[RB_RIGHT].kept[ring].payload, payload, sizeof(payload)), 0);
}

/* A request of host 2 is executed, and acknowledged by a store over the cable. */
static void
acknowledges_by_a_store(void)
{
	struct rb_desc d = passing(1);

	d.src_pe = 2;
	d.dst_pe = 1;
	feed(RB_RIGHT, 0, d, NULL);
	serve_all();
	CU_ASSERT_EQUAL(acked(RB_RIGHT, 1, RB_CLS_EXECUTED), 1);
}

/* What lands after the loss was found is not taken. */
static void
takes_nothing_more(void)
{
	struct rb_desc d = passing(1);

	d.src_pe = 2;
	d.dst_pe = 0;
	CU_ASSERT_EQUAL(rb_cut_own(RB_RIGHT), 0);
	feed(RB_RIGHT, RB_RING_TRANSIT(GROUP), d, NULL);
	serve_all();
	CU_ASSERT_EQUAL(rb.link[RB_RIGHT].rx[RB_RING_TRANSIT(GROUP)].pos, 0);
	CU_ASSERT_EQUAL(rb.link[RB_LEFT].tx[RB_RING_TRANSIT(GROUP)].pos, 0);
	/* nor is anything stored over the cable */
	CU_ASSERT_EQUAL(rb.link[RB_RIGHT].theirs->cut, 0);
}

/* The store may be lost. */
static void
acknowledges_again(void)
{
	const struct rb_desc *ack = out_desc(RB_LEFT, RB_RING_REPLY(GROUP), 0);

	CU_ASSERT_EQUAL(rb.link[RB_LEFT].tx[RB_RING_REPLY(GROUP)].pos, 1);
	CU_ASSERT_EQUAL(ack->op, RB_OP_ACK);
	CU_ASSERT_EQUAL(ack->total, 1);
	CU_ASSERT_EQUAL(ack->flags, RB_DESC_TURNED);
	CU_ASSERT_EQUAL(ack->dst_pe, 2);
}

/* The mark says what was taken: the atomic from the own ring, and not what came late. */
static void
says_what_it_took(void)
{
	static const uint32_t taken[] = {1, 0, 0, 0};
	unsigned int transit = RB_RING_TRANSIT(GROUP);
	const struct rb_desc *mark = out_desc(RB_LEFT, transit, 0);

	rb.link[RB_LEFT].mine->cut = 1ull << RB_CUT_NUMBER | RB_CUT_STOPPED << RB_CUT_STAGE | CABLE;
	CU_ASSERT_EQUAL(rb_cut_look(), 0);
	serve_all();
	CU_ASSERT_EQUAL(rb.link[RB_LEFT].tx[transit].pos, 1);
	CU_ASSERT_EQUAL(mark->op, RB_OP_MARK);
	CU_ASSERT_EQUAL(mark->len, sizeof(taken));
	CU_ASSERT_EQUAL(memcmp(rb.link[RB_LEFT].tx[transit].slot, taken, sizeof(taken)), 0);
}

static int
told(uint32_t own, uint32_t transit, uint32_t reply, uint32_t len)
{
	const uint32_t words[] = {own, 0, transit, reply};

	return rb_kept_told(RB_RIGHT, GROUP, (const uint8_t *)words, len);
}

/* Positions are the far end's word, and may be wrong. */
static void
believes_no_nonsense(void)
{
	struct rb_tx *own = &rb.link[RB_RIGHT].tx[0];
	const uint8_t *payload;

	CU_ASSERT_EQUAL(told(0, 4, 0, 16), -EPROTO);
	CU_ASSERT_EQUAL(told(0, UINT32_MAX, 0, 16), -EPROTO);
	CU_ASSERT_EQUAL(told(2, 1, 0, 16), -EPROTO);
	CU_ASSERT_EQUAL(told(0, 1, 2, 16), -EPROTO);
	CU_ASSERT_EQUAL(told(0, 1, 0, 12), -EPROTO);
	CU_ASSERT_EQUAL(told(0, 1, 0, 0), -EPROTO);
	/* what has its credit is not here any more */
	rb.link[RB_RIGHT].mine->credit[RB_RING_TRANSIT(GROUP)] = 1;
	CU_ASSERT_EQUAL(told(0, 0, 0, 16), -EPROTO);
	/* a sender has the lock of its ring: its frame is not here yet */
	rb_tx_lock(own);
	CU_ASSERT_EQUAL(told(0, 1, 0, 16), -EAGAIN);
	rb_tx_unlock(own);
	CU_ASSERT_PTR_NULL(rb_kept_next(RB_RIGHT, RB_RING_TRANSIT(GROUP), &payload));
}

/* Each frame that was not taken goes the other way once, before all that came later. */
static void
sends_the_rest_once(void)
{
	static const uint64_t numbers[] = {2, 3, 77, 4};
	static const uint32_t taken[] = {0, 0, 1, 0};
	const struct rb_desc mark = {
		.op = RB_OP_MARK, .src_pe = 2, .dst_pe = 1, .len = sizeof(taken)};
	unsigned int transit = RB_RING_TRANSIT(GROUP), i;

	feed(RB_LEFT, transit, passing(4), NULL);
	serve_all();
	CU_ASSERT_EQUAL(rb.link[RB_LEFT].tx[transit].pos, 1);
	/* a second mark changes nothing */
	feed(RB_LEFT, transit, mark, taken);
	feed(RB_LEFT, transit, mark, taken);
	serve_all();
	CU_ASSERT_EQUAL(rb.link[RB_LEFT].tx[transit].pos, 1 + 4);
	for (i = 0; i < 4; i++) {
		CU_ASSERT_EQUAL(out_desc(RB_LEFT, transit, i + 1)->op, RB_OP_AMO);
		CU_ASSERT_EQUAL(out_desc(RB_LEFT, transit, i + 1)->operand, numbers[i]);
	}
}

/* A store of host 2 may land behind what it has said by the other way. */
static void
takes_no_ack_back(void)
{
	uint64_t *word = &rb.link[RB_RIGHT].mine->ack[2][0][RB_CLS_EXECUTED];
	const struct rb_desc ack = {.op = RB_OP_ACK,
				    .flags = RB_DESC_TURNED,
				    .cls = RB_CLS_EXECUTED,
				    .src_pe = 2,
				    .dst_pe = 1,
				    .total = 5};

	feed(RB_LEFT, RB_RING_REPLY(GROUP), ack, NULL);
	serve_all();
	CU_ASSERT_EQUAL(*word, 5);
	*word = 3;
	serve_all();
	CU_ASSERT_EQUAL(*word, 5);
	*word = 6;
	serve_all();
	CU_ASSERT_EQUAL(*word, 6);
}

static void
sends_the_replies_too(void)
{
	static const uint8_t payload[64] = {1, 2, 3};
	unsigned int ring = RB_RING_REPLY(GROUP);
	const struct rb_desc *reply = out_desc(RB_LEFT, ring, 1);

	CU_ASSERT_EQUAL(rb.link[RB_LEFT].tx[ring].pos, 2);
	CU_ASSERT_EQUAL(reply->op, RB_OP_GET_REPLY);
	CU_ASSERT_EQUAL(memcmp(rb.link[RB_LEFT].tx[ring].slot + rb.chunk, payload, sizeof(payload)),
			0);
}

static unsigned int agreements;

static int
agree(enum rb_side side)
{
	agreements++;
	return side == RB_RIGHT ? 0 : -EAGAIN;
}

/* From host 2, by host 0. */
static void
hear(uint64_t number, enum rb_cut_stage other)
{
	rb.link[RB_LEFT].mine->cut =
		number << RB_CUT_NUMBER | (uint64_t)other << RB_CUT_STAGE | CABLE;
	CU_ASSERT_EQUAL(rb_cut_look(), 0);
	serve_all();
}

/* What is stored late must find the link down, so the port opens it only once both ends have
 * parted. */
static void
stays_down_until_parted(void)
{
	rb_cable_agree(agree);
	rb.env.heal_ms = 0;
	rb.link[RB_RIGHT].up = true;
	rb.link[RB_RIGHT].mine->token = 7;
	link_stays[RB_RIGHT] = 1;
	look_at_link(NTB_LINK_UP, 1);
	CU_ASSERT_EQUAL(rb_mirror_stage(GROUP), RB_CUT_PARTED);
	CU_ASSERT_EQUAL(link_stays[RB_RIGHT], 1);
	/* and none of those before is under way */
	CU_ASSERT_EQUAL(flushes, 1);
	hear(1, RB_CUT_PARTED);
	look_at_link(NTB_LINK_DOWN, 1);
	CU_ASSERT_EQUAL(link_stays[RB_RIGHT], 0);
	CU_ASSERT_EQUAL(rb_mirror_stage(GROUP), RB_CUT_PARTED);
}

/* Another host may be at the other end now: both begin the handshake anew, also where the link has
 * broken since. */
static void
agrees_anew(void)
{
	CU_ASSERT_FALSE(rb.link[RB_RIGHT].up);
	CU_ASSERT_EQUAL(rb.link[RB_RIGHT].mine->token, 0);
	CU_ASSERT_EQUAL(agreements, 0);
	rb.env.heal_ms = 3600000;
	look_at_link(NTB_LINK_UP, 1);
	look_at_link(NTB_LINK_UP, 1);
	CU_ASSERT_EQUAL(agreements, 1);
	CU_ASSERT_TRUE(rb.link[RB_RIGHT].up);
	rb.link[RB_RIGHT].mine->token = 7;
	look_at_link(NTB_LINK_UP, 2);
	CU_ASSERT_EQUAL(agreements, 2);
	CU_ASSERT_EQUAL(rb.link[RB_RIGHT].mine->token, 0);
	CU_ASSERT_EQUAL(rb_mirror_stage(GROUP), RB_CUT_PARTED);
	rb.env.heal_ms = 0;
}

/* What had landed of frames that were not taken is none of the next ones. */
static void
clears_its_rings(void)
{
	const unsigned int transit = RB_RING_TRANSIT(GROUP);
	const struct rb_rx *rx = &rb.link[RB_RIGHT].rx[transit];
	unsigned int polls;

	CU_ASSERT_EQUAL(rx->desc[0].seq, 1);
	serve_all();
	CU_ASSERT_EQUAL(rb_mirror_stage(GROUP), RB_CUT_READY);
	CU_ASSERT_EQUAL(rx->desc[0].seq, 0);
	CU_ASSERT_EQUAL(rb.link[RB_RIGHT].rx[0].pos, 0);
	CU_ASSERT_EQUAL(rx->pos, 0);
	/* host 2 may not be as far: its port comes up only where this one is programmed again */
	polls = link_polls[RB_RIGHT];
	look_at_link(NTB_LINK_UP, 2);
	CU_ASSERT_EQUAL(link_polls[RB_RIGHT], polls + 1);
	CU_ASSERT_EQUAL(link_stays[RB_RIGHT], 0);
	/* host 2 may send first, and its frames are taken */
	hear(1, RB_CUT_READY);
	CU_ASSERT_EQUAL(rb_mirror_stage(GROUP), RB_CUT_ENTER);
	CU_ASSERT_EQUAL(link_stays[RB_RIGHT], 1);
	feed_anew(RB_RIGHT);
	feed(RB_RIGHT, transit,
	     (struct rb_desc){.op = RB_OP_AMO, .src_pe = 2, .amo = RB_AMO_ADD | 8 << 4, .arg = {9}},
	     NULL);
	serve_all();
	CU_ASSERT_EQUAL(rx->pos, 1);
	CU_ASSERT_EQUAL(out_desc(RB_LEFT, transit, rb.link[RB_LEFT].tx[transit].pos - 1)->operand,
			9);
}

/* So are its positions, and all slots are free. */
static void
sends_from_the_first_slot(void)
{
	const struct rb_desc ack = {
		.op = RB_OP_ACK, .cls = RB_CLS_EXECUTED, .src_pe = 0, .dst_pe = 2, .total = 8};
	unsigned int ring = RB_RING_REPLY(GROUP);
	struct rb_link *link = &rb.link[RB_RIGHT];

	CU_ASSERT_EQUAL(in_window(ring, 1)->seq, 0);
	link->mine->credit[0] = 1;
	link->word = 3 << RB_ARRIVE_BITS | 1;
	hear(1, RB_CUT_ENTER);
	CU_ASSERT_EQUAL(rb_mirror_stage(GROUP), RB_CUT_OPEN);
	CU_ASSERT_EQUAL(link->theirs->barrier, 3 << RB_ARRIVE_BITS | 1);
	CU_ASSERT_EQUAL(link->mine->credit[0], 0);
	CU_ASSERT_EQUAL(link->tx[0].pos, 0);
	feed(RB_LEFT, ring, ack, NULL);
	serve_all();
	CU_ASSERT_EQUAL(link->tx[ring].pos, 1);
	CU_ASSERT_EQUAL(in_window(ring, 0)->op, RB_OP_ACK);
	CU_ASSERT_EQUAL(in_window(ring, 0)->total, 8);
	hear(1, RB_CUT_OPEN);
	send_own();
	CU_ASSERT_EQUAL(link->tx[0].pos, 1);
	CU_ASSERT_EQUAL(in_window(0, 0)->seq, 1);
	CU_ASSERT_EQUAL(in_window(0, 0)->operand, 77);
	hear(1, RB_CUT_BACK);
	CU_ASSERT_EQUAL(rb_link_use(link), RB_LINK_WHOLE);
}

/* Lost again: frames are kept as before. */
static void
is_lost_again(void)
{
	static const uint32_t taken[] = {0, 0, 0, 1};
	const struct rb_desc mark = {
		.op = RB_OP_MARK, .src_pe = 2, .dst_pe = 1, .len = sizeof(taken)};
	unsigned int transit = RB_RING_TRANSIT(GROUP);
	uint32_t pos = rb.link[RB_LEFT].tx[transit].pos;

	rb.link[RB_LEFT].mine->credit[transit] = pos;
	look_at_link(NTB_LINK_DOWN, 3);
	CU_ASSERT_EQUAL(rb_cut_number(), 2);
	hear(2, RB_CUT_STOPPED);
	CU_ASSERT_EQUAL(out_desc(RB_LEFT, transit, pos)->op, RB_OP_MARK);
	feed(RB_LEFT, transit, mark, taken);
	serve_all();
	CU_ASSERT_EQUAL(rb.link[RB_LEFT].tx[transit].pos, pos + 2);
	CU_ASSERT_EQUAL(out_desc(RB_LEFT, transit, pos + 1)->operand, 77);
	rb_cable_agree(NULL);
	rb_mirror_close();
	rb_kept_close();
	ring_tear_down();
}

int
main(void)
{
	static const struct test_case cases[] = {
		{"each frame is kept", keeps_what_it_sends},
		{"and its payload", keeps_payload},
		{"an ack is a store", acknowledges_by_a_store},
		{"nothing more is taken", takes_nothing_more},
		{"acks are sent again", acknowledges_again},
		{"the mark says what was taken", says_what_it_took},
		{"wrong positions", believes_no_nonsense},
		{"the rest goes the other way", sends_the_rest_once},
		{"no ack is taken back", takes_no_ack_back},
		{"and the replies", sends_the_replies_too},
		{"the link stays down", stays_down_until_parted},
		{"both agree anew", agrees_anew},
		{"rings that are cleared", clears_its_rings},
		{"rings that begin anew", sends_from_the_first_slot},
		{"lost again", is_lost_again},
	};

	return run_suite("kept", cases, sizeof(cases) / sizeof(cases[0]));
}
