/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

#include "base/env.h"
#include "base/rules.h"
#include "base/shares.h"
#include "base/state.h"
#include "base/types.h"
#include "base/wire.h"
#include "link/frame.h"
#include "mem/layout.h"
#include "mem/target.h"
#include "relay/dispatch.h"
#include "relay/request.h"
#include "relay/send.h"
#include "survive/reroute.h"
#include "survive/survive.h"
#include "rig.h"

/* rb_poll_rings() on hand-made links. What frames do not do, reach outside the segments, tests/fuzz
 * looks for. */

/* For host 2, which is counted there. */
static const struct rb_desc passing = {.op = RB_OP_AMO,
				       .flags = RB_DESC_COUNTED,
				       .dst_pe = 2,
				       .amo = RB_AMO_ADD | 8 << 4,
				       .arg = {1}};

static struct rb_tx *
onwards(void)
{
	return &rb.link[RB_PORT_NEXT].tx[RB_RING_TRANSIT(0)];
}

/* The neighbour there returns credits for @p n slots more, at most for all that were sent. */
static void
free_slots(uint32_t n)
{
	uint64_t *credit = &rb.link[RB_PORT_NEXT].mine->credit[RB_RING_TRANSIT(0)];

	*credit = RTE_MIN(*credit + n, (uint64_t)onwards()->pos);
}

/* Own frames of the neighbour enter the next link while half of the slots there are free, and on
 * two after others went, which then leave them to these for a while. */
static void
leaves_a_bubble(void)
{
	const struct rb_rx *own = &rb.link[RB_PORT_PREV].rx[0];
	unsigned int i, held = 0;
	uint32_t entered;

	set_up();
	for (i = 0; i < rb.slots; i++)
		feed(RB_PORT_PREV, 0, passing, NULL);
	serve_all();
	CU_ASSERT_EQUAL(onwards()->pos, rb.slots / 2 + 1);
	/* transit takes the last slot at last */
	for (i = 0; i < rb.slots; i++)
		feed(RB_PORT_PREV, RB_RING_TRANSIT(0), passing, NULL);
	for (i = 0; i < 2 * RB_HOLD; i++) {
		rb_poll_rings(0);
		held += onwards()->pos == rb.slots - 1;
	}
	CU_ASSERT(held >= RB_HOLD);
	CU_ASSERT_EQUAL(onwards()->pos, rb.slots);
	entered = own->pos;
	free_slots(1);
	CU_ASSERT_EQUAL(rb_poll_rings(0), RB_PROGRESS_STALL);
	CU_ASSERT_EQUAL(onwards()->pos, rb.slots);
	free_slots(1);
	CU_ASSERT_EQUAL(rb_poll_rings(0), RB_PROGRESS_WORK);
	CU_ASSERT_EQUAL(own->pos, entered + 1);
	CU_ASSERT_EQUAL(rb.link[RB_PORT_NEXT].overdrawn, 0);
}

/* Turns of an own request beside transit that never ends, where the next host frees @p slots in
 * each @p every turns. @return turns in which transit went first */
static unsigned int
turns_behind(uint32_t slots, unsigned int every, bool survives)
{
	const struct rb_rx *transit = &rb.link[RB_PORT_PREV].rx[RB_RING_TRANSIT(0)];
	const struct rb_rx *own = &rb.link[RB_PORT_PREV].rx[0];
	const struct rb_desc word = {.op = RB_OP_PUT, .dst_pe = 2, .chan = 1, .len = 8, .off = 64};
	unsigned int turn, behind = 0, fed = 0;
	uint32_t before;

	set_up_slots(1, RB_NOTIFY_MEMORY, 16);
	if (survives)
		begin_to_survive();
	for (turn = 0; turn < 1000 && own->pos == 0; turn++) {
		for (; fed < transit->pos + rb.slots; fed++)
			feed(RB_PORT_PREV, RB_RING_TRANSIT(0), passing, NULL);
		if (turn == 100)
			feed(RB_PORT_PREV, 0, passing, NULL);
		free_slots(turn % every == 0 ? slots : 0);
		before = transit->pos;
		rb_poll_rings(0);
		behind += turn >= 100 && own->pos == 0 && transit->pos != before;
	}
	CU_ASSERT_EQUAL(own->pos, 1);
	CU_ASSERT(every > 1 || turn <= 100 + 8);
	if (survives) { /* where all that goes on takes a slot */
		rb_survive_close();
		return behind;
	}
	/* a word to the next host's memory needs no slot there, and transit goes on */
	feed(RB_PORT_PREV, 1, word, NULL);
	before = transit->pos;
	free_slots(slots);
	rb_poll_rings(0);
	CU_ASSERT_EQUAL(rb.link[RB_PORT_PREV].rx[1].pos, 1);
	CU_ASSERT_NOT_EQUAL(transit->pos, before);
	return behind;
}

static void
takes_turns(void)
{
	uint32_t slots;
	unsigned int every;

	for (slots = 1; slots <= 16; slots++)
		for (every = 1; every <= 3; every++)
			CU_ASSERT(turns_behind(slots, every, false) <= 8);
	CU_ASSERT(turns_behind(1, 1, true) <= 8);
}

/* The turn of a ring ends behind a long frame, so that others go by in between. */
static void
long_frames(void)
{
	const struct rb_desc bulk = {.op = RB_OP_PUT, .dst_pe = 2, .len = RING_CHUNK, .off = 64};
	const struct rb_desc word = {.op = RB_OP_PUT, .dst_pe = 2, .chan = 1, .len = 8, .off = 64};
	const struct rb_rx *transit = &rb.link[RB_PORT_PREV].rx[RB_RING_TRANSIT(0)];
	unsigned int i;

	set_up_slots(1, RB_NOTIFY_MEMORY, 16);
	for (i = 0; i < rb.slots; i++)
		feed(RB_PORT_PREV, RB_RING_TRANSIT(0), bulk, NULL);
	for (i = 0; i < rb.slots; i++)
		feed(RB_PORT_PREV, 1, word, NULL);
	rb_poll_rings(0);
	CU_ASSERT_EQUAL(transit->pos, RB_LONG / RING_CHUNK);
	/* words, which count as much as one of them */
	CU_ASSERT_EQUAL(rb.link[RB_PORT_PREV].rx[1].pos, RING_CHUNK / RB_SHARE_LEAST + 1);
	for (i = 0; i < rb.slots; i++)
		rb_poll_rings(0);
	CU_ASSERT_EQUAL(transit->pos, rb.slots);
}

/* A word that its source waits for finds no long frames before it, whatever the transit ring holds:
 * not when it enters, nor when it goes on, nor on the way back. */
static void
words_apart(void)
{
	const struct rb_desc get = {.op = RB_OP_GET,
				    .flags = RB_DESC_WORD,
				    .src_pe = 2,
				    .dst_pe = 1,
				    .len = 8,
				    .off = 64,
				    .req = 9};
	struct rb_desc word = passing;
	const struct rb_desc *r;
	unsigned int i;

	set_up();
	word.flags = RB_DESC_WORD;
	for (i = 0; i < rb.slots; i++)
		feed(RB_PORT_PREV, RB_RING_TRANSIT(0), passing, NULL);
	for (i = 0; i < rb.slots; i++)
		feed(RB_PORT_PREV, 0, word, NULL);
	serve_all();
	CU_ASSERT_EQUAL(onwards()->pos, rb.slots);
	CU_ASSERT_EQUAL(rb.link[RB_PORT_PREV].rx[0].pos, rb.slots - 1);
	serve_one(RB_PORT_PREV, RB_RING_WORD(0), word, NULL);
	CU_ASSERT_EQUAL(rb.link[RB_PORT_NEXT].tx[RB_RING_WORD(0)].pos, rb.slots);
	*rb_seg_at(0, RB_SEG_HEAP, get.off) = 7;
	serve_one(RB_PORT_NEXT, RB_RING_WORD(0), get, NULL);
	r = out_desc(RB_PORT_NEXT, RB_RING_ANSWER(0), 0);
	CU_ASSERT(r->op == RB_OP_AMO_REPLY && r->flags == RB_DESC_WORD && r->value == 7);
	word = *r;
	word.dst_pe = 2;
	serve_one(RB_PORT_PREV, RB_RING_ANSWER(0), word, NULL);
	CU_ASSERT_EQUAL(out_desc(RB_PORT_NEXT, RB_RING_ANSWER(0), 1)->dst_pe, 2);
}

/* Nor does it wait for the end of a copy: a fetch adds to memory whose first half was copied. */
static void
words_within(void)
{
	const struct rb_desc get = {.op = RB_OP_GET, .dst_pe = 1, .len = 32768, .req = 9};
	struct rb_desc add = passing;
	unsigned int i;

	set_up_chunk(get.len);
	add.dst_pe = 1;
	add.off = get.len - 8;
	for (i = 0; i < 2; i++) {
		add.flags = i == 0 ? RB_DESC_COUNTED : RB_DESC_WORD;
		feed(RB_PORT_PREV, RB_RING_TRANSIT(0), get, NULL);
		feed(RB_PORT_PREV, 0, add, NULL);
		rb_poll_rings(0);
		CU_ASSERT_EQUAL(*rb_seg_at(0, RB_SEG_HEAP, add.off), i + 1);
		CU_ASSERT_EQUAL(
			rb.link[RB_PORT_PREV].tx[RB_RING_REPLY(0)].slot[i * get.len + add.off],
			2 * i);
	}
}

/* What a context has under way to a host, a request that went by rings of words would overtake. */
static void
words_alone(void)
{
	struct rb_ctx ctx = {.chan = 1};
	_Atomic uint32_t waits = 0;
	unsigned int cls;

	set_up();
	CU_ASSERT_EQUAL(rb_send_word(&ctx, 2, &waits), RB_DESC_WORD);
	CU_ASSERT_EQUAL(rb_send_word(&ctx, 2, &ctx.pending), 0);
	ctx.pending = 1;
	CU_ASSERT_EQUAL(rb_send_word(&ctx, 2, &waits), 0);
	ctx.pending = 0;
	for (cls = 0; cls < RB_CLS_MAX; cls++) {
		rb_flows[2][1].issued[cls] = 1;
		CU_ASSERT_EQUAL(rb_send_word(&ctx, 2, &waits), 0);
		CU_ASSERT_EQUAL(rb_send_word(&ctx, 0, &waits), RB_DESC_WORD);
		rb.link[cls].mine->ack[2][1][cls] = 1;
		CU_ASSERT_EQUAL(rb_send_word(&ctx, 2, &waits), RB_DESC_WORD);
	}
	begin_to_survive();
	CU_ASSERT_EQUAL(rb_send_word(&ctx, 2, &waits), 0);
	rb_survive_close();
}

/* Credits for frames that were not sent leave no room, and none will come. */
static void
overdrawn(void)
{
	set_up();
	/* it looks where it has seen no room */
	rb.link[RB_PORT_NEXT].tx[RB_RING_TRANSIT(0)].pos = rb.slots;
	rb.link[RB_PORT_NEXT].mine->credit[RB_RING_TRANSIT(0)] = rb.slots + 1;
	feed(RB_PORT_PREV, 0, passing, NULL);
	CU_ASSERT_NOT_EQUAL(rb_poll_rings(0), RB_PROGRESS_WORK);
	CU_ASSERT_NOT_EQUAL(rb.link[RB_PORT_NEXT].overdrawn, 0);
	CU_ASSERT_EQUAL(rb.link[RB_PORT_PREV].overdrawn, 0);
}

/* Requests that no host sends, for this one and others: nothing is done, and they are counted. */
static void
unsound(void)
{
	const struct rb_desc bad[] = {
		{.op = RB_OP_NONE, .dst_pe = 2},
		{.op = RB_OP_MAX, .dst_pe = 2},
		{.op = RB_OP_GET, .dst_pe = 2, .seg = RB_SEG_MAX},
		{.op = RB_OP_GET, .dst_pe = 2, .chan = RB_MAX_CHANNELS},
		{.op = RB_OP_GET, .dst_pe = 2, .src_pe = 3},
		{.op = RB_OP_GET, .dst_pe = 3},
		{.op = RB_OP_GET, .dst_pe = 2, .len = UINT32_MAX},
		{.op = RB_OP_PUT, .dst_pe = 1, .len = 8, .off = UINT64_MAX - 4},
		{.op = RB_OP_PUT, .dst_pe = 2, .len = 8, .off = UINT64_MAX - 4},
		{.op = RB_OP_GET, .dst_pe = 1, .len = 8, .off = UINT64_MAX - 4},
		{.op = RB_OP_AMO, .dst_pe = 1, .amo = RB_AMO_ADD | 3 << 4, .len = 3},
		{.op = RB_OP_AMO, .dst_pe = 1, .len = (RB_GATHER + 1) * RB_PART},
		{.op = RB_OP_ACK, .dst_pe = 1},
		{.op = RB_OP_PUT, .flags = RB_DESC_WORD, .dst_pe = 2, .len = RB_INLINE + 1},
		{.op = RB_OP_GET, .flags = RB_DESC_WORD, .dst_pe = 1, .len = RB_INLINE},
	};
	uint64_t i;

	set_up();
	for (i = 0; i < RTE_DIM(bad); i++) {
		serve_one(RB_PORT_PREV, 0, bad[i], NULL);
		CU_ASSERT_EQUAL(rb.link[RB_PORT_PREV].relayed[0].dropped, i + 1);
	}
}

/* Fetches that come in one frame are all executed, and have one answer; or one is not sound. */
static void
gathered(void)
{
	const struct rb_amo add = {.op = RB_AMO_FADD, .size = 8, .operand = 3};
	struct rb_desc d = {.op = RB_OP_AMO, .dst_pe = 1, .req = 9, .len = 2 * RB_PART};
	struct rb_target t = {.pe = 1};
	uint64_t parts[8];

	set_up();
	rb_frame_part(parts, &t, &add);
	rb_frame_part(parts + 4, &t, &add);
	serve_one(RB_PORT_PREV, 0, d, parts);
	CU_ASSERT_EQUAL(rb.link[RB_PORT_PREV].tx[RB_RING_REPLY(0)].slot[8], 3);
	t.pe = 2;
	rb_frame_part(parts + 4, &t, &add);
	serve_one(RB_PORT_PREV, 0, d, parts);
	CU_ASSERT_EQUAL(rb.link[RB_PORT_PREV].relayed[0].dropped, 1);
}

/* Channel 1 belongs to the second service lcore: the first does not see its frames, and replies
 * and transit of the two have rings of their own. */
static void
groups(void)
{
	static const struct rb_desc get = {
		.op = RB_OP_GET, .dst_pe = 1, .len = 8, .off = 8, .req = 9, .chan = 1};
	struct rb_desc amo = passing;

	amo.chan = 1;
	set_up_groups(2, RB_NOTIFY_MEMORY);
	feed(RB_PORT_PREV, 1, get, NULL);
	CU_ASSERT_EQUAL(rb_poll_rings(0), RB_PROGRESS_IDLE);
	CU_ASSERT_EQUAL(rb_poll_rings(1), RB_PROGRESS_WORK);
	CU_ASSERT_EQUAL(out_desc(RB_PORT_PREV, RB_RING_REPLY(1), 0)->op, RB_OP_GET_REPLY);
	CU_ASSERT_EQUAL(out_desc(RB_PORT_PREV, RB_RING_REPLY(1), 0)->chan, 1);
	CU_ASSERT_EQUAL(out_desc(RB_PORT_PREV, RB_RING_REPLY(0), 0)->seq, 0);
	feed(RB_PORT_PREV, 1, amo, NULL);
	CU_ASSERT_EQUAL(rb_poll_rings(0), RB_PROGRESS_IDLE);
	CU_ASSERT_EQUAL(rb_poll_rings(1), RB_PROGRESS_WORK);
	CU_ASSERT_EQUAL(out_desc(RB_PORT_NEXT, RB_RING_TRANSIT(1), 0)->op, RB_OP_AMO);
	/* one that says it is of the other group is dropped */
	serve_one(RB_PORT_PREV, 0, amo, NULL);
	CU_ASSERT_EQUAL(out_desc(RB_PORT_NEXT, RB_RING_TRANSIT(0), 0)->seq, 0);
	CU_ASSERT_EQUAL(out_desc(RB_PORT_NEXT, RB_RING_TRANSIT(1), 1)->seq, 0);
}

/* A ring is read only after its doorbell, and again without one where it was not emptied. */
static void
doorbells(void)
{
	const struct rb_desc put = {.op = RB_OP_PUT, .dst_pe = 1, .len = 8, .off = 64};
	unsigned int i;

	set_up_groups(1, RB_NOTIFY_DOORBELL);
	rb_groups[0].bells = RB_DB_CHAN(0) | RB_DB_CHAN(1);
	feed(RB_PORT_PREV, 1, put, NULL);
	CU_ASSERT_EQUAL(rb_poll_rings(0), RB_PROGRESS_IDLE);
	pending[RB_PORT_PREV] = RB_DB_CHAN(0) | RB_DB_CUT;
	CU_ASSERT_EQUAL(rb_poll_rings(0), RB_PROGRESS_IDLE);
	pending[RB_PORT_PREV] |= RB_DB_CHAN(1);
	CU_ASSERT_EQUAL(rb_poll_rings(0), RB_PROGRESS_WORK);
	CU_ASSERT_EQUAL(pending[RB_PORT_PREV], RB_DB_CUT);
	/* a relay rings on; what does not fit stays due */
	for (i = 0; i < rb.slots; i++)
		feed(RB_PORT_PREV, 0, passing, NULL);
	pending[RB_PORT_PREV] = RB_DB_CHAN(0);
	serve_all();
	CU_ASSERT_EQUAL(rung[RB_PORT_NEXT], RB_DB_CHAN(0));
	CU_ASSERT_EQUAL(pending[RB_PORT_PREV], 0);
	CU_ASSERT_EQUAL(onwards()->pos, rb.slots / 2 + 1);
	free_slots(rb.slots);
	CU_ASSERT_EQUAL(rb_poll_rings(0), RB_PROGRESS_WORK);
	CU_ASSERT_EQUAL(onwards()->pos, rb.slots);
	CU_ASSERT_EQUAL(rb_poll_rings(0), RB_PROGRESS_IDLE);
}

TEST_PROGRAM("dispatch", NULL, ring_tear_down,
	     {"entering a transit ring leaves a bubble", leaves_a_bubble},
	     {"an own request beside endless transit", takes_turns},
	     {"long requests beside others", long_frames},
	     {"words in rings of their own", words_apart}, {"a word within a copy", words_within},
	     {"and with nothing before it", words_alone},
	     {"credits for frames that were not sent", overdrawn},
	     {"requests that no host sends", unsound}, {"fetches of one frame", gathered},
	     {"groups of channels", groups}, {"doorbells", doorbells})
