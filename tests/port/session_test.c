/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * What one side of "ringbell-port order" says when the other one leaves: only a link that breaks by
 * itself is a break. This test plays port and peer.
 */
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "cases.h"
#include "session.h"

enum {
	PEER_NONCE = 0x55,
	PADS = 8,
	PAD_MAGIC = 0,
	PAD_NONCE,
	PAD_SEEN,
	PAD_LEN,
	PAD_STORES,
	ARRIVE = 1,
	VANISH = 2,
	READ = 4,
};

static uint8_t mine[REGION_MIN], theirs[REGION_MIN];
static uint32_t own_pad[PADS], verdict;
static uint64_t breaks;
static bool here;		/* the peer's port is started */
static void (*meanwhile)(void); /* what the peer does between two looks at the link */
static struct session s;

static struct region *
in(void)
{
	return (struct region *)mine;
}

static enum ntb_link
link_poll(struct ntb_port *port)
{
	(void)port;
	return here ? NTB_LINK_UP : NTB_LINK_DOWN;
}

static uint64_t
link_breaks(struct ntb_port *port)
{
	uint64_t now = breaks;

	(void)port;
	if (meanwhile != NULL)
		meanwhile();
	return now;
}

static int
flush(struct ntb_port *port, uint64_t off, uint64_t *ret)
{
	(void)port;
	(void)off;
	(void)ret;
	return here ? 0 : -1;
}

static void
spad_write(struct ntb_port *port, unsigned int i, uint32_t v)
{
	(void)port;
	own_pad[i] = v;
}

/* A peer that has met this side, and has read its verdict as soon as there is one. */
static uint32_t
peer_spad_read(struct ntb_port *port, unsigned int i)
{
	const uint32_t pad[PADS] = {
		[PAD_MAGIC] = own_pad[PAD_MAGIC], [PAD_NONCE] = PEER_NONCE,
		[PAD_SEEN] = own_pad[PAD_NONCE],  [PAD_LEN] = REGION_MIN / 65536,
		[PAD_STORES] = verdict,
	};

	(void)port;
	return here ? pad[i] : UINT32_MAX;
}

static const struct ntb_port_ops ops = {
	.link_poll = link_poll,
	.link_breaks = link_breaks,
	.flush = flush,
	.spad_write = spad_write,
	.peer_spad_read = peer_spad_read,
};
static struct ntb_port port = {.ops = &ops, .window = theirs, .window_size = REGION_MIN};

static void
set_up(void)
{
	memset(mine, 0, sizeof(mine));
	memset(own_pad, 0, sizeof(own_pad));
	s = (struct session){.nonce = 0x66};
	breaks = 3;
	here = true;
	verdict = ARRIVE | READ;
	meanwhile = NULL;
	in()->token = s.nonce;
}

static bool
open_session(void)
{
	return session_open(&s, &port, mine, sizeof(mine), 1);
}

/* The peer's port stops: this side's link is lost. */
static void
leave(void)
{
	if (here)
		breaks++;
	here = false;
}

static void
give_up(void)
{
	atomic_store(&in()->step, GIVEN_UP);
	leave();
}

static void
test_gives_up(void)
{
	set_up();
	CU_ASSERT_TRUE_FATAL(open_session());
	give_up();
	CU_ASSERT_FALSE(session_step(&s, "the peer to begin"));
	CU_ASSERT_STRING_EQUAL(s.ended,
			       "the peer gave up while this side waited for the peer to begin");

	/* between the look at the link and that at the word */
	set_up();
	CU_ASSERT_TRUE_FATAL(open_session());
	meanwhile = give_up;
	CU_ASSERT_FALSE(wait_word(&s, &in()->credit, 7, "a slot"));
	CU_ASSERT_STRING_EQUAL(s.ended, "the peer gave up while this side waited for a slot");
}

static void
test_leaves_in_order(void)
{
	set_up();
	CU_ASSERT_TRUE_FATAL(open_session());
	/* it has come to the last step, and waits no more */
	atomic_store(&in()->step, 2);
	leave();
	CU_ASSERT_TRUE(session_step(&s, "the peer's values"));
	session_close(&s);
	CU_ASSERT_STRING_EQUAL(s.ended, "");
	CU_ASSERT_STRING_EQUAL(s.stores, "");
}

static void
test_breaks(void)
{
	set_up();
	CU_ASSERT_TRUE_FATAL(open_session());
	leave();
	CU_ASSERT_FALSE(session_step(&s, "the peer to begin"));
	CU_ASSERT_STRING_EQUAL(s.ended,
			       "the link broke while this side waited for the peer to begin");
}

/* Stores of this side do not arrive, the peer's do: it says so, and leaves. */
static void
read_and_leave(void)
{
	if (own_pad[PAD_STORES] & READ)
		leave();
}

static void
test_verdicts(void)
{
	set_up();
	verdict = VANISH;
	meanwhile = read_and_leave;
	CU_ASSERT_FALSE(open_session());
	CU_ASSERT_STRING_EQUAL(s.stores, "what this side stores does not arrive at the peer");

	/* nothing is known of a peer that leaves before, so nothing is said of stores */
	set_up();
	verdict = 0;
	meanwhile = leave;
	CU_ASSERT_FALSE(open_session());
	CU_ASSERT_STRING_EQUAL(s.stores, "");
	CU_ASSERT_STRING_EQUAL(
		s.ended, "the link broke before the peer said whether this side's stores arrive");
}

/* It stays until the peer has read what this side says. */
static unsigned int looks;

static void
read_late(void)
{
	if (++looks == 5)
		verdict |= READ;
}

static void
test_stays(void)
{
	set_up();
	verdict = ARRIVE;
	meanwhile = read_late;
	looks = 0;
	CU_ASSERT_TRUE(open_session());
	CU_ASSERT_TRUE(looks >= 5);
	CU_ASSERT_EQUAL(own_pad[PAD_STORES], ARRIVE | READ);
}

int
main(void)
{
	static const struct test_case cases[] = {
		{"a peer that gives up", test_gives_up},
		{"a peer that leaves in order", test_leaves_in_order},
		{"a link that breaks", test_breaks},
		{"verdicts on stores", test_verdicts},
		{"until the peer has read the verdict", test_stays},
	};

	return run_suite("sessions of two ends", cases, sizeof(cases) / sizeof(cases[0]));
}
