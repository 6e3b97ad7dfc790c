/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "link/wiring.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/exit.h"
#include "base/graph.h"
#include "base/route.h"
#include "base/state.h"
#include "base/thread.h"
#include "base/window.h"
#include "base/wire.h"
#include "host/blocked.h"
#include "host/wait.h"
#include "link/cable.h"
#include "link/chan.h"
#include "mem/layout.h"

enum {
	NOTE_MS = 3000, /* between two lines that name the missing hosts */
};

int
rb_wiring_met(unsigned int port, unsigned int host, unsigned int far)
{
	uint64_t window = rb.link[port].port->window_size;

	if (rb_layout_reach(far) > window)
		return rb_fail(-EPROTO,
			       "%s link: the window of %llu bytes does not reach the slots of port "
			       "%u at host %u: set %s above %llu",
			       rb_port_name(port), (unsigned long long)window, far, host,
			       rb.link[port].port->setting,
			       (unsigned long long)rb_layout_reach(far));
	rb.neighbour[port] = (int)host;
	rb.far[port] = (uint8_t)far;
	rb_chan_attach(port);
	return 0;
}

static struct rb_region_hdr *
own_header(void)
{
	return (struct rb_region_hdr *)rb_mem.region;
}

static uint64_t
all_hosts(void)
{
	return UINT64_MAX >> (RB_MAX_HOSTS - rb.hosts);
}

void
rb_wiring_heard(unsigned int port, unsigned int host)
{
	rb.neighbour[port] = (int)host;
	__atomic_store_n(&own_header()->there, own_header()->there | 1ull << host,
			 __ATOMIC_RELAXED);
}

enum {
	NAMES = 160,
	NAMED_MOST = 3,
};

/* " 1 2 3" */
static void
list_hosts(uint64_t hosts, const char *between, char text[NAMES])
{
	size_t at = 0;

	for (text[0] = '\0'; hosts != 0 && at < NAMES - 16; hosts &= hosts - 1)
		at += (size_t)snprintf(text + at, NAMES - at, "%s %d", at == 0 ? "" : between,
				       __builtin_ctzll(hosts));
}

const char *
rb_wiring_name(unsigned int port)
{
	static char text[NAMES + 8]; /* the handshake is one thread's */
	uint64_t missing = all_hosts() & ~(own_header()->there | 1ull << rb.host);
	char hosts[NAMES];

	if (rb_route_neighbour(port) >= 0)
		missing = 1ull << rb_route_neighbour(port);
	if (missing == 0 || __builtin_popcountll(missing) > NAMED_MOST)
		return "the host at the other end";
	list_hosts(missing, " or", hosts);
	snprintf(text, sizeof(text), "host%s", hosts);
	return text;
}

/* Release: pairs with the fence of the neighbours in take_rows(). */
static void
row_is_here(unsigned int host)
{
	__atomic_store_n(&own_header()->rows, own_header()->rows | 1ull << host, __ATOMIC_RELEASE);
}

static void
write_own_row(void)
{
	uint8_t(*row)[2] = own_header()->row[rb.host];
	unsigned int port;

	memset(row, RB_PORT_NONE, sizeof(own_header()->row[0]));
	for (port = 0; port < rb.ports; port++)
		if (rb.link[port].port != NULL) {
			row[port][0] = (uint8_t)rb_route_neighbour(port);
			row[port][1] = rb.far[port];
		}
	row_is_here((unsigned int)rb.host);
}

/* A host's word grows only, and says nothing of what that host stored. Untrusted: at worst this
 * host does not wait for a cable that it has. */
bool
rb_wiring_all_there(void)
{
	uint64_t there = own_header()->there | 1ull << rb.host, theirs;
	unsigned int port;

	for (port = 0; port < rb.ports; port++)
		if (rb.link[port].port != NULL && rb.link[port].up) {
			rb_win_load(&theirs,
				    rb.link[port].peer + offsetof(struct rb_region_hdr, there),
				    sizeof(theirs));
			there |= theirs & all_hosts();
		}
	__atomic_store_n(&own_header()->there, there, __ATOMIC_RELAXED);
	return there == all_hosts();
}

/* What the neighbour has and this host has not. Untrusted: rb_wiring_routes() checks the rows. */
static void
take_rows(const struct rb_link *link)
{
	const struct rb_region_hdr *theirs = (const struct rb_region_hdr *)link->peer;
	uint64_t news;
	uint32_t magic;

	rb_win_load(&news, &theirs->rows, sizeof(news));
	/* pairs with row_is_here() */
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	rb_win_rmb(link);
	for (news &= all_hosts() & ~own_header()->rows; news != 0; news &= news - 1) {
		unsigned int host = (unsigned int)__builtin_ctzll(news);

		rb_win_load(own_header()->row[host], theirs->row[host], sizeof(theirs->row[host]));
		/* a cable that has gone answers with ones, which say that there are no cables */
		rb_win_rmb(link);
		rb_win_load(&magic, &theirs->magic, sizeof(magic));
		if (magic != RB_MAGIC)
			return;
		row_is_here(host);
	}
}

/* Of hosts that are started one by one. */
static void
note_missing(uint64_t *noted)
{
	uint64_t missing = all_hosts() & ~own_header()->there;
	char hosts[NAMES];

	if (!rb.env.per_host_launcher || missing == 0 || rb_now_ms() - *noted < NOTE_MS)
		return;
	*noted = rb_now_ms();
	list_hosts(missing, "", hosts);
	rb_note("host %d: its cables are up, waiting for host%s", rb.host, hosts);
}

static int
fail_late(void)
{
	char hosts[NAMES];

	list_hosts(all_hosts() & ~own_header()->rows, "", hosts);
	return rb_fail(-ETIMEDOUT,
		       "no way leads to host%s: it is not there, or the cables fall apart (waited "
		       "%d s, RINGBELL_HELLO_TIMEOUT)",
		       hosts, rb_block_limit());
}

int
rb_wiring_agree(void)
{
	struct rb_wait w = {.what = RB_FOR_OTHERS};
	uint64_t began = rb_now_ns(), noted = rb_now_ms();
	unsigned int port;
	int ret = 0;

	write_own_row();
	for (;;) {
		rb_wiring_all_there(); /* others may still wait for it */
		for (port = 0; port < rb.ports; port++)
			if (rb.link[port].port != NULL)
				take_rows(&rb.link[port]);
		if (own_header()->rows == all_hosts())
			break;
		rb_cable_look();
		note_missing(&noted);
		if (rb_block_limit() != 0 && rb_block_late(began, 0)) {
			ret = fail_late();
			break;
		}
		rb_wait_turn(&w);
	}
	rb_wait_end(&w);
	return ret < 0 ? ret : rb_wiring_routes();
}

int
rb_wiring_routes(void)
{
	char words[128];
	int h, p;

	rb_graph_init(&rb_cables, (unsigned int)rb.hosts);
	for (h = 0; h < rb.hosts; h++)
		for (p = 0; p < RB_MAX_PORTS; p++) {
			const uint8_t *end = own_header()->row[h][p];

			rb_cables.end[h][p] = (struct rb_end){end[0], end[1]};
		}
	if (rb_graph_check(&rb_cables, words, sizeof(words)) < 0)
		return rb_fail(-EPROTO, "wrong wiring: %s", words);
	rb_route_graph();
	return 0;
}
