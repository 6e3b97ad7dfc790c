/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Adapters as doc/hardware.md cables them: both NT ports of a chip in use, NT1 of each to NT0 of
 * the next. The registers of a chip show both its ports, so a port must find the one that has the
 * cable.
 */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include <rte_common.h>
#include <rte_eal.h>
#include <rte_rawdev.h>

#include "drv.h"
#include "drv_pair.h"
#include "plx_io_model.h"

#define MIB (1ull << 20)

enum {
	HOSTS_MAX = 5,
};

struct ring {
	int fd;
	unsigned int hosts;
	struct drv_port port[HOSTS_MAX][2]; /* of each host NT0 and NT1 */
};

static const char *
port_name(unsigned int host, unsigned int nt)
{
	static char name[RTE_RAWDEV_NAME_MAX_LEN];

	snprintf(name, sizeof(name), "raw_ntb_plx_emu_h%un%u", host, nt);
	return name;
}

static int
open_port(struct ring *r, unsigned int host, unsigned int nt)
{
	char more[64];

	snprintf(more, sizeof(more), ",hosts=%u,host=%u,nt=%u,bar2=4M", r->hosts, host, nt);
	return drv_port_open(&r->port[host][nt], port_name(host, nt), r->fd, DRV_RING, more, MIB);
}

static void
open_ring(struct ring *r, unsigned int hosts)
{
	*r = (struct ring){.fd = memfd_create("ring", MFD_CLOEXEC), .hosts = hosts};
	CU_ASSERT_TRUE_FATAL(r->fd >= 0);
	for (unsigned int i = 0; i < 2 * hosts; i++)
		CU_ASSERT_EQUAL_FATAL(open_port(r, i / 2, i % 2), 0);
}

static void
close_ring(struct ring *r)
{
	for (unsigned int i = 0; i < 2 * r->hosts; i++)
		drv_port_close(&r->port[i / 2][i % 2], port_name(i / 2, i % 2));
	close(r->fd);
}

static void
check_ring(struct ring *r)
{
	for (unsigned int host = 0; host < r->hosts; host++) {
		struct drv_port *right = &r->port[host][1];
		struct drv_port *left = &r->port[(host + 1) % r->hosts][0];

		CU_ASSERT_TRUE(drv_wait_link(right, left, NTB_LINK_UP));
		drv_check_cable(right, left);
		drv_check_cable(left, right);
	}
}

static void
test_rings(void)
{
	static const unsigned int sizes[] = {2, 3, HOSTS_MAX};

	for (unsigned int i = 0; i < RTE_DIM(sizes); i++) {
		struct ring r;

		open_ring(&r, sizes[i]);
		check_ring(&r);
		/* the loss of one link does not concern the other port */
		CU_ASSERT_EQUAL(drv_fault(&r.port[1][0], "fault_retrain", 1), 0);
		CU_ASSERT_EQUAL(r.port[1][1].port->ops->link_breaks(r.port[1][1].port), 0);
		CU_ASSERT_EQUAL(r.port[1][0].port->ops->link_breaks(r.port[1][0].port), 1);
		check_ring(&r);
		/* a host that leaves and comes back */
		drv_port_close(&r.port[0][0], port_name(0, 0));
		drv_port_close(&r.port[0][1], port_name(0, 1));
		CU_ASSERT_EQUAL_FATAL(open_port(&r, 0, 1), 0);
		CU_ASSERT_EQUAL_FATAL(open_port(&r, 0, 0), 0);
		check_ring(&r);
		close_ring(&r);
	}
}

/* The link stays down, and one line says why, however often it is asked. */
static void
check_refused(struct drv_port *p, const char *says)
{
	unsigned int lines;
	const char *text;

	drv_log_take(&lines);
	for (unsigned int i = 0; i < 5; i++)
		CU_ASSERT_EQUAL(ntb_link_poll(p->port), NTB_LINK_LOOP);
	text = drv_log_take(&lines);
	CU_ASSERT_EQUAL(lines, 1);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, says));
	CU_ASSERT_EQUAL(drv_xstat(p, "link_ups"), 0);
}

/* Both plugs of one cable in one adapter: its own registers answer instead of a peer's. */
static void
test_own_chip(void)
{
	struct ring r;

	open_ring(&r, 1);
	for (unsigned int nt = 0; nt < 2; nt++)
		check_refused(&r.port[0][nt],
			      "the cable leads back to the other NT port of this chip");
	close_ring(&r);
}

static void
test_own_port(void)
{
	for (unsigned int nt = 0; nt < 2; nt++) {
		struct drv_port *right;
		struct ring r;

		open_ring(&r, 2);
		right = &r.port[0][nt];
		CU_ASSERT_EQUAL(drv_fault(right, "fault_cable", 2), 0);
		check_refused(right, "the cable leads back to this port itself");
		/* where it belongs */
		CU_ASSERT_EQUAL(drv_fault(right, "fault_cable", 0), 0);
		check_ring(&r);
		CU_ASSERT_EQUAL(drv_xstat(right, "link_ups"), 1);
		close_ring(&r);
	}
}

int
main(void)
{
	static const struct test_case tests[] = {
		{"rings of adapters with both NT ports", test_rings},
		{"a cable between the ports of one adapter", test_own_chip},
		{"a cable with both plugs in one port", test_own_port},
	};

	return run_suite_around("adapters with two NT ports", drv_setup_logged, drv_cleanup, tests,
				RTE_DIM(tests));
}
