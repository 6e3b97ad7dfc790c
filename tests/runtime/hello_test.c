/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
/*
 * The handshake judged as a pure function: every way in which a neighbour can be wrong has its own
 * words, and a peer that is not there yet is no error.
 */
#include <errno.h>
#include <string.h>

#include "rb_env.h"
#include "rb_hello.h"
#include "rb.h"
#include "rb_test.h"

/* Host 1 of 4 looks at the left port of host 2 through its right port. */
static const struct rb_hello me = {.host = 1,
				   .hosts = 4,
				   .side = 1,
				   .neighbour = 2,
				   .layout = 0xabcd,
				   .job = 0x1122334455667788};
static const struct rb_hello peer = {.host = 2,
				     .hosts = 4,
				     .side = 0,
				     .neighbour = 1,
				     .layout = 0xabcd,
				     .job = 0x1122334455667788};

static int
judge(const struct rb_hello *from, enum rb_hello_state said, enum rb_hello_state *heard)
{
	uint32_t words[RB_SPAD_COUNT];

	rb_hello_words(from, said, words);
	return rb_hello_judge(&me, words, heard);
}

static void
agrees(void)
{
	enum rb_hello_state state = RB_HELLO_NONE;

	CU_ASSERT_EQUAL(judge(&peer, RB_HELLO_HERE, &state), 0);
	CU_ASSERT_EQUAL(state, RB_HELLO_HERE);
	CU_ASSERT_EQUAL(judge(&peer, RB_HELLO_SEEN, &state), 0);
	CU_ASSERT_EQUAL(state, RB_HELLO_SEEN);
}

static void
nobody_yet(void)
{
	uint32_t words[RB_SPAD_COUNT];
	enum rb_hello_state state;

	memset(words, 0, sizeof(words));
	CU_ASSERT_EQUAL(rb_hello_judge(&me, words, &state), -EAGAIN);
	memset(words, 0xff, sizeof(words)); /* what a dead link reads */
	CU_ASSERT_EQUAL(rb_hello_judge(&me, words, &state), -EAGAIN);
	CU_ASSERT_EQUAL(judge(&peer, RB_HELLO_NONE, &state), -EAGAIN);
}

static void
refuses(const struct rb_hello *from, const char *because)
{
	enum rb_hello_state state;

	CU_ASSERT_EQUAL(judge(from, RB_HELLO_HERE, &state), -EPROTO);
	CU_ASSERT_PTR_NOT_NULL(strstr(rb_error(), because));
	CU_ASSERT_PTR_NOT_NULL(strstr(rb_error(), "right link"));
}

static void
wrong_peers(void)
{
	struct rb_hello p = peer;

	p.host = 1;
	refuses(&p, "ids must differ");
	p = peer;
	p.side = 1;
	refuses(&p, "wrong wiring");
	p = peer;
	p.host = 3;
	refuses(&p, "leads to host 3");
	p = peer;
	p.hosts = 5;
	refuses(&p, "ring of 5 hosts");
	p = peer;
	p.job++;
	refuses(&p, "belongs to job");
	p = peer;
	p.layout++;
	refuses(&p, "another heap size");
}

static void
wrong_words(void)
{
	uint32_t words[RB_SPAD_COUNT];
	enum rb_hello_state state;

	rb_hello_words(&peer, RB_HELLO_HERE, words);
	words[RB_SPAD_ID] += 1u << 24;
	CU_ASSERT_EQUAL(rb_hello_judge(&me, words, &state), -EPROTO);
	CU_ASSERT_PTR_NOT_NULL(strstr(rb_error(), "speaks version"));
	words[RB_SPAD_MAGIC] ^= 0x10;
	CU_ASSERT_EQUAL(rb_hello_judge(&me, words, &state), -EPROTO);
	CU_ASSERT_PTR_NOT_NULL(strstr(rb_error(), "garbage"));
}

int
main(void)
{
	static const struct rb_case cases[] = {
		{"neighbours agree", agrees},
		{"a peer that is not there yet", nobody_yet},
		{"wrong neighbours", wrong_peers},
		{"wrong version and garbage", wrong_words},
	};

	return rb_run("hello", cases, sizeof(cases) / sizeof(cases[0]));
}
