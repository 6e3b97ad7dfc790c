/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <string.h>

#include "base/error.h"
#include "base/wire.h"
#include "link/hello.h"
#include "cases.h"

/*
 * The handshake judged as a pure function: every way in which a neighbour can be wrong has its own
 * words. One that agrees, and one that is not there yet: handshake_test.c.
 */

/* Host 1 of 4 looks at port 0 of host 2 through its port 1. */
static const struct rb_hello me = {.host = 1,
				   .hosts = 4,
				   .port = 1,
				   .peer = "host 2",
				   .settings_hash = 0xabcd,
				   .job = 0x1122334455667788,
				   .token = 0x1111,
				   .peer_token = 0x2222};
static const struct rb_hello peer = {.host = 2,
				     .hosts = 4,
				     .port = 0,
				     .peer = "host 1",
				     .settings_hash = 0xabcd,
				     .job = 0x1122334455667788,
				     .token = 0x2222,
				     .peer_token = 0x1111};

static int
judge(const struct rb_hello *from, enum rb_hello_state said, struct rb_hello_result *result)
{
	uint32_t words[RB_SPAD_COUNT];

	rb_hello_words(from, said, words);
	return rb_hello_judge(&me, words, result);
}

/* Words that an earlier run left behind are not believed, however wrong they are. */
static void
left_behind(void)
{
	struct rb_hello p = peer;
	struct rb_hello_result result;

	p.peer_token = 0x3333;
	CU_ASSERT_EQUAL(judge(&p, RB_HELLO_AGREED, &result), -EAGAIN);
	CU_ASSERT_EQUAL(result.token,
			0x2222); /* which is given back, so that a live peer answers */
	p.hosts = 5;
	p.job++;
	CU_ASSERT_EQUAL(judge(&p, RB_HELLO_AGREED, &result), -EAGAIN);
	CU_ASSERT_EQUAL(result.job, 0);
	CU_ASSERT_EQUAL(judge(&peer, RB_HELLO_NONE, &result), -EAGAIN);
}

/* The nonce goes round the ring, either way: one cable may be out. */
static void
nonce(void)
{
	struct rb_hello p = peer, host2 = peer, host1 = me;
	struct rb_hello_result result;
	uint32_t words[RB_SPAD_COUNT];

	p.job = 0; /* host 2 does not know it: ours is on its way */
	CU_ASSERT_EQUAL(judge(&p, RB_HELLO_HERE, &result), -EAGAIN);
	CU_ASSERT_EQUAL(result.job, 0);

	host2.job = 0; /* it takes it from its port 0 */
	rb_hello_words(&host1, RB_HELLO_HERE, words);
	CU_ASSERT_EQUAL(rb_hello_judge(&host2, words, &result), -EAGAIN);
	CU_ASSERT_EQUAL(result.job, host1.job);
	words[RB_SPAD_JOB_HI] = 0; /* half written */
	CU_ASSERT_EQUAL(rb_hello_judge(&host2, words, &result), -EAGAIN);
	CU_ASSERT_EQUAL(result.job, 0);
	words[RB_SPAD_JOB_HI] = UINT32_MAX; /* the chip was programmed again meanwhile */
	CU_ASSERT_EQUAL(rb_hello_judge(&host2, words, &result), -EAGAIN);
	CU_ASSERT_EQUAL(result.job, 0);

	host1.job = 0; /* and from its port 1 */
	rb_hello_words(&peer, RB_HELLO_HERE, words);
	CU_ASSERT_EQUAL(rb_hello_judge(&host1, words, &result), -EAGAIN);
	CU_ASSERT_EQUAL(result.job, peer.job);
}

static void
refuses(const struct rb_hello *from, const char *because)
{
	struct rb_hello_result result;

	CU_ASSERT_EQUAL(judge(from, RB_HELLO_HERE, &result), -EPROTO);
	CU_ASSERT_PTR_NOT_NULL(strstr(rb_error(), because));
	CU_ASSERT_PTR_NOT_NULL(strstr(rb_error(), "port 1 link"));
}

static void
wrong_peers(void)
{
	struct rb_hello p = peer;

	p.host = 1;
	refuses(&p, "ids must differ");
	p = peer;
	p.port = 8;
	refuses(&p, "host 2, port 8");
	p = peer;
	p.host = 4;
	refuses(&p, "host 4, port 0");
	p = peer;
	p.hosts = 5;
	refuses(&p, "ring of 5 hosts");
	p = peer;
	p.job++;
	refuses(&p, "belongs to job");
	p = peer;
	p.settings_hash++;
	refuses(&p, "heap size, number or placement");
}

static void
last_words(void)
{
	uint32_t words[RB_SPAD_COUNT];
	struct rb_hello_result result;

	CU_ASSERT_EQUAL(judge(&peer, RB_HELLO_GONE, &result), -ECANCELED);
	CU_ASSERT_PTR_NOT_NULL(strstr(rb_error(), "host 2 has given up"));
	rb_hello_words(&peer, RB_HELLO_HERE, words);
	words[RB_SPAD_ID] += 1u << 24;
	CU_ASSERT_EQUAL(rb_hello_judge(&me, words, &result), -EPROTO);
	CU_ASSERT_PTR_NOT_NULL(strstr(rb_error(), "protocol version"));
	words[RB_SPAD_MAGIC] ^= 0x10;
	CU_ASSERT_EQUAL(rb_hello_judge(&me, words, &result), -EPROTO);
	CU_ASSERT_PTR_NOT_NULL(strstr(rb_error(), "garbage"));
	memset(words, 0xff, sizeof(words)); /* what a dead link reads */
	CU_ASSERT_EQUAL(rb_hello_judge(&me, words, &result), -EAGAIN);
}

TEST_PROGRAM("hello", NULL, NULL, {"what an earlier run left", left_behind},
	     {"the nonce goes on", nonce}, {"wrong neighbours", wrong_peers},
	     {"the last word, and garbage", last_words})
