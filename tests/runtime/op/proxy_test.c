/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <rte_ring.h>

#include "base/link.h"
#include "base/rules.h"
#include "base/state.h"
#include "base/types.h"
#include "base/wire.h"
#include "host/hostseg.h"
#include "host/proxy_client.h"
#include "host/proxy_queue.h"
#include "mem/layout.h"
#include "mem/target.h"
#include "op/order.h"
#include "op/proxy.h"
#include "cases.h"
#include "eal.h"
#include "ring_host.h"
#include "relay/request.h"

/*
 * What PEs without ports hand to their lead. This process plays the lead of host 1 (ring_host.h),
 * and by turns the PEs of its host.
 */

enum {
	LOCALS = 70, /* more than a word of bits */
	HOSTS = 3,
	FAR = 2 * LOCALS, /* a PE of host 2 */
	FARTHER = 0,	  /* of host 0, beyond that one */
	SECONDS = 20	  /* a post that waits for another PE never ends */
};

static uint32_t taken;

static void
set_up(void)
{
	ring_set_up(&(struct ring_shape){HOSTS, LOCALS, .slots = 256, .links = 1u << RB_PORT_NEXT});
	taken = 0;
	CU_ASSERT_EQUAL_FATAL(rb_proxy_init(), 0);
	set_limit(SECONDS, "proxy_test: a PE still waits for room, or for its lead, after 20 s\n");
}

static void
tear_down(void)
{
	set_limit(0, "");
	ring_tear_down();
}

/* As PE @p local of this host: add @p value, for which nobody waits. */
static void
hand(unsigned int local, uint64_t value)
{
	const struct rb_amo add = {.op = RB_AMO_ADD, .size = 8, .operand = value};
	struct rb_target t;

	CU_ASSERT_EQUAL_FATAL(rb_target(&t, FAR, rb_mem.heap, 8), 0);
	rb.local = (int)local;
	rb_proxy_amo(rb_ctx_default, &t, &add, NULL);
	rb.local = 0;
}

/* The frame that left next; NULL: none did. */
static const struct rb_desc *
sent(void)
{
	const struct rb_tx *tx = &rb.link[RB_PORT_NEXT].tx[0];

	return taken == tx->pos ? NULL : &tx->desc[taken++ & (rb.slots - 1)];
}

/* Its operand. */
static uint64_t
left(void)
{
	const struct rb_desc *d = sent();

	return d == NULL ? 0 : d->arg[0];
}

/* The lead takes an operation, and its frame leaves. */
static void
serves(uint64_t value)
{
	CU_ASSERT_TRUE(rb_proxy_serve());
	CU_ASSERT_EQUAL(left(), value);
}

/* Between the two halves of an enqueue, and never to go on. */
static void
stop_in_enqueue(unsigned int local)
{
	struct rte_ring *r = (struct rte_ring *)rb_hostseg->ring[local];

	r->prod.head++;
	atomic_fetch_or(&rb_hostseg->posts[local / 64], 1ull << local % 64);
}

static void
survives_stopped(void)
{
	unsigned int i;

	hand(1, 11);
	stop_in_enqueue(1);
	stop_in_enqueue(66);
	for (i = 0; i < 3; i++) {
		hand(2, 20 + i);
		hand(67, 670 + i);
	}
	for (i = 0; i < 7; i++)
		CU_ASSERT_TRUE(rb_proxy_serve());
	CU_ASSERT_FALSE(rb_proxy_serve());
	CU_ASSERT_TRUE(rb_proxy_idle());
	CU_ASSERT_EQUAL(left(), 11);
	for (i = 0; i < 3; i++) {
		CU_ASSERT_EQUAL(left(), 20 + i);
		CU_ASSERT_EQUAL(left(), 670 + i);
	}
	CU_ASSERT_EQUAL(left(), 0);
	CU_ASSERT_EQUAL(atomic_load(&rb_hostseg->pe[1].done), 1);
	CU_ASSERT_EQUAL(atomic_load(&rb_hostseg->pe[2].done), 3);
	CU_ASSERT_EQUAL(atomic_load(&rb_hostseg->pe[67].done), 3);
}

/* A PE that has much to hand over does not put off the others. */
static void
takes_turns(void)
{
	static const unsigned int late[] = {1, 63, 64, 69};
	unsigned int i, k;

	for (i = 0; i < 100; i++)
		hand(5, 500 + i);
	serves(500);
	for (k = 0; k < 4; k++)
		for (i = 0; i < 2; i++)
			hand(late[k], 1000 * late[k] + i);
	for (i = 0; i < 2; i++) {
		for (k = 1; k < 4; k++) {
			serves(1000 * late[k] + i);
		}
		serves(1000 * late[0] + i);
		serves(501 + i);
	}
	for (i = 3; i < 100; i++) {
		serves(500 + i);
	}
	CU_ASSERT_TRUE(!rb_proxy_serve() && rb_proxy_idle());
}

/* The bell rings for a lead that sleeps, and only then; what it is rung for is found. */
static void
rings_for_sleeper(void)
{
	uint32_t before, after;

	CU_ASSERT_TRUE(rb_proxy_idle());
	CU_ASSERT_PTR_NOT_NULL_FATAL(rb_proxy_word(&before));
	hand(3, 31);
	rb_proxy_word(&after);
	CU_ASSERT_EQUAL(after, before);
	CU_ASSERT_FALSE(rb_proxy_idle());
	CU_ASSERT_TRUE(rb_proxy_serve());
	CU_ASSERT_FALSE(rb_proxy_serve());
	rb_proxy_ask(true);
	CU_ASSERT_TRUE(rb_proxy_idle());
	hand(3, 32);
	rb_proxy_word(&after);
	CU_ASSERT_NOT_EQUAL(after, before);
	CU_ASSERT_FALSE(rb_proxy_idle());
	rb_proxy_ask(false);
	serves(31);
	CU_ASSERT_EQUAL(left(), 32);
}

/* As PE @p local: get so much from far away to its heap, and do not wait. */
static void
ask_for(unsigned int local, size_t len)
{
	struct rb_target t;

	CU_ASSERT_EQUAL_FATAL(rb_target(&t, FARTHER, rb_mem.heap, len), 0);
	rb.local = (int)local;
	rb_proxy_get(rb_ctx_default, &t, rb_mem.heap, len, true);
	rb.local = 0;
}

static void
answer(const struct rb_desc *get, int byte)
{
	const struct rb_desc data = {.op = RB_OP_GET_REPLY, .len = get->len, .req = get->req};
	uint8_t payload[RING_CHUNK];

	memset(payload, byte, sizeof(payload));
	rb_req_finish(&data, payload);
}

static uint64_t
done(unsigned int local)
{
	return atomic_load(&rb_hostseg->pe[local].done);
}

/* A get that waits for its reply holds up its own PE's next operation, and that of no other PE. */
static void
waits_for_no_reply(void)
{
	const struct rb_desc *get;

	ask_for(1, 100);
	hand(1, 11);
	hand(2, 22);
	CU_ASSERT_TRUE(rb_proxy_serve());
	get = sent();
	CU_ASSERT_PTR_NOT_NULL_FATAL(get);
	CU_ASSERT_EQUAL(get->op, RB_OP_GET);
	serves(22);
	CU_ASSERT_EQUAL(done(1), 0);
	CU_ASSERT_EQUAL(done(2), 1);
	CU_ASSERT_TRUE(rb_proxy_idle());
	CU_ASSERT_FALSE(rb_proxy_serve());
	hand(2, 23);
	serves(23);

	answer(get, 'a');
	CU_ASSERT_EQUAL(done(1), 1);
	CU_ASSERT_EQUAL(rb_seg_at(1, RB_SEG_HEAP, 0)[99], 'a');
	CU_ASSERT_FALSE(rb_proxy_idle());
	serves(11);
	CU_ASSERT_EQUAL(done(1), 2);
	CU_ASSERT_TRUE(!rb_proxy_serve() && rb_proxy_idle());
}

/* Many replies make one operation. It is finished after the last, in whatever order they come. */
static void
ends_after_last(void)
{
	const struct rb_desc *get[2][3];
	unsigned int i, k;

	for (k = 0; k < 2; k++)
		ask_for(7 + k, 2 * RING_CHUNK + 8);
	for (k = 0; k < 2; k++) {
		CU_ASSERT_TRUE(rb_proxy_serve());
		for (i = 0; i < 3; i++) {
			get[k][i] = sent();
			CU_ASSERT_PTR_NOT_NULL_FATAL(get[k][i]);
		}
	}
	answer(get[1][2], 'z');
	answer(get[0][1], 'b');
	answer(get[1][0], 'x');
	answer(get[0][2], 'c');
	CU_ASSERT_EQUAL(done(7) + done(8), 0);
	answer(get[1][1], 'y');
	CU_ASSERT_EQUAL(done(7), 0);
	CU_ASSERT_EQUAL(done(8), 1);
	answer(get[1][1], 'Y');
	CU_ASSERT_EQUAL(done(7), 0);
	CU_ASSERT_EQUAL(done(8), 1);
	answer(get[0][0], 'a');
	CU_ASSERT_EQUAL(done(7), 1);
	for (i = 0; i < 3; i++) {
		CU_ASSERT_EQUAL(rb_seg_at(7, RB_SEG_HEAP, 0)[i * RING_CHUNK], 'a' + i);
		CU_ASSERT_EQUAL(rb_seg_at(8, RB_SEG_HEAP, 0)[i * RING_CHUNK], 'x' + i);
	}
}

/* What waits behind a reply wakes a lead that fell asleep meanwhile. */
static void
rings_for_reply(void)
{
	const struct rb_desc *get;
	uint32_t before, after;

	ask_for(3, 8);
	CU_ASSERT_TRUE(rb_proxy_serve());
	get = sent();
	CU_ASSERT_PTR_NOT_NULL_FATAL(get);
	hand(3, 33);
	rb_proxy_word(&before);
	rb_proxy_ask(true);
	CU_ASSERT_TRUE(rb_proxy_idle());
	answer(get, 'r');
	rb_proxy_word(&after);
	CU_ASSERT_NOT_EQUAL(after, before);
	CU_ASSERT_FALSE(rb_proxy_idle());
	rb_proxy_ask(false);
	CU_ASSERT_TRUE(rb_proxy_serve());
	CU_ASSERT_EQUAL(left(), 33);
}

/* A process as PE @p local, which fetches and expects @p value. */
static pid_t
fetcher(unsigned int local, uint64_t value)
{
	const struct rb_amo fetch = {.op = RB_AMO_FETCH, .size = 8};
	struct rb_target t;
	uint64_t got = 0;
	pid_t pid;

	CU_ASSERT_EQUAL_FATAL(rb_target(&t, FAR, rb_mem.heap, 8), 0);
	pid = fork();
	if (pid != 0)
		return pid;
	rb.local = (int)local;
	alarm(SECONDS);
	rb_proxy_amo(rb_ctx_default, &t, &fetch, &got);
	_exit(got != value);
}

/* Fetches of two PEs are both under way before either is answered, the later one first. */
static void
fetches_at_once(void)
{
	static const unsigned int locals[] = {4, 68};
	const struct rb_desc *asked[2];
	pid_t pid[2];
	int status;
	unsigned int k;

	for (k = 0; k < 2; k++) {
		pid[k] = fetcher(locals[k], 100 + k);
		CU_ASSERT_FATAL(pid[k] > 0);
		while (!rb_proxy_serve())
			usleep(100);
		asked[k] = sent();
		CU_ASSERT_PTR_NOT_NULL_FATAL(asked[k]);
		CU_ASSERT_EQUAL(asked[k]->op, RB_OP_AMO);
	}
	for (k = 2; k-- > 0;) {
		const struct rb_desc value = {
			.op = RB_OP_AMO_REPLY, .len = 8, .req = asked[k]->req, .arg = {100 + k}};

		rb_req_finish(&value, NULL);
		CU_ASSERT_EQUAL(waitpid(pid[k], &status, 0), pid[k]);
		CU_ASSERT_EQUAL(status, 0);
	}
}

/* A process as a PE that puts private memory, which it changes then, and where @p gets has that,
 * gets it back there. */
static pid_t
private_putter(const struct rb_target *t, size_t len, bool gets)
{
	pid_t pid = fork();
	uint8_t *mine;
	size_t i;

	if (pid != 0)
		return pid;
	rb.local = 6;
	alarm(SECONDS);
	mine = malloc(len);
	for (i = 0; i < len; i++)
		mine[i] = (uint8_t)(i * 7 + (i >> 12));
	rb_proxy_put(rb_ctx_default, t, mine, len, false);
	memset(mine, 0xee, len);
	if (gets)
		rb_proxy_get(rb_ctx_default, t, mine, len, false);
	for (i = 0; i < len; i++)
		if (mine[i] != (gets ? (uint8_t)(i * 7 + (i >> 12)) : 0xee))
			_exit(1);
	_exit(0);
}

/* A put of private memory needs no lead, as long as the buffer has room. One that is longer waits
 * until the lead has taken the pieces before; so does a get. */
static void
copies_private(void)
{
	const size_t room = RB_BOUNCES * RB_BOUNCE, more = room + RB_BOUNCE + 100;
	const uint8_t *there;
	struct rb_target t;
	int status;
	pid_t pid;
	size_t i;

	CU_ASSERT_EQUAL_FATAL(rb_target(&t, FAR, rb_mem.heap, more), 0);
	there = rb_direct(&t);
	pid = private_putter(&t, room, false);
	CU_ASSERT_EQUAL(waitpid(pid, &status, 0), pid);
	CU_ASSERT_EQUAL(status, 0);
	for (i = 0; i < RB_BOUNCES; i++)
		CU_ASSERT_TRUE(rb_proxy_serve());
	CU_ASSERT_FALSE(rb_proxy_serve());
	for (i = 0; i < room && there[i] == (uint8_t)(i * 7 + (i >> 12)); i++)
		;
	CU_ASSERT_EQUAL(i, room);
	pid = private_putter(&t, more, true);
	while (waitpid(pid, &status, WNOHANG) == 0) {
		usleep(2000); /* it has gone on as far as it may */
		rb_proxy_serve();
	}
	CU_ASSERT_EQUAL(status, 0);
}

/* A get by way of the cell takes no more than the cell has: behind it is the next PE's line. The
 * lead is said to have finished already, so what the caller receives is what the cell holds. */
static void
stays_in_cell(void)
{
	const size_t cell = sizeof(rb_hostseg->pe[1].value);
	struct rb_target t;
	uint8_t *got;
	size_t len;

	got = (uint8_t *)rb_mem.heap;
	CU_ASSERT_EQUAL_FATAL(rb_target(&t, FAR, rb_mem.heap, 2 * cell), 0);
	for (len = cell - 1; len <= cell + 9; len++) {
		memset(got, 0x11, 2 * cell);
		memset(rb_hostseg->pe[1].value, 0x22, cell);
		atomic_store(&rb_hostseg->pe[1].done, UINT64_MAX);
		rb.local = 1;
		rb_proxy_get(rb_ctx_default, &t, got, len, false);
		rb.local = 0;
		CU_ASSERT_EQUAL(got[0], len <= cell ? 0x22 : 0x11);
		CU_ASSERT_EQUAL(got[len - 1], got[0]);
	}
}

static int
start(void)
{
	return start_eal(NULL);
}

TEST_PROGRAM_AROUND("proxy", start, NULL, set_up, tear_down,
		    {"a get stays inside the PE's cell", stays_in_cell},
		    {"a PE that is stopped in an enqueue holds up nobody", survives_stopped},
		    {"PEs take turns", takes_turns},
		    {"private memory goes through a buffer", copies_private},
		    {"the bell rings for a lead that sleeps", rings_for_sleeper},
		    {"nobody waits for another PE's reply", waits_for_no_reply},
		    {"an operation ends after its last reply", ends_after_last},
		    {"a reply wakes a lead that has more to do", rings_for_reply},
		    {"fetches of two PEs are under way at once", fetches_at_once})
