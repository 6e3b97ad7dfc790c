/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * What neighbours say of the cables of all hosts: host 1 of the chain 0-1-2-3, whose ports 0 and 1
 * lead to the host before and the next one. Any of it may be wrong.
 */
#include <errno.h>
#include <string.h>

#include "base/env.h"
#include "base/error.h"
#include "base/route.h"
#include "base/state.h"
#include "base/wire.h"
#include "link/wiring.h"
#include "mem/layout.h"
#include "cases.h"
#include "ring_host.h"

static uint64_t
link_breaks(struct ntb_port *port)
{
	return 0;
}

static const struct ntb_port_ops ops = {.link_breaks = link_breaks};

static struct rb_region_hdr *
header_of(unsigned int port)
{
	return (struct rb_region_hdr *)beyond[port];
}

/* The neighbour at @p port shows a cable of a host. */
static void
show(unsigned int port, unsigned int host, unsigned int its, uint8_t far_host, uint8_t far_port)
{
	uint8_t(*row)[2] = header_of(port)->row[host];

	if ((header_of(port)->rows >> host & 1) == 0)
		memset(row, RB_PORT_NONE, sizeof(header_of(port)->row[0]));
	row[its][0] = far_host;
	row[its][1] = far_port;
	header_of(port)->rows |= 1ull << host;
}

static void
set_up(void)
{
	static const struct ring_shape shape = {.hosts = 4, .each = 1, .slots = 8, .links = 3};
	unsigned int port;

	ring_set_up(&shape);
	rb.ring = false;
	rb.env.hello_timeout = 1;
	for (port = 0; port < 2; port++) {
		ports[port] = (struct ntb_port){.ops = &ops, .window_size = rb_mem.lay.size};
		header_of(port)->magic = RB_MAGIC;
		CU_ASSERT_EQUAL(rb_wiring_met(port, 2 * port, port ^ 1), 0);
	}
	memset(((struct rb_region_hdr *)rb_mem.region)->row, 0, RB_MAX_HOSTS * RB_MAX_PORTS * 2);
	((struct rb_region_hdr *)rb_mem.region)->rows = 0;
	show(0, 0, 1, 1, 0);
	show(1, 2, 0, 1, 1);
	show(1, 2, 1, 3, 0);
	show(1, 3, 0, 2, 1);
}

static void
tear_down(void)
{
	ring_tear_down();
}

/* A neighbour has more ports than this host, and the cable is at one of those. */
static void
test_more_ports(void)
{
	uint64_t reach = rb_layout_reach(5);

	CU_ASSERT(reach > rb_mem.lay.size);
	CU_ASSERT_EQUAL(reach, rb_mem.lay.slot[5] + 4ull * 8 * rb.chunk);
	CU_ASSERT_EQUAL(rb_wiring_met(1, 2, 5), -EPROTO);
	CU_ASSERT_PTR_NOT_NULL(strstr(rb_error(), "does not reach the slots of port 5 at host 2"));
	ports[1].window_size = reach;
	CU_ASSERT_EQUAL(rb_wiring_met(1, 2, 5), 0);
	CU_ASSERT_EQUAL((uint8_t *)rb.link[1].tx[0].desc - beyond[1], rb_mem.lay.desc[5]);
	CU_ASSERT_EQUAL((uint8_t *)rb.link[1].theirs - beyond[1], rb_mem.lay.ctl[5]);
}

static void
fails(int error, const char *because)
{
	CU_ASSERT_EQUAL(rb_wiring_agree(), error);
	CU_ASSERT_PTR_NOT_NULL(strstr(rb_error(), because));
	set_up();
}

static void
test_agrees(void)
{
	const struct rb_region_hdr *own = (const struct rb_region_hdr *)rb_mem.region;

	/* hosts that there are not, and a row that this host knows better, are not taken */
	show(0, 4, 0, 1, 1);
	show(1, 1, 0, 3, 3);
	CU_ASSERT_EQUAL(rb_wiring_agree(), 0);
	CU_ASSERT_EQUAL(own->rows, 15);
	CU_ASSERT_EQUAL(own->row[1][0][0], 0);
	CU_ASSERT_EQUAL(own->row[4][0][0], 0);
	CU_ASSERT_EQUAL(rb_routes[0].port, 0);
	CU_ASSERT_EQUAL(rb_routes[3].port, 1);
	CU_ASSERT_EQUAL(rb_routes[3].hops, 2);
}

static void
test_wrong_rows(void)
{
	show(1, 3, 1, 200, 0);
	fails(-EPROTO, "host 3, port 1 leads to host 200, port 0: there is no such host or port");
	show(1, 3, 1, 0, RB_MAX_PORTS);
	fails(-EPROTO, "host 3, port 1 leads to host 0, port 8: there is no such host or port");
	show(1, 3, 1, 3, 1);
	fails(-EPROTO, "a cable joins two hosts");
	show(1, 3, 1, 0, 0);
	fails(-EPROTO, "host 3, port 1 leads to host 0, port 0: which sees no cable there");
	show(1, 3, 1, 0, 1);
	fails(-EPROTO, "host 3, port 1 leads to host 0, port 1: which sees another host there");
	show(0, 0, 1, 2, 0);
	fails(-EPROTO, "which sees another host there");
	/* no cable of host 3 leads anywhere */
	header_of(1)->row[3][0][1] = RB_PORT_NONE;
	header_of(1)->row[2][1][1] = RB_PORT_NONE;
	fails(-EPROTO, "no cables lead from host 0 to host 3");
}

/* A host hears of those that its neighbours know, as far as its cables are up. */
static void
test_all_there(void)
{
	const struct rb_region_hdr *own = (const struct rb_region_hdr *)rb_mem.region;

	rb.link[0].up = true;
	header_of(0)->there = 1;
	header_of(1)->there = ~3ull;
	rb.link[1].up = false;
	CU_ASSERT_FALSE(rb_wiring_all_there());
	CU_ASSERT_EQUAL(own->there, 3);
	rb.link[1].up = true;
	CU_ASSERT_TRUE(rb_wiring_all_there());
	CU_ASSERT_EQUAL(own->there, 15);
}

/* A dead link answers with ones, and a row may never come. */
static void
test_late_rows(void)
{
	header_of(1)->rows &= ~(1ull << 3);
	fails(-ETIMEDOUT, "no way leads to host 3: ");
	memset(header_of(1), 0xff, sizeof(*header_of(1)));
	fails(-ETIMEDOUT, "no way leads to host 2 3: ");
	/* the link goes after the load of that word, and before those of the rows */
	memset(header_of(1), 0xff, sizeof(*header_of(1)));
	header_of(1)->rows = 12;
	fails(-ETIMEDOUT, "no way leads to host 2 3: ");
}

TEST_PROGRAM("wiring", set_up, tear_down, {"hosts agree", test_agrees},
	     {"a neighbour with more ports", test_more_ports},
	     {"rows that do not fit", test_wrong_rows}, {"rows that do not come", test_late_rows},
	     {"hosts that have started", test_all_there})
