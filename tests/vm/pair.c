/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <rte_eal.h>
#include <rte_rawdev.h>

#include "pair.h"

enum {
	PATIENCE = 45, /* seconds; guests share two CPUs with much else */
	SPAD_MEET = 7,
	SPADS_FREE = 7,	  /* 0..6 are the checks' own */
	CHECKS_ALONE = 3, /* the first ones, which need no other guest */
};

void
pair_expect(struct pair *p, bool good, const char *fmt, ...)
{
	va_list ap;

	if (good || p->check == NULL)
		return;
	printf("not ok %s -- ", p->check);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	printf("\n");
	p->check = NULL;
	p->failed++;
}

static void
gave_up(const char *what)
{
	printf("not ok %s -- gave up after %d s\n", what, PATIENCE);
	fflush(stdout);
	exit(EXIT_FAILURE);
}

/* Told by a store into the peer's scratchpad, so that a side which has gone is not needed any
 * more by the one that comes last. */
void
pair_meet(struct pair *p)
{
	const struct ntb_port_ops *ops = p->port->ops;
	uint32_t mark = p->epoch << 8 | ++p->step, seen;
	time_t end = time(NULL) + PATIENCE;

	do {
		ops->peer_spad_write(p->port, SPAD_MEET, mark);
		seen = ops->spad_read(p->port, SPAD_MEET);
		if (seen >> 8 == p->epoch && seen >= mark)
			return;
	} while (time(NULL) < end);
	gave_up("meeting the other guest");
}

bool
pair_wait_link(struct pair *p, enum ntb_link want, int seconds)
{
	time_t end = time(NULL) + seconds;

	do {
		if (ntb_link_poll(p->port) == want)
			return true;
	} while (time(NULL) < end);
	return false;
}

static void
check_selftest(struct pair *p)
{
	int ret = rte_rawdev_selftest(p->port->dev_id);

	pair_expect(p, ret == 0, "rte_rawdev_selftest: %s", strerror(-ret));
}

static void
check_probe(struct pair *p)
{
	struct rte_rawdev_info raw = {0};

	pair_expect(p,
		    rte_rawdev_info_get(p->port->dev_id, &raw, 0) == 0 &&
			    strcmp(raw.driver_name, "raw_ntb_plx") == 0,
		    "the port is not raw_ntb_plx's");
	pair_expect(p, p->port->caps == (p->uncached ? 0 : NTB_CAP_WINDOW_WC),
		    "capabilities 0x%x: resource2_wc %s", p->port->caps,
		    p->uncached ? "used without UIO" : "unused");
	pair_expect(p, p->info.window_align == p->info.window_size / 128,
		    "alignment 0x%llx: no look-up table found",
		    (unsigned long long)p->info.window_align);
	pair_expect(p, p->port->window_iova != 0 && p->port->window_iova % p->info.window_size == 0,
		    "window at bus 0x%llx", (unsigned long long)p->port->window_iova);
}

/* Memory with a bus address that the guest's kernel gave, programmed into the chip. */
static void
check_start(struct pair *p)
{
	struct ntb_port_config conf = {
		.va = p->mz->addr, .iova = p->mz->iova, .len = PAIR_REGION, .fd = -1};
	struct rte_rawdev_info raw = {.dev_private = &conf};
	int ret = rte_rawdev_configure(p->port->dev_id, &raw, sizeof(conf));

	pair_expect(p, ret == 0, "configure: %s", strerror(-ret));
	ret = rte_rawdev_start(p->port->dev_id);
	pair_expect(p, ret == 0, "start: %s", strerror(-ret));
}

static void
check_link(struct pair *p)
{
	uint64_t speed = 0, width = 0, up = 0;

	pair_expect(p, pair_wait_link(p, NTB_LINK_UP, PATIENCE), "no link after %d s", PATIENCE);
	if (p->failed != 0)
		gave_up("link");
	rte_rawdev_get_attr(p->port->dev_id, "link_status", &up);
	rte_rawdev_get_attr(p->port->dev_id, "speed", &speed);
	rte_rawdev_get_attr(p->port->dev_id, "width", &width);
	pair_expect(p, up == 1 && speed == 3 && width == 8, "status %u, gen %u x%u",
		    (unsigned int)up, (unsigned int)speed, (unsigned int)width);
	pair_meet(p);
}

static void
check_scratchpads(struct pair *p)
{
	const struct ntb_port_ops *ops = p->port->ops;
	uint32_t i, got, me = 0x10000 * (p->role + 1), peer = 0x10000 * (2 - p->role);

	for (i = 0; i < SPADS_FREE; i++)
		ops->spad_write(p->port, i, me + i);
	pair_meet(p);
	for (i = 0; i < SPADS_FREE; i++) {
		got = ops->peer_spad_read(p->port, i);
		pair_expect(p, got == peer + i, "peer's %u reads 0x%x", i, got);
	}
	pair_meet(p);
	for (i = 0; i < SPADS_FREE; i++)
		ops->peer_spad_write(p->port, i, ~(me + i));
	pair_meet(p);
	for (i = 0; i < SPADS_FREE; i++) {
		got = ops->spad_read(p->port, i);
		pair_expect(p, got == ~(peer + i), "own %u reads 0x%x", i, got);
	}
	pair_meet(p);
}

/* In turns: what one rings the other one sees, and it alone. */
static void
check_doorbells(struct pair *p)
{
	uint32_t got;

	for (unsigned int bit = 0; bit < 16; bit++) {
		for (unsigned int ringer = 0; ringer < 2; ringer++) {
			uint32_t want = ringer == p->role ? 0 : 1u << bit;

			if (ringer == p->role)
				ntb_db_ring(p->port, 1u << bit);
			pair_meet(p);
			got = ntb_db_read(p->port);
			pair_expect(p, got == want, "guest %u rang %u: pending 0x%x", ringer, bit,
				    got);
			ntb_db_clear(p->port, want);
			got = ntb_db_read(p->port);
			pair_expect(p, got == 0, "after clear of 0x%x: pending 0x%x", want, got);
			pair_meet(p);
		}
	}
}

/* The rig pulls the cable when both have asked, and plugs it back in. */
static void
check_cable(struct pair *p)
{
	uint64_t status = 1;

	printf("@@pull\n");
	fflush(stdout);
	pair_expect(p, pair_wait_link(p, NTB_LINK_DOWN, PATIENCE), "still up %d s after the pull",
		    PATIENCE);
	rte_rawdev_get_attr(p->port->dev_id, "link_status", &status);
	pair_expect(p, status == 0, "link_status %u", (unsigned int)status);
	pair_expect(p, p->port->ops->peer_spad_read(p->port, 0) == UINT32_MAX,
		    "a scratchpad answers over no cable");
	pair_expect(p, ntb_flush(p->port) == -EIO, "flush over no cable succeeds");
	printf("@@plug\n");
	fflush(stdout);
	pair_expect(p, pair_wait_link(p, NTB_LINK_UP, PATIENCE), "no link %d s after the plug",
		    PATIENCE);
	if (p->check == NULL)
		gave_up("link");
	pair_meet(p);
}

/* Someone that knows nothing of a window does not reach this guest after stop. */
static void
check_stop(struct pair *p)
{
	pair_meet(p);
	rte_rawdev_stop(p->port->dev_id);
	pair_expect(p, ntb_link_poll(p->port) == NTB_LINK_DOWN, "up after stop");
}

struct check {
	const char *name;
	void (*run)(struct pair *p);
};

static const struct check checks[] = {
	{"probe: PCI id, three BARs, write combining if by UIO, look-up table", check_probe},
	{"selftest: rte_rawdev_selftest over true PCI", check_selftest},
	{"start: translation to bus addresses of the guest's kernel", check_start},
	{"link: up between two guests", check_link},
	{"scratchpads: all, both ways, from either side", check_scratchpads},
	{"doorbells: each of 16, both ways, seen and cleared", check_doorbells},
	{"window: first and last bytes of each slice, all widths", pair_window},
	{"bounds: nothing beyond the region answers", pair_bounds},
	{"dma: all sizes into the other guest's memory and back, by checksum", pair_dma},
	{"dma errors: a bad address is reported, and harms nothing else", pair_dma_errors},
	{"cable: link down and up, known on both sides", check_cable},
	{"window again: after the link came back", pair_window},
	{"dma again: after the link came back", pair_dma},
	{"stop: and the run ends in order", check_stop},
};

static int
open_port(struct pair *p)
{
	struct rte_rawdev_info raw = {.dev_private = &p->info};

	if (rte_rawdev_count() != 1 || rte_rawdev_info_get(0, &raw, sizeof(p->info)) != 0) {
		printf("not ok probe -- %u NT ports\n", rte_rawdev_count());
		return -ENODEV;
	}
	p->port = p->info.port;
	p->mz = rte_memzone_reserve_aligned("inbound", PAIR_REGION, SOCKET_ID_ANY,
					    RTE_MEMZONE_IOVA_CONTIG,
					    (unsigned int)p->info.window_align);
	if (p->mz == NULL) {
		printf("not ok probe -- no contiguous memory\n");
		return -ENOMEM;
	}
	return 0;
}

static void
run_checks(struct pair *p, size_t first, size_t end)
{
	for (size_t i = first; i < end; i++) {
		p->check = checks[i].name;
		checks[i].run(p);
		if (p->check != NULL)
			printf("ok %s\n", p->check);
		fflush(stdout);
	}
}

int
main(int argc, char **argv)
{
	struct pair p = {.role = 0};
	int n = rte_eal_init(argc, argv);

	if (n < 0 || argc - n < 3) {
		fprintf(stderr, "usage: vm-pair EAL-OPTION... -- ROLE EPOCH [uncached] [visit | "
				"down | dark | gone]...\n");
		return 2;
	}
	p.role = atoi(argv[n + 1]) & 1;
	p.epoch = (uint32_t)atoi(argv[n + 2]);
	p.uncached = argc - n > 3 && strcmp(argv[n + 3], "uncached") == 0;
	n += p.uncached;
	if (open_port(&p) < 0)
		return EXIT_FAILURE;
	if (argc - n == 3) {
		run_checks(&p, 0, RTE_DIM(checks));
	} else {
		run_checks(&p, 0, CHECKS_ALONE);
		if (strcmp(argv[n + 3], "visit") == 0)
			pair_visit(&p);
		else
			pair_stay(&p, argc - n - 3, argv + n + 3);
	}
	rte_eal_cleanup();
	return p.failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
