/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * The handshake on one cable, whose other end this test plays: what it proves before the link
 * counts as up.
 */
#include <errno.h>
#include <string.h>

#include "base/cut_word.h"
#include "base/env.h"
#include "base/error.h"
#include "base/link.h"
#include "base/state.h"
#include "base/wire.h"
#include "link/handshake.h"
#include "link/hello.h"
#include "link/line.h"
#include "link/survive.h"
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

static enum ntb_link
link_poll(struct ntb_port *port)
{
	(void)port;
	/* stores come with the look after the one that is refused */
	if (++looks == refused + 1 && refused != 0)
		rb.link[RB_LEFT].mine->token = PEER_TOKEN;
	return state;
}

static uint64_t
link_breaks(struct ntb_port *port)
{
	(void)port;
	return breaks;
}

static void
spad_write(struct ntb_port *port, unsigned int i, uint32_t v)
{
	(void)port;
	if (i == RB_SPAD_TOKEN && first_token == 0)
		first_token = v;
	words[i] = v;
}

/* Host 0, which agrees with all. */
static uint32_t
peer_spad_read(struct ntb_port *port, unsigned int i)
{
	const struct rb_hello peer = {
		.host = 0,
		.hosts = 3,
		.side = RB_RIGHT,
		.neighbour = 1,
		.settings_hash = rb_settings_hash(),
		.job = (uint64_t)JOB << 32 | JOB,
		.token = PEER_TOKEN,
		.peer_token = (uint16_t)(words[RB_SPAD_TOKEN] >> 16),
	};
	uint32_t its[RB_SPAD_COUNT];

	(void)port;
	if (++reads == breaks_at)
		breaks++;
	if (looks == refused && refused != 0)
		return UINT32_MAX;
	rb_hello_words(&peer, RB_HELLO_AGREED, its);
	return its[i];
}

static void
db_ring(struct ntb_port *port, uint32_t bits)
{
	(void)port;
	(void)bits;
}

/* The right cable, where it is out. */
static enum ntb_link right_state;
static unsigned int right_polls;

static enum ntb_link
right_poll(struct ntb_port *port)
{
	(void)port;
	right_polls++;
	return right_state;
}

static uint64_t
right_breaks(struct ntb_port *port)
{
	(void)port;
	return 0;
}

static uint32_t
no_spad(struct ntb_port *port, unsigned int i)
{
	(void)port;
	(void)i;
	return 0;
}

static void
right_write(struct ntb_port *port, unsigned int i, uint32_t v)
{
	(void)port;
	(void)i;
	(void)v;
}

static int
no_file(struct ntb_port *port, uint64_t off, uint64_t len, int *ret_fd, uint64_t *ret_off)
{
	(void)port;
	(void)off;
	(void)len;
	(void)ret_fd;
	(void)ret_off;
	return -ENOTCONN;
}

static const struct ntb_port_ops right_ops = {
	.window_file = no_file,
	.link_poll = right_poll,
	.link_breaks = right_breaks,
	.spad_write = right_write,
	.peer_spad_read = no_spad,
	.db_ring = db_ring,
};

static const struct ntb_port_ops ops = {
	.window_file = no_file,
	.link_poll = link_poll,
	.link_breaks = link_breaks,
	.spad_write = spad_write,
	.peer_spad_read = peer_spad_read,
	.db_ring = db_ring,
};

static struct rb_link *
set_up_links(unsigned int links)
{
	const struct ring_shape shape = {.hosts = 3, .each = 1, .slots = 8, .links = links};

	ring_set_up(&shape);
	rb.env.job = (uint64_t)JOB << 32 | JOB;
	rb.env.hello_timeout = 1;
	rb.env.survive = RB_SURVIVE_NO;
	rb.env.dma = "";
	ports[RB_LEFT] = (struct ntb_port){.ops = &ops, .spad_count = RB_SPAD_COUNT};
	ports[RB_LEFT].window = beyond[RB_LEFT];
	ports[RB_RIGHT] = (struct ntb_port){.ops = &right_ops, .spad_count = RB_SPAD_COUNT};
	*(struct rb_region_hdr *)beyond[RB_LEFT] = (struct rb_region_hdr){
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
	return &rb.link[RB_LEFT];
}

static struct rb_link *
set_up(void)
{
	return set_up_links(1u << RB_LEFT);
}

/* Host 1 of 3, in a job that survives the loss of a cable. The left link comes up, and the right
 * one is as @p right says. */
static struct rb_link *
set_up_line(enum ntb_link right)
{
	struct rb_link *left = set_up_links(1u << RB_LEFT | 1u << RB_RIGHT);

	rb.env.survive = RB_SURVIVE_AUTO;
	rb.env.barrier = RB_BARRIER_TWOWAY;
	rb.env.line_ms = 0;
	((struct rb_region_hdr *)beyond[RB_LEFT])->settings_hash = rb_settings_hash();
	left->mine->token = PEER_TOKEN;
	right_state = right;
	right_polls = 0;
	CU_ASSERT_TRUE(rb_survive_may());
	return left;
}

static void
link_once(struct ntb_port *port, bool once)
{
	(void)port;
	(void)once;
}

/* Frames that are kept rely on ports that can leave a link down. */
static void
test_may_survive(void)
{
	struct ntb_port_ops stays = ops;
	struct rb_link *left = set_up_line(NTB_LINK_UP);

	stays.link_once = link_once;
	left->memory = rb.link[RB_RIGHT].memory = false;
	CU_ASSERT_FALSE(rb_survive_may());
	rb.env.survive = RB_SURVIVE_YES;
	rb_mem.by_frames = true;
	CU_ASSERT_FALSE(rb_survive_may());
	ports[RB_LEFT].ops = &stays;
	CU_ASSERT_FALSE(rb_survive_may());
	ports[RB_RIGHT].ops = &stays;
	CU_ASSERT_TRUE(rb_survive_may());
	rb_mem.by_frames = false;
	CU_ASSERT_FALSE(rb_survive_may());
	ring_tear_down();
}

static void
test_agrees(void)
{
	struct rb_link *link = set_up();

	link->mine->token = PEER_TOKEN;
	CU_ASSERT_EQUAL(rb_handshake(), 0);
	CU_ASSERT_TRUE(link->up);
	CU_ASSERT_EQUAL(link->breaks, 5);
	CU_ASSERT_EQUAL(link->theirs->token, words[RB_SPAD_TOKEN] >> 16);
	CU_ASSERT_EQUAL((uint16_t)first_token, 0);
	ring_tear_down();
}

static void
test_refused_amid(void)
{
	set_up();
	refused = 2;
	CU_ASSERT_EQUAL(rb_handshake(), 0);
	CU_ASSERT_EQUAL(looks, 3);
	CU_ASSERT_EQUAL((uint16_t)words[RB_SPAD_TOKEN], PEER_TOKEN);
	ring_tear_down();
}

/* Its registers and its memory can be read, but what it stores does not come. */
static void
test_one_way(void)
{
	struct rb_link *link = set_up();

	CU_ASSERT_EQUAL(rb_handshake(), -ETIMEDOUT);
	CU_ASSERT_FALSE(link->up);
	CU_ASSERT_PTR_NOT_NULL(strstr(rb_error(), "left link: stores of host 0 through its window "
						  "do not arrive here"));
	/* nor does a token of an earlier run count */
	ring_tear_down();
	link = set_up();
	link->mine->token = PEER_TOKEN + 1;
	CU_ASSERT_EQUAL(rb_handshake(), -ETIMEDOUT);
	CU_ASSERT_FALSE(link->up);
	ring_tear_down();
}

static void
test_own_adapter(void)
{
	set_up();
	state = NTB_LINK_LOOP;
	rb.env.hello_timeout = 5; /* the handshake gives such a cable less */
	CU_ASSERT_EQUAL(rb_handshake(), -EPROTO);
	CU_ASSERT_PTR_NOT_NULL(strstr(rb_error(), "leads back to this host's own adapter"));
	ring_tear_down();
}

/* The words of host 0, in its memory. */
static void
show_hello(uint16_t returned)
{
	const struct rb_hello peer = {
		.host = 0,
		.hosts = 3,
		.side = RB_RIGHT,
		.neighbour = 1,
		.settings_hash = rb_settings_hash(),
		.job = rb.env.job,
		.token = PEER_TOKEN,
		.peer_token = returned,
	};

	rb_hello_words(&peer, RB_HELLO_AGREED,
		       ((struct rb_region_hdr *)beyond[RB_LEFT])->hello[RB_RIGHT]);
}

/* A port without scratchpads: the hello is in memory. A neighbour that does not return this run's
 * token has not seen it yet, and nothing is stored there. */
static void
test_in_memory(void)
{
	static const struct ntb_port_ops few = {.link_poll = link_poll, .link_breaks = link_breaks};
	struct rb_link *link = set_up();
	uint32_t *own = ((struct rb_region_hdr *)rb_mem.region)->hello[RB_LEFT];

	ports[RB_LEFT] = (struct ntb_port){.ops = &few, .window = link->peer};
	link->mine->token = PEER_TOKEN;
	memset(own, 0, RB_SPAD_COUNT * sizeof(*own));
	CU_ASSERT_EQUAL(rb_handshake(), -ETIMEDOUT);
	CU_ASSERT_PTR_NOT_NULL(strstr(rb_error(), "left link: no hello from host 0"));
	CU_ASSERT_EQUAL(own[RB_SPAD_MAGIC], RB_MAGIC);
	show_hello(0);
	CU_ASSERT_EQUAL(rb_handshake(), -ETIMEDOUT);
	CU_ASSERT_PTR_NOT_NULL(strstr(rb_error(), "left link: host 0 does not answer"));
	CU_ASSERT_EQUAL((uint16_t)own[RB_SPAD_TOKEN], PEER_TOKEN);
	CU_ASSERT_EQUAL(link->theirs->token, 0);
	show_hello((uint16_t)(own[RB_SPAD_TOKEN] >> 16));
	CU_ASSERT_EQUAL(rb_handshake(), 0);
	CU_ASSERT_TRUE(link->up);
	CU_ASSERT_EQUAL(link->theirs->token, own[RB_SPAD_TOKEN] >> 16);
	ring_tear_down();
}

/* A break while the two talk: what either has stored before it is lost, so it has to count. */
static void
test_break_amid(void)
{
	for (unsigned int at = 1; at <= 2 * RB_SPAD_COUNT; at += RB_SPAD_COUNT / 2) {
		struct rb_link *link = set_up();

		link->mine->token = PEER_TOKEN;
		breaks_at = at;
		CU_ASSERT_EQUAL(rb_handshake(), 0);
		CU_ASSERT_EQUAL(breaks, 6);
		CU_ASSERT_EQUAL(link->breaks, 5);
		ring_tear_down();
	}
}

/* The neighbour was up before, and its other cable is lost. */
static void
test_lost_beyond(void)
{
	struct rb_link *link = set_up();

	state = NTB_LINK_DOWN;
	link->mine->cut = 1ull << RB_CUT_NUMBER | 2; /* cable 2 */
	CU_ASSERT_EQUAL(rb_handshake(), -EIO);
	CU_ASSERT_PTR_NOT_NULL(strstr(rb_error(), "the cable between host 2 and host 0 was lost"));
	ring_tear_down();
}

/* Host 2 says the other way round that it does not see the cable either. */
static void
test_starts_without(void)
{
	struct rb_link *left = set_up_line(NTB_LINK_DOWN);

	left->mine->end = 2 + 1;
	CU_ASSERT_EQUAL(rb_handshake(), 0);
	CU_ASSERT_TRUE(left->up);
	CU_ASSERT_FALSE(rb.link[RB_RIGHT].up);
	CU_ASSERT_EQUAL(left->theirs->end, 1 + 1);
	ring_tear_down();
}

/* The job needs more than the cable: the host, or another cable; or it has to wait for longer, as
 * the link is there. A job that does not survive without it names it. */
static void
test_does_not_start(void)
{
	static const uint64_t ends[] = {0, 0 + 1, 1 + 1, 3 + 1, UINT64_MAX};
	struct rb_link *left;
	unsigned int i;

	for (i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		left = set_up_line(NTB_LINK_DOWN);
		left->mine->end = ends[i];
		CU_ASSERT_EQUAL(rb_handshake(), -ETIMEDOUT);
		CU_ASSERT_PTR_NOT_NULL(
			strstr(rb_error(), "right link is down: no cable, or host 2"));
		ring_tear_down();
	}
	left = set_up_line(NTB_LINK_DOWN);
	left->mine->end = 2 + 1;
	rb.env.survive = RB_SURVIVE_NO;
	((struct rb_region_hdr *)beyond[RB_LEFT])->settings_hash = rb_settings_hash();
	CU_ASSERT_EQUAL(rb_handshake(), -ETIMEDOUT);
	CU_ASSERT_PTR_NOT_NULL(strstr(rb_error(), "the cable between host 1 and host 2 is out"));
	ring_tear_down();
}

/* A link that is there gets all the time that the user allows, and no more. */
static void
test_silent_link(void)
{
	struct rb_link *left = set_up_line(NTB_LINK_UP);

	left->mine->end = 2 + 1;
	CU_ASSERT_EQUAL(rb_handshake(), 0);
	CU_ASSERT_TRUE(right_polls > 8); /* a link that is down takes two */
	CU_ASSERT_FALSE(rb.link[RB_RIGHT].up);
	ring_tear_down();
}

/* The host at its other end has given the cable up. A word about another one says nothing here. */
static void
test_told(void)
{
	struct rb_link *left = set_up_line(NTB_LINK_UP);

	left->mine->cut = 1ull << RB_CUT_NUMBER | 1;
	CU_ASSERT_EQUAL(rb_handshake(), 0);
	CU_ASSERT_FALSE(rb.link[RB_RIGHT].up);
	ring_tear_down();
	left = set_up_line(NTB_LINK_DOWN);
	left->mine->cut = 1ull << RB_CUT_NUMBER | 2;
	CU_ASSERT_EQUAL(rb_handshake(), -ETIMEDOUT);
	ring_tear_down();
}

/* The left link breaks after it was up, and comes up again. */
static void
test_break_while_other_waits(void)
{
	struct rb_link *left = set_up_line(NTB_LINK_DOWN);

	breaks_at = 3 * RB_SPAD_COUNT - 1;
	left->mine->end = 2 + 1;
	rb.env.line_ms = 200;
	CU_ASSERT_EQUAL(rb_handshake(), 0);
	CU_ASSERT_TRUE(left->up);
	CU_ASSERT_EQUAL(left->breaks, breaks);
	ring_tear_down();
}

/* What a host between two others passes on. */
static void
test_passes_on(void)
{
	struct rb_link *left = set_up_line(NTB_LINK_DOWN), *right = &rb.link[RB_RIGHT];

	left->mine->end = 0 + 1;
	right->mine->end = 2 + 1;
	left->up = true;
	rb_line_look();
	CU_ASSERT_EQUAL(left->theirs->end, 1 + 1);
	CU_ASSERT_EQUAL(right->theirs->end, 0);
	right->up = true;
	rb_line_look();
	CU_ASSERT_EQUAL(left->theirs->end, 2 + 1);
	CU_ASSERT_EQUAL(right->theirs->end, 0 + 1);
	right->mine->end = 0; /* the cable beyond is up by now */
	left->mine->end = 7;  /* no host of three */
	rb_line_look();
	CU_ASSERT_EQUAL(left->theirs->end, 0);
	CU_ASSERT_EQUAL(right->theirs->end, 0);
	ring_tear_down();
}

int
main(void)
{
	static const struct test_case cases[] = {
		{"neighbours agree", test_agrees},
		{"reads that are refused amid the hello", test_refused_amid},
		{"stores that do not arrive", test_one_way},
		{"a cable into the own adapter", test_own_adapter},
		{"a hello in memory", test_in_memory},
		{"a break amid the hello", test_break_amid},
		{"a cable is lost before this one is up", test_lost_beyond},
		{"a cable that is out", test_starts_without},
		{"a start that has to wait", test_does_not_start},
		{"a link that is there", test_silent_link},
		{"a cable that the other end has given up", test_told},
		{"a break while the other cable comes up", test_break_while_other_waits},
		{"ends of a line are passed on", test_passes_on},
		{"ports that a job may survive on", test_may_survive},
	};

	return run_suite("handshake", cases, sizeof(cases) / sizeof(cases[0]));
}
