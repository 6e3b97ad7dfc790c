/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <stdbool.h>
#include <string.h>

#include "base/route.h"
#include "base/deal.h"
#include "base/rules.h"
#include "base/state.h"
#include "base/types.h"
#include "base/wire.h"
#include "mem/fastpath.h"
#include "mem/layout.h"
#include "op/atomic.h"
#include "op/order.h"
#include "op/put.h"
#include "cases.h"
#include "ring_host.h"

/*
 * The fast path to a neighbour's memory: closed by a fence after a frame that the neighbour has
 * yet to execute, and open again once it has. This process is host 1 (ring_host.h).
 */

/* Each of @p hosts has so many PEs; this process is the first one of host 1. */
static void
set_up(int hosts, int each)
{
	ring_set_up(&(struct ring_shape){hosts, each, .slots = 8, .links = RING_BOTH});
	rb_fast_fill();
}

static bool
is_near(int pe)
{
	void *at;

	return rb_fast_word(pe, rb_mem.heap + 64, &at);
}

/* An atomic to PE 2: a frame that the neighbour has yet to execute. */
static void
send_atomic(struct rb_ctx *ctx)
{
	const struct rb_amo add = {.op = RB_AMO_ADD, .size = 8, .operand = 1};

	CU_ASSERT_EQUAL(rb_amo(ctx, 2, rb_mem.heap, &add, NULL, false), 0);
}

static void
executed(uint64_t n)
{
	rb.link[RB_PORT_NEXT].mine->ack[2][0][RB_CLS_EXECUTED] = n;
}

static void
closes_and_opens(void)
{
	uint64_t word = 7;

	set_up(3, 1);
	CU_ASSERT_TRUE(is_near(0) && is_near(2));
	rb_fence(rb_ctx_default);
	CU_ASSERT_TRUE(is_near(2));
	send_atomic(rb_ctx_default);
	CU_ASSERT_TRUE(is_near(2));
	rb_fence(rb_ctx_default);
	CU_ASSERT_FALSE(is_near(2));
	CU_ASSERT_TRUE(is_near(0));
	/* another context may store, and does not open the way for this one */
	struct rb_ctx *other = rb_ctx_create();

	CU_ASSERT_EQUAL(rb_put(other, 2, rb_mem.heap + 8, &word, 8), 0);
	CU_ASSERT_FALSE(is_near(2));
	executed(1);
	CU_ASSERT_EQUAL(rb_put(rb_ctx_default, 2, rb_mem.heap + 64, &word, 8), 0);
	CU_ASSERT_EQUAL(*(uint64_t *)(void *)(beyond[RB_PORT_NEXT] + rb_mem.lay.heap + 64), 7);
	CU_ASSERT_TRUE(is_near(2));
	/* what is done already closes nothing */
	rb_fence(rb_ctx_default);
	CU_ASSERT_TRUE(is_near(2));
	send_atomic(rb_ctx_default);
	rb_fence(rb_ctx_default);
	CU_ASSERT_FALSE(is_near(2));
	executed(2);
	rb_ctx_destroy(other);
}

/* A pass of a program that closes the way, and would open it with the next put. */
static bool
is_near_after(struct rb_ctx *ctx, uint64_t executions, int far)
{
	const struct rb_amo add = {.op = RB_AMO_ADD, .size = 8, .operand = 1};
	uint64_t word = 7;

	CU_ASSERT_EQUAL(rb_amo(ctx, far, rb_mem.heap, &add, NULL, false), 0);
	rb_fence(ctx);
	CU_ASSERT_FALSE(is_near(far));
	rb.link[RB_PORT_NEXT].mine->ack[2][1][RB_CLS_EXECUTED] = executions;
	CU_ASSERT_EQUAL(rb_put(ctx, far, rb_mem.heap + 64, &word, 8), 0);
	return is_near(far);
}

/* What opening costs for many PEs is shared by the puts that wanted it. */
static void
opens_for_many(void)
{
	enum {
		EACH = 40,
		PASSES = 6 /* as many frames as fit without credits */
	};
	struct rb_ctx ctx = {.chan = 1};
	uint64_t i;

	set_up(3, EACH);
	executed(UINT32_MAX); /* what other cases sent on channel 0 */
	for (i = 1; i <= PASSES; i++) {
		CU_ASSERT_EQUAL(is_near_after(&ctx, i, 2 * EACH + 1), i % 3 == 0);
		CU_ASSERT_EQUAL(is_near(2 * EACH), i % 3 == 0);
		CU_ASSERT_EQUAL(is_near(3 * EACH - 1), i % 3 == 0);
		CU_ASSERT_TRUE(is_near(0) && is_near(EACH) && is_near(2 * EACH - 1));
	}
}

/* To a host beyond the neighbours there is no fast path: nothing to close, nothing to open. */
static void
never_opens_far(void)
{
	set_up(4, 1);
	rb_routes[3] = (struct rb_route){RB_PORT_NEXT, 2};
	rb_fast_fill();
	CU_ASSERT_FALSE(is_near(3));
	rb_fast_close(3, 0, 1);
	rb_fast_open(3);
	CU_ASSERT_FALSE(is_near(3));
	rb_fast_open(2);
	CU_ASSERT_TRUE(is_near(2));
}

enum {
	FROM = 64,
	STORE_MOST = RB_FAST_MAX + 300,
};

/* As memmove() does it in a copy of the same bytes, and nothing beside them. */
static bool
stores_as_moves(size_t to, size_t len)
{
	static uint8_t at[STORE_MOST + 2 * FROM], want[sizeof(at)];
	size_t i;

	for (i = 0; i < sizeof(at); i++)
		at[i] = want[i] = (uint8_t)(i * 7 + i / 256);
	memmove(want + to, want + FROM, len);
	rb_store(at + to, at + FROM, len);
	return memcmp(at, want, sizeof(at)) == 0;
}

static void
stores_each_length(void)
{
	size_t len, to;

	for (len = 0; len < STORE_MOST; len += len == 300 ? RB_FAST_MAX - 400 : 1)
		for (to = FROM - 9; to < FROM + 10; to += 3)
			if (!stores_as_moves(to, len))
				CU_FAIL_FATAL("bytes stored wrong");
}

/* Before rb_fast_fill() as any CPU can, then as this one can. So it is the first case. */
static void
stores_whole(void)
{
	stores_each_length();
	set_up(3, 1);
	stores_each_length();
}

TEST_PROGRAM("fast path", NULL, ring_tear_down, {"a store has all its bytes", stores_whole},
	     {"a fence closes the fast path until frames are executed", closes_and_opens},
	     {"opening is shared by the puts that want it", opens_for_many},
	     {"no fast path to a host that is not a neighbour", never_opens_far})
