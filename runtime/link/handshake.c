/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "link/handshake.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/random.h>

#include "base/env.h"
#include "base/error.h"
#include "base/exit.h"
#include "base/link.h"
#include "base/route.h"
#include "base/rules.h"
#include "base/state.h"
#include "base/thread.h"
#include "base/types.h"
#include "base/window.h"
#include "base/wire.h"
#include "host/blocked.h"
#include "host/host.h"
#include "host/wait.h"
#include "link/cable.h"
#include "link/hello.h"
#include "link/wiring.h"
#include "mem/layout.h"
#include "mem/settings.h"

enum {
	/* for words that are wrong: a chip keeps those of an earlier run until its host writes its
	 * own, and while its host programs it, it answers with ones */
	GRACE_MS = 2000,
	SURE_MS = 500,	  /* where they are of this run */
	GONE_MS = 500,	  /* time for the neighbours to read that this host gives up */
	NOTE_MS = 3000,	  /* between two lines that name the missing hosts */
	OUT_S = 60,	  /* without a limit: for a cable that is out */
	SETTLE_MS = 3000, /* all hosts are there: so long a port may take to see its cable */
};

/* ---- one link ---- */

/* State of the handshake on one link. */
static struct session {
	enum rb_hello_state state;
	uint16_t token, peer_token;
	uint64_t wrong; /* when the neighbour's words became wrong; 0: they are right */
	bool sure;	/* not of an earlier run */
	uint64_t down;	/* since when the link is; 0: it is up */
	char why[256];
	char port[200]; /* what the port says of its link, after a ";" */
} sessions[RB_MAX_PORTS];

int
rb_handshake_init(void)
{
	uint32_t r[RB_MAX_PORTS], job[2];
	unsigned int port;

	if (getrandom(r, sizeof(r), 0) != (ssize_t)sizeof(r) ||
	    getrandom(job, sizeof(job), 0) != (ssize_t)sizeof(job))
		return rb_fail(-EIO, "cannot draw a token for the hello: getrandom failed");
	/* not 0, which stands for none, nor ones, which a chip gives that refuses reads */
	for (port = 0; port < rb.ports; port++)
		sessions[port] = (struct session){.state = RB_HELLO_HERE,
						  .token = (uint16_t)((r[port] | 1) & ~2u)};
	if (rb.env.job == 0 && rb.host == 0)
		rb.env.job = rb_env_nonce((uint64_t)job[0] << 32 | job[1]);
	return 0;
}

/* The neighbour's hash of the settings differs. Find out which setting differs. If its region
 * cannot be read yet, the error text of the hello stands. */
static int
explain_settings(const struct rb_link *link, const char *name)
{
	int beyond = rb_route_beyond(link); /* -1: not known yet */
	struct rb_region_hdr hdr;
	char unlike[256];

	rb_win_load(&hdr, link->peer, sizeof(hdr));
	if (hdr.magic != RB_MAGIC || hdr.version != RB_VERSION || hdr.job != rb.env.job ||
	    (beyond >= 0 && hdr.host != (uint32_t)beyond) ||
	    hdr.settings_hash != rb_settings_hash_of(&hdr.settings) ||
	    !rb_settings_differ(&hdr.settings, unlike, sizeof(unlike)))
		return -EPROTO;
	return rb_fail(-EPROTO, "%s link: host %u has %s", name, hdr.host, unlike);
}

/* The driver's reason, or doubt, to follow what a line of this file says. */
static const char *
port_says(const struct rb_link *link, struct session *g)
{
	snprintf(g->port, sizeof(g->port), "; ");
	ntb_why_down(link->port, g->port + 2, sizeof(g->port) - 2);
	return g->port[2] == '\0' ? "" : g->port;
}

/* Read the first page of the peer's region through the window. This proves that the translations of
 * both sides lead to the memory that the hello describes. */
static int
check_header(const struct rb_link *link, struct session *g, const char *name)
{
	struct rb_region_hdr hdr;

	rb_win_load(&hdr, link->peer, sizeof(hdr));
	if (hdr.version == UINT32_MAX) /* ones, as of a window whose link went down meanwhile */
		return rb_fail(-EAGAIN, "%s link: host %d's region cannot be read%s", name,
			       rb_route_beyond(link), port_says(link, g));
	if (hdr.magic != RB_MAGIC || hdr.version != RB_VERSION || hdr.job != rb.env.job ||
	    hdr.host != (uint32_t)rb_route_beyond(link) || hdr.settings_hash != rb_settings_hash())
		return rb_fail(-EPROTO, "%s link: the window does not show host %d's region", name,
			       rb_route_beyond(link));
	return 0;
}

static bool
token_arrives(const struct rb_link *link, uint16_t token)
{
	uint64_t seen;

	rb_win_port_drains(link->peer);
	return ntb_flush_at(link->port,
			    (uint64_t)((const uint8_t *)&link->theirs->token - link->peer),
			    &seen) == 0 &&
	       seen == token;
}

/* Reads work. Check that stores work too, in both directions: the token of each side must appear in
 * the memory of the other. It is stored on every look, because a neighbour that has restarted has
 * lost it, and read back, because nobody stores it again once the link is up: a port that is
 * programmed again drops stores meanwhile. */
static int
prove_stores(const struct rb_link *link, struct session *g, const char *name)
{
	rb_win_store64(&link->theirs->token, g->token);
	rb_win_wmb(link);
	if (!token_arrives(link, g->token))
		return rb_fail(-EAGAIN,
			       "%s link: stores of this host through its window do not arrive at "
			       "host %d%s",
			       name, rb_route_beyond(link), port_says(link, g));
	if (__atomic_load_n(&link->mine->token, __ATOMIC_ACQUIRE) == g->peer_token)
		return 0;
	return rb_fail(
		-EAGAIN,
		"%s link: stores of host %d through its window do not arrive here, although its "
		"registers can be read",
		name, rb_route_beyond(link));
}

/* The hello of a port without scratchpads is in the header of its host's region. Memory looks the
 * same through either port, so only scratchpads show which of them a cable leads to: without them
 * it joins a port 0 and a port 1, as in a ring. */
static bool
in_memory(const struct ntb_port *ntb)
{
	return ntb->spad_count < RB_SPAD_COUNT;
}

static void
write_words(unsigned int port, const uint32_t words[RB_SPAD_COUNT])
{
	uint32_t *hello = ((struct rb_region_hdr *)rb_mem.region)->hello[port & 1];
	struct ntb_port *ntb = rb.link[port].port;
	unsigned int i;

	for (i = RB_SPAD_COUNT; i-- > 0;) /* write the magic last */
		if (in_memory(ntb))
			__atomic_store_n(&hello[i], words[i], __ATOMIC_RELEASE);
		else
			ntb->ops->spad_write(ntb, i, words[i]);
}

/* The token first: while the others are read, the neighbour may begin to write, and go on until it
 * returns this host's token. Only a chip has words of an earlier run, so those in memory need no
 * order. */
static void
read_words(unsigned int port, uint32_t words[RB_SPAD_COUNT])
{
	const struct rb_link *link = &rb.link[port];
	const struct rb_region_hdr *theirs = (const struct rb_region_hdr *)link->peer;
	unsigned int i;

	if (in_memory(link->port)) {
		rb_win_load(words, theirs->hello[rb.far[port] & 1], RB_SPAD_COUNT * sizeof(*words));
		return;
	}
	for (i = RB_SPAD_COUNT; i-- > 0;)
		words[i] = link->port->ops->peer_spad_read(link->port, i);
}

/* Host 0 has drawn the nonce, and a neighbour has passed it on. */
static void
take_nonce(uint64_t job)
{
	rb.env.job = job;
	((struct rb_region_hdr *)rb_mem.region)->job = job;
	/* before the hello names it; the neighbours read the header after that */
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/* Write this host's hello on one link, then judge the neighbour's. In this order the first words of
 * a run return no token, and chips keep the words of an earlier run: a neighbour that finds its
 * token knows that the words beside it are of this run, too (tests/spin/hello.pml).
 *
 * Nobody writes the hello again once the link is up, so where all agrees it returns the token that
 * was read now: the look before may have read nothing, since a port that is programmed again
 * refuses reads meanwhile. */
static int
exchange_hello(unsigned int port, struct rb_hello_result *result)
{
	struct session *g = &sessions[port];
	struct rb_hello me = {
		.host = (unsigned int)rb.host,
		.hosts = (unsigned int)rb.hosts,
		.port = port,
		.peer = rb_wiring_name(port),
		.settings_hash = rb_settings_hash(),
		.job = rb.env.job,
		.token = g->token,
		.peer_token = g->peer_token,
	};
	uint32_t words[RB_SPAD_COUNT];
	int ret;

	rb_hello_words(&me, g->state, words);
	write_words(port, words);
	read_words(port, words);
	ret = rb_hello_judge(&me, words, result);
	g->peer_token = result->token;
	if (ret == 0 && me.peer_token != g->peer_token) {
		me.peer_token = g->peer_token;
		rb_hello_words(&me, g->state, words);
		write_words(port, words);
	}
	g->sure = result->alive;
	if (result->alive && ret != -EPROTO)
		rb_wiring_heard(port, result->host);
	if (ret == 0 || (ret == -EAGAIN && result->alive))
		g->wrong = 0;
	if (result->job != 0)
		take_nonce(result->job);
	return ret;
}

/* One look at one link. 0: up on both sides, -EAGAIN: not yet, other: an error. */
static int
handshake_step(unsigned int port)
{
	struct session *g = &sessions[port];
	const struct rb_link *link = &rb.link[port];
	enum ntb_link up = ntb_link_poll(link->port);
	struct rb_hello_result result;
	int ret;

	if (up != NTB_LINK_DOWN)
		g->down = 0;
	else if (g->down == 0)
		g->down = rb_now_ms();
	g->sure = false;
	if (up != NTB_LINK_UP)
		return rb_fail(-EAGAIN, "%s link is down: no cable, or %s is not there%s",
			       rb_port_name(port), rb_wiring_name(port), port_says(link, g));
	ret = exchange_hello(port, &result);
	if (ret == -EPROTO && result.unlike)
		return explain_settings(link, rb_port_name(port));
	if (ret == 0 && g->state == RB_HELLO_HERE) {
		ret = rb_wiring_met(port, result.host, result.port);
		if (ret == 0)
			ret = check_header(link, g, rb_port_name(port));
		if (ret < 0)
			return ret;
		g->state = RB_HELLO_AGREED;
		ret = exchange_hello(port, &result);
	}
	if (ret == 0)
		ret = prove_stores(link, g, rb_port_name(port));
	if (ret == 0 && result.state != RB_HELLO_AGREED)
		ret = rb_fail(-EAGAIN, "%s link: host %d does not see this host's hello%s",
			      rb_port_name(port), rb_route_beyond(link), port_says(link, g));
	return ret;
}

/* A neighbour whose words were wrong and that then fell silent has found the mismatch too, and
 * left. */
static int
judge_wrong(struct session *g, int err)
{
	if (err == -EPROTO && g->wrong == 0)
		g->wrong = rb_now_ms();
	if (err == -EPROTO)
		snprintf(g->why, sizeof(g->why), "%s", rb_error());
	if (g->wrong == 0)
		return err;
	if (rb_now_ms() - g->wrong <= (g->sure ? SURE_MS : GRACE_MS))
		return -EAGAIN;
	return rb_fail(-EPROTO, "%s", g->why);
}

/* ---- all links ---- */

/* What the driver could not prove of a link that the hello has proved. */
static void
note_doubt(unsigned int port)
{
	const char *words = port_says(&rb.link[port], &sessions[port]);

	if (words[0] != '\0')
		rb_note("host %d: the %s cable is up%s", rb.host, rb_port_name(port), words);
}

/* A port that has no cable: its link stays down, although all hosts have started. */
static bool
no_cable(unsigned int port)
{
	uint64_t down = sessions[port].down;

	return down != 0 && rb_now_ms() - down > SETTLE_MS;
}

/* Each turn looks at all ports: a host that waited for one neighbour would never answer another,
 * which may wait for it. The error text is about the worst port, the first of those alike. */
static int
handshake_turn(void)
{
	bool all = rb_wiring_all_there();
	char why[256] = "";
	unsigned int port;
	int ret = 0;

	for (port = 0; port < rb.ports; port++) {
		struct rb_link *link = &rb.link[port];
		uint64_t breaks;
		int err;

		if (link->port == NULL || link->up)
			continue;
		breaks = rb_cable_breaks(port);
		err = judge_wrong(&sessions[port], handshake_step(port));
		if (err == 0) {
			rb_cable_watch(port, breaks);
			note_doubt(port);
		}
		if (err == 0 || (err == -EAGAIN && (ret != 0 || (all && no_cable(port)))) ||
		    ret == -EPROTO)
			continue;
		ret = err;
		snprintf(why, sizeof(why), "%s", rb_error());
	}
	return ret < 0 ? rb_fail(ret, "%s", why) : 0;
}

/* Announce the failure, so that the neighbours need not wait for a ring that will not come up. */
static void
give_up(void)
{
	struct rb_hello_result result;
	uint64_t start = rb_now_ms();
	struct rb_wait w = {0};
	unsigned int port;
	char why[256];

	snprintf(why, sizeof(why), "%s", rb_error());
	while (rb_now_ms() - start < GONE_MS) {
		for (port = 0; port < rb.ports; port++) {
			if (rb.link[port].port == NULL || rb.link[port].up)
				continue;
			sessions[port].state = RB_HELLO_GONE;
			exchange_hello(port, &result);
		}
		rb_wait_turn(&w);
	}
	rb_wait_end(&w);
	rb_fail(0, "%s", why);
}

static void
note_missing(void)
{
	unsigned int port;

	for (port = 0; port < rb.ports; port++)
		if (rb.link[port].port != NULL && !rb.link[port].up)
			rb_note("host %d: waiting for %s on the %s cable", rb.host,
				rb_wiring_name(port), rb_port_name(port));
}

/* The neighbour that has not answered yet; -1: it has not said yet which host it is. */
static int
missing_host(void)
{
	unsigned int port;

	for (port = 0; port < rb.ports - 1; port++)
		if (rb.link[port].port != NULL && !rb.link[port].up)
			break;
	return rb_route_neighbour(port);
}

/* Does a neighbour that was up before this host know of a lost cable? */
static bool
any_lost(void)
{
	unsigned int port, w;

	for (port = 0; port < rb.ports; port++)
		for (w = 0; rb.link[port].port != NULL && w < RB_CUT_WORDS; w++)
			if (__atomic_load_n(&rb.link[port].mine->cut[w], __ATOMIC_RELAXED) != 0)
				return true;
	return false;
}

/* Is a link down, and not only its neighbour slow to answer? */
static bool
any_down(void)
{
	unsigned int port;

	for (port = 0; port < rb.ports; port++)
		if (rb.link[port].port != NULL && !rb.link[port].up && sessions[port].down != 0)
			return true;
	return false;
}

/* Is it time to give up? 0: not yet. */
static int
judge_time(uint64_t began)
{
	int limit = rb_block_limit();
	char why[256];

	if (limit == 0) {
		if (rb_now_ns() - began < OUT_S * 1000000000ull || !any_down())
			return 0;
		limit = OUT_S;
	} else if (!rb_block_late(began, 0)) {
		return 0;
	}
	snprintf(why, sizeof(why), "%s", rb_error());
	return rb_fail(-ETIMEDOUT, "waited %d s (RINGBELL_HELLO_TIMEOUT): %s", limit, why);
}

/* The neighbour on the other port may have ended the job, or found out more. */
static int
look_round(void)
{
	rb_cable_look();
	return any_lost() ? rb_fail(-EIO, "a cable was lost before all hosts were there") : 0;
}

int
rb_handshake(void)
{
	uint64_t began = rb_now_ns(), noted = rb_now_ms();
	struct rb_wait w = {0};
	int ret, missing;

	rb_host_greets(began);
	while ((ret = handshake_turn()) == -EAGAIN) {
		ret = look_round();
		if (ret == 0)
			ret = judge_time(began);
		if (ret < 0)
			break;
		missing = missing_host();
		w.what = missing < 0 ? RB_FOR_OTHERS : RB_FOR_HOST;
		w.whom = (uint64_t)missing;
		if (rb.env.per_host_launcher && rb_now_ms() - noted > NOTE_MS) {
			noted = rb_now_ms();
			note_missing();
		}
		rb_wait_turn(&w);
	}
	rb_wait_end(&w);
	if (ret < 0 && rb.env.per_host_launcher)
		give_up();
	return ret;
}
