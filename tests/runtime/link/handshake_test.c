/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * The handshake on one cable, whose other end this test plays: what it proves before the link
 * counts as up.
 */
#include <errno.h>
#include <string.h>

#include "base/env.h"
#include "base/error.h"
#include "base/link.h"
#include "base/state.h"
#include "base/wire.h"
#include "link/handshake.h"
#include "link/hello.h"
#include "mem/layout.h"
#include "mem/settings.h"
#include "cases.h"
#include "ring_host.h"

enum {
	JOB = 0x1234,
	PEER_TOKEN = 0x77,
};

/* The port, and what it does. */
static uint32_t words[RB_SPAD_COUNT];
static uint32_t first_token; /* as first written; returns none: see exchange_hello() */
static uint64_t breaks;
static unsigned int reads, breaks_at; /* read of a scratchpad at which the link breaks; 0: none */
static unsigned int looks, refused;   /* look at which the peer's chip refuses reads; 0: none */
static enum ntb_link state;
static struct rb_link *const left = &rb.link[RB_PORT_PREV];

static enum ntb_link
link_poll(struct ntb_port *port)
{
	/* stores come with the look after the one that is refused */
	if (++looks == refused + 1 && refused != 0)
		left->mine->token = PEER_TOKEN;
	return state;
}

static uint64_t
link_breaks(struct ntb_port *port)
{
	return breaks;
}

static void
spad_write(struct ntb_port *port, unsigned int i, uint32_t v)
{
	if (i == RB_SPAD_TOKEN && first_token == 0)
		first_token = v;
	words[i] = v;
}

/* The words of host 0, which agrees with all, and returns this token. */
static void
tell_hello(uint16_t returned, uint32_t its[RB_SPAD_COUNT])
{
	const struct rb_hello peer = {
		.host = 0,
		.hosts = 3,
		.port = RB_PORT_NEXT,
		.settings_hash = rb_settings_hash(),
		.job = (uint64_t)JOB << 32 | JOB,
		.token = PEER_TOKEN,
		.peer_token = returned,
	};

	rb_hello_words(&peer, RB_HELLO_AGREED, its);
}

static uint32_t
peer_spad_read(struct ntb_port *port, unsigned int i)
{
	uint32_t its[RB_SPAD_COUNT];

	if (++reads == breaks_at)
		breaks++;
	if (looks == refused && refused != 0)
		return UINT32_MAX;
	tell_hello((uint16_t)(words[RB_SPAD_TOKEN] >> 16), its);
	return its[i];
}

static void
db_ring(struct ntb_port *port, uint32_t bits)
{
}

static const struct ntb_port_ops ops = {
	.link_poll = link_poll,
	.link_breaks = link_breaks,
	.spad_write = spad_write,
	.peer_spad_read = peer_spad_read,
	.db_ring = db_ring,
};

static void
set_up(void)
{
	const struct ring_shape shape = {
		.hosts = 3, .each = 1, .slots = 8, .links = 1u << RB_PORT_PREV};

	ring_set_up(&shape);
	rb.env.job = (uint64_t)JOB << 32 | JOB;
	rb.env.hello_timeout = 1;
	rb.env.survive = RB_SURVIVE_NO;
	rb.env.dma = "";
	ports[RB_PORT_PREV] = (struct ntb_port){
		.ops = &ops, .spad_count = RB_SPAD_COUNT, .window_size = rb_mem.lay.size};
	ports[RB_PORT_PREV].window = beyond[RB_PORT_PREV];
	*(struct rb_region_hdr *)beyond[RB_PORT_PREV] = (struct rb_region_hdr){
		.magic = RB_MAGIC,
		.version = RB_VERSION,
		.job = rb.env.job,
		.host = 0,
		.hosts = 3,
		.settings_hash = rb_settings_hash(),
	};
	state = NTB_LINK_UP;
	breaks = 5;
	reads = breaks_at = looks = refused = first_token = 0;
	CU_ASSERT_EQUAL_FATAL(rb_handshake_init(), 0);
}

static void
fails(int error, const char *because)
{
	CU_ASSERT_EQUAL(rb_handshake(), error);
	CU_ASSERT_FALSE(left->up);
	CU_ASSERT_PTR_NOT_NULL(strstr(rb_error(), because));
}

static void
test_agrees(void)
{
	left->mine->token = PEER_TOKEN;
	CU_ASSERT_EQUAL(rb_handshake(), 0);
	CU_ASSERT_TRUE(left->up);
	CU_ASSERT_EQUAL(left->breaks, 5);
	CU_ASSERT_EQUAL(left->theirs->token, words[RB_SPAD_TOKEN] >> 16);
	CU_ASSERT_EQUAL((uint16_t)first_token, 0);
}

static void
test_refused_amid(void)
{
	refused = 2;
	CU_ASSERT_EQUAL(rb_handshake(), 0);
	CU_ASSERT_EQUAL(looks, 3);
	CU_ASSERT_EQUAL((uint16_t)words[RB_SPAD_TOKEN], PEER_TOKEN);
}

/* Its registers and its memory can be read, but what it stores does not come. */
static void
test_one_way(void)
{
	fails(-ETIMEDOUT, "port 0 link: stores of host 0 through its window do not arrive here");
	/* nor does a token of an earlier run count */
	set_up();
	left->mine->token = PEER_TOKEN + 1;
	CU_ASSERT_EQUAL(rb_handshake(), -ETIMEDOUT);
	CU_ASSERT_FALSE(left->up);
}

/* A port without scratchpads: the hello is in memory. A neighbour that does not return this run's
 * token has not seen it yet, and nothing is stored there. */
static void
test_in_memory(void)
{
	static const struct ntb_port_ops few = {.link_poll = link_poll, .link_breaks = link_breaks};
	uint32_t *own = ((struct rb_region_hdr *)rb_mem.region)->hello[RB_PORT_PREV];
	uint32_t *its = ((struct rb_region_hdr *)beyond[RB_PORT_PREV])->hello[RB_PORT_NEXT];

	ports[RB_PORT_PREV] = (struct ntb_port){
		.ops = &few, .window = left->peer, .window_size = rb_mem.lay.size};
	left->mine->token = PEER_TOKEN;
	memset(own, 0, RB_SPAD_COUNT * sizeof(*own));
	fails(-ETIMEDOUT, "port 0 link: no hello from host 0");
	CU_ASSERT_EQUAL(own[RB_SPAD_MAGIC], RB_MAGIC);
	tell_hello(0, its);
	fails(-ETIMEDOUT, "port 0 link: host 0 does not answer");
	CU_ASSERT_EQUAL((uint16_t)own[RB_SPAD_TOKEN], PEER_TOKEN);
	CU_ASSERT_EQUAL(left->theirs->token, 0);
	tell_hello((uint16_t)(own[RB_SPAD_TOKEN] >> 16), its);
	CU_ASSERT_EQUAL(rb_handshake(), 0);
	CU_ASSERT_TRUE(left->up);
	CU_ASSERT_EQUAL(left->theirs->token, own[RB_SPAD_TOKEN] >> 16);
}

/* A break while the two talk: what either has stored before it is lost, so it has to count. */
static void
test_break_amid(void)
{
	for (unsigned int at = 1; at <= 2 * RB_SPAD_COUNT; at += RB_SPAD_COUNT / 2) {
		set_up();
		left->mine->token = PEER_TOKEN;
		breaks_at = at;
		CU_ASSERT_EQUAL(rb_handshake(), 0);
		CU_ASSERT_EQUAL(breaks, 6);
		CU_ASSERT_EQUAL(left->breaks, 5);
	}
}

/* The neighbour was up before, and its other cable is lost. */
static void
test_lost_beyond(void)
{
	state = NTB_LINK_DOWN;
	left->mine->cut[0] = 1;
	fails(-EIO, "a cable was lost before");
}

TEST_PROGRAM("handshake", set_up, ring_tear_down, {"neighbours agree", test_agrees},
	     {"reads that are refused amid the hello", test_refused_amid},
	     {"stores that do not arrive", test_one_way}, {"a hello in memory", test_in_memory},
	     {"a break amid the hello", test_break_amid},
	     {"a cable is lost before this one is up", test_lost_beyond})
