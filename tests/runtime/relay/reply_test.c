/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <string.h>

#include "base/route.h"
#include "base/rules.h"
#include "base/state.h"
#include "base/wire.h"
#include "mem/layout.h"
#include "relay/dispatch.h"
#include "relay/request.h"
#include "rig.h"

/* rb_poll_rings() on hand-made links: gets, and the ways of their answers. */

/* The answer to a get goes to its final place where the asker is a neighbour and has named it. */
static void
places_answer(void)
{
	struct rb_desc get = {.op = RB_OP_GET,
			      .flags = RB_DESC_REMOTE_STORE,
			      .src_pe = 2,
			      .dst_pe = 1,
			      .len = 200,
			      .off = 8,
			      .req = 9};
	const struct rb_desc *r;
	const uint8_t *there, *slot;
	unsigned int i;

	memset(rb_mem.heap + 8, 0x77, 200);
	get.reply_off = rb_mem.lay.size - 200;
	there = beyond[RB_PORT_NEXT] + get.reply_off;
	slot = rb.link[RB_PORT_NEXT].tx[RB_RING_REPLY(0)].slot;
	serve_one(RB_PORT_NEXT, 1, get, NULL);
	r = out_desc(RB_PORT_NEXT, RB_RING_REPLY(0), 0);
	CU_ASSERT_EQUAL(r->op, RB_OP_GET_REPLY);
	CU_ASSERT_EQUAL(r->flags, RB_DESC_STORED);
	CU_ASSERT_EQUAL(r->req, 9);
	CU_ASSERT_EQUAL(r->len, 200);
	CU_ASSERT_EQUAL(memcmp(there, rb_mem.heap + 8, 200), 0);
	CU_ASSERT_EQUAL(slot[0], 0);
	/* outside of what belongs to PEs, it stays a frame with a payload */
	for (i = 0; i < 3; i++) {
		get.reply_off = i == 0	 ? rb_mem.lay.heap - 1
				: i == 1 ? rb_mem.lay.size - 199
					 : UINT64_MAX;
		serve_one(RB_PORT_NEXT, 1, get, NULL);
		r = out_desc(RB_PORT_NEXT, RB_RING_REPLY(0), 1 + i);
		CU_ASSERT_EQUAL(r->flags & RB_DESC_STORED, 0);
		CU_ASSERT_EQUAL(memcmp(slot + (1 + i) * rb.chunk, rb_mem.heap + 8, 200), 0);
	}
	CU_ASSERT_EQUAL(beyond[RB_PORT_NEXT][rb_mem.lay.heap - 1], 0);
	/* nor where the window shows another host's memory */
	get.reply_off = rb_mem.lay.heap;
	get.src_pe = 0;
	rb_backs[RB_PORT_NEXT][0] = RB_PORT_NEXT; /* as in a ring of more hosts */
	serve_one(RB_PORT_NEXT, 1, get, NULL);
	r = out_desc(RB_PORT_NEXT, RB_RING_REPLY(0), 4);
	CU_ASSERT_EQUAL(r->flags, RB_DESC_REMOTE_STORE);
	CU_ASSERT_EQUAL(r->reply_off, rb_mem.lay.heap);
	CU_ASSERT_EQUAL(beyond[RB_PORT_NEXT][rb_mem.lay.heap], 0);
	/* what cannot be announced is not stored yet */
	get.src_pe = 2;
	for (i = 0; i < 4; i++)
		feed(RB_PORT_NEXT, 1, get, NULL);
	serve_all();
	CU_ASSERT_EQUAL(rb.link[RB_PORT_NEXT].tx[RB_RING_REPLY(0)].pos, rb.slots - 1);
	memset(beyond[RB_PORT_NEXT] + rb_mem.lay.heap, 0, 200);
	CU_ASSERT_EQUAL(rb_poll_rings(0), RB_PROGRESS_STALL);
	CU_ASSERT_EQUAL(beyond[RB_PORT_NEXT][rb_mem.lay.heap], 0);
}

static void
places_relayed_answer(void)
{
	struct rb_desc data = {.op = RB_OP_GET_REPLY,
			       .flags = RB_DESC_REMOTE_STORE,
			       .src_pe = 0,
			       .dst_pe = 2,
			       .len = 100,
			       .req = 9};
	const struct rb_desc *r;
	uint8_t payload[100];

	memset(payload, 0x44, sizeof(payload));
	data.reply_off = rb_mem.lay.heap + 4096;
	serve_one(RB_PORT_PREV, RB_RING_REPLY(0), data, payload);
	r = out_desc(RB_PORT_NEXT, RB_RING_REPLY(0), 0);
	CU_ASSERT_EQUAL(r->flags, RB_DESC_STORED);
	CU_ASSERT_EQUAL(r->req, 9);
	CU_ASSERT_EQUAL(memcmp(beyond[RB_PORT_NEXT] + data.reply_off, payload, 100), 0);
	CU_ASSERT_EQUAL(rb.link[RB_PORT_NEXT].tx[RB_RING_REPLY(0)].slot[0], 0);
}

/* Only a get that has offered a place ends without a payload. */
static void
takes_answer(void)
{
	struct rb_req *req = &rb_requests.req[0];
	const struct rb_desc data = {
		.op = RB_OP_GET_REPLY, .dst_pe = 1, .len = 100, .req = 1 << 8 | 1};
	struct rb_desc placed = data;
	_Atomic uint32_t left = 1;
	uint8_t payload[100], to[100] = {0};

	memset(payload, 0x33, sizeof(payload));
	placed.flags = RB_DESC_STORED;
	rb_requests.claimed[0] = 1;
	*req = (struct rb_req){.dst = to, .len = 100, .id = data.req, .pending = &left};
	serve_one(RB_PORT_PREV, RB_RING_REPLY(0), placed, payload);
	CU_ASSERT_EQUAL(left, 1);
	serve_one(RB_PORT_PREV, RB_RING_REPLY(0), data, payload);
	CU_ASSERT_EQUAL(left, 0);
	CU_ASSERT_EQUAL(memcmp(to, payload, 100), 0);
	/* given back */
	CU_ASSERT_EQUAL(rb_requests.claimed[0], 0);
	left = 1;
	rb_requests.claimed[0] = 1;
	req->pending = &left;
	req->remote_store = true;
	memset(to, 0, sizeof(to));
	serve_one(RB_PORT_PREV, RB_RING_REPLY(0), placed, payload);
	CU_ASSERT_EQUAL(left, 0);
	CU_ASSERT_EQUAL(to[0], 0);
	CU_ASSERT_EQUAL(rb_requests.claimed[0], 0);
}

TEST_PROGRAM("reply", set_up, ring_tear_down, {"its answer is placed", places_answer},
	     {"the last relay places an answer", places_relayed_answer},
	     {"an answer ends its get", takes_answer})
