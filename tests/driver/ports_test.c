/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Two ports in one process, joined by a cable: emulated, or of a PCI bus.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include <rte_atomic.h>
#include <rte_common.h>
#include <rte_rawdev.h>

#include "drv.h"

#define A "raw_ntb_plx_emu0"
#define B "raw_ntb_plx_emu1"
#define MIB (1ull << 20)
#define WINDOW (16 * MIB)
#define REGION (3 * MIB)

static int cable = -1;
static struct drv_port a, b;

/* Every test starts with two fresh ports whose link is up. */
static void
plug(void)
{
	cable = drv_plug(&a, &b, ",bar2=16M", ",bar2=16M", REGION);
	CU_ASSERT_TRUE(drv_wait_link(&a, &b, NTB_LINK_UP));
}

static void
unplug(void)
{
	drv_unplug(&a, &b, cable);
}

static void
test_info(void)
{
	static const struct {
		const char *name;
		uint64_t value;
	} attrs[] = {
		{"link_status", 1}, {"speed", 3},     {"width", 8},	 {"topo", 1},
		{"mw_count", 1},    {"db_count", 16}, {"spad_count", 8},
	};
	struct rte_rawdev_info raw = {0};
	struct ntb_port_info info;
	uint64_t v;
	int fd;

	CU_ASSERT_EQUAL(rte_rawdev_count(), 2);
	CU_ASSERT_EQUAL(rte_rawdev_info_get(a.dev_id, &raw, 0), 0);
	if (drv_place == NULL) {
		CU_ASSERT_STRING_EQUAL(raw.driver_name, "raw_ntb_plx_emu");
		CU_ASSERT_STRING_EQUAL(a.info.location, A);
		CU_ASSERT_EQUAL(a.port->caps, NTB_CAP_WINDOW_IS_MEMORY);
		CU_ASSERT_PTR_NOT_NULL(a.port->ops->wake_word(a.port));
		CU_ASSERT_EQUAL(a.port->ops->window_file(a.port, 0, REGION, &fd, &v), 0);
		CU_ASSERT_EQUAL(a.port->ops->window_file(a.port, 0, WINDOW + 1, &fd, &v),
				-ENOTCONN);
	} else {
		CU_ASSERT_STRING_EQUAL(raw.driver_name, "raw_ntb_plx");
		CU_ASSERT_EQUAL(a.port->caps, NTB_CAP_WINDOW_WC);
		CU_ASSERT_PTR_NULL(a.port->ops->wake_word(a.port));
		CU_ASSERT_EQUAL(a.port->ops->window_file(a.port, 0, REGION, &fd, &v), -ENOTSUP);
		CU_ASSERT_NOT_EQUAL(a.port->window_iova, 0);
	}
	CU_ASSERT_EQUAL(a.info.window_size, WINDOW);
	CU_ASSERT_EQUAL(a.port->window_size, WINDOW);
	CU_ASSERT(a.info.window_align != 0 && WINDOW % a.info.window_align == 0);
	CU_ASSERT_EQUAL(a.port->dev_id, a.dev_id);
	CU_ASSERT_EQUAL(a.port->db_count, 16);
	CU_ASSERT_EQUAL(a.port->spad_count, 8);
	raw.dev_private = &info;
	CU_ASSERT_EQUAL(rte_rawdev_info_get(a.dev_id, &raw, sizeof(info) - 1), -EINVAL);

	for (unsigned int i = 0; i < RTE_DIM(attrs); i++) {
		CU_ASSERT_EQUAL(rte_rawdev_get_attr(a.dev_id, attrs[i].name, &v), 0);
		CU_ASSERT_EQUAL(v, attrs[i].value);
	}
	CU_ASSERT_EQUAL(rte_rawdev_get_attr(a.dev_id, "colour", &v), -EINVAL);
	CU_ASSERT_EQUAL(rte_rawdev_set_attr(a.dev_id, "width", 4), -EINVAL);
}

/* Both ways, to the last byte of the region, and beyond it: no slice is enabled there, so nothing
 * answers and nothing breaks. */
static void
test_traffic(void)
{
	const uint64_t last = REGION - 8;

	drv_check_cable(&a, &b);
	drv_check_cable(&b, &a);
	CU_ASSERT_EQUAL(drv_xstat(&a, "doorbells_rung"), 16);
	*drv_window(&a, last) = 0xa5a5;
	CU_ASSERT_EQUAL(ntb_flush(a.port), 0);
	CU_ASSERT_EQUAL(*drv_region(&b, last), 0xa5a5);
	*drv_region(&a, 4096) = 0xcafe;
	CU_ASSERT_EQUAL(*drv_window(&b, 4096), 0xcafe);
	CU_ASSERT_EQUAL(*drv_region(&b, 4096), 0);
	*drv_window(&a, WINDOW - 8) = 1;
	rte_mb();
	CU_ASSERT_EQUAL(ntb_flush(a.port), 0);
	CU_ASSERT_EQUAL(drv_xstat(&a, "flushes"), 3);
	CU_ASSERT_EQUAL(drv_xstat(&a, "flush_failures"), 0);
	ntb_db_ring(b.port, 0x8011);
	ntb_db_clear(a.port, 0x0001);
	CU_ASSERT_EQUAL(ntb_db_read(a.port), 0x8010);
}

static void
test_masks(void)
{
	uint32_t *word, before;

	/* masked doorbells stay pending and wake no thread */
	word = a.port->ops->wake_word(a.port);
	if (word == NULL) { /* no thread sleeps there: they must only stay */
		a.port->ops->db_unmask(a.port, 0x0002);
		ntb_db_ring(b.port, 0x0001);
		CU_ASSERT_EQUAL(ntb_db_read(a.port), 0x0001);
		return;
	}
	before = __atomic_load_n(word, __ATOMIC_ACQUIRE);
	a.port->ops->db_unmask(a.port, 0x0002);
	ntb_db_ring(b.port, 0x0001);
	CU_ASSERT_EQUAL(ntb_db_read(a.port), 0x0001);
	CU_ASSERT_EQUAL(__atomic_load_n(word, __ATOMIC_ACQUIRE), before);
	ntb_db_ring(b.port, 0x0002);
	CU_ASSERT_NOT_EQUAL(__atomic_load_n(word, __ATOMIC_ACQUIRE), before);
	/* unmasking names all that may wake: bit 1 no longer does */
	a.port->ops->db_unmask(a.port, 0x0004);
	ntb_db_clear(a.port, 0xffff);
	before = __atomic_load_n(word, __ATOMIC_ACQUIRE);
	ntb_db_ring(b.port, 0x0002);
	CU_ASSERT_EQUAL(__atomic_load_n(word, __ATOMIC_ACQUIRE), before);
}

static void
test_scratchpads(void)
{
	unsigned int i;
	uint64_t v;

	/* no two numbers are one register */
	for (i = 0; i < a.port->spad_count; i++)
		a.port->ops->peer_spad_write(a.port, i, 0x01010101u * (i + 1));
	for (i = 0; i < a.port->spad_count; i++)
		CU_ASSERT_EQUAL(b.port->ops->spad_read(b.port, i), 0x01010101u * (i + 1));
	/* DPDK's user scratchpads: set reaches the peer, get reads one's own */
	CU_ASSERT_EQUAL(rte_rawdev_set_attr(a.dev_id, "spad_user_2", 0xabcdef), 0);
	CU_ASSERT_EQUAL(rte_rawdev_get_attr(b.dev_id, "spad_user_2", &v), 0);
	CU_ASSERT_EQUAL(v, 0xabcdef);
	CU_ASSERT_EQUAL(rte_rawdev_get_attr(b.dev_id, "spad_user_4", &v), -EINVAL);
	CU_ASSERT_EQUAL(rte_rawdev_get_attr(b.dev_id, "spad_user_", &v), -EINVAL);
	CU_ASSERT_EQUAL(rte_rawdev_get_attr(b.dev_id, "spad_user_22", &v), -EINVAL);
	CU_ASSERT_EQUAL(rte_rawdev_set_attr(a.dev_id, "spad_user_0", 1ull << 32 | 5), 0);
	CU_ASSERT_EQUAL(b.port->ops->spad_read(b.port, 4), 5);
}

static void
test_xstats(void)
{
	struct rte_rawdev_xstats_name names[64];
	unsigned int ids[64], id, i;
	uint64_t values[64];
	int n;

	n = rte_rawdev_xstats_names_get(a.dev_id, NULL, 0);
	CU_ASSERT_FATAL(n > 0 && n <= 64);
	CU_ASSERT_EQUAL(rte_rawdev_xstats_names_get(a.dev_id, names, n), n);
	ntb_db_ring(a.port, 1);
	ntb_db_ring(a.port, 2);
	for (i = 0; i < (unsigned int)n; i++)
		ids[i] = i;
	CU_ASSERT_EQUAL(rte_rawdev_xstats_get(a.dev_id, ids, values, n), n);
	for (id = 0; strcmp(names[id].name, "doorbells_rung") != 0 && id + 1 < (unsigned int)n;)
		id++;
	CU_ASSERT_EQUAL(values[id], 2);
	CU_ASSERT_EQUAL(rte_rawdev_xstats_reset(a.dev_id, &id, 1), 0);
	CU_ASSERT_EQUAL(drv_xstat(&a, "doorbells_rung"), 0);
	CU_ASSERT_EQUAL(drv_xstat(&a, "link_ups"), 1);
	CU_ASSERT_EQUAL(rte_rawdev_xstats_reset(a.dev_id, NULL, 0), 0);
	CU_ASSERT_EQUAL(drv_xstat(&a, "link_ups"), 0);

	id = n;
	CU_ASSERT_EQUAL(rte_rawdev_xstats_get(a.dev_id, &id, values, 1), -EINVAL);
	CU_ASSERT_EQUAL(rte_rawdev_xstats_reset(a.dev_id, &id, 1), -EINVAL);
}

/* What the dump of the port says. The caller frees it. */
static char *
dump(void)
{
	size_t size = 0;
	char *text = NULL;
	FILE *f = open_memstream(&text, &size);

	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	CU_ASSERT_EQUAL(rte_rawdev_dump(a.dev_id, f), 0);
	fclose(f);
	return text;
}

static void
test_dump(void)
{
	char *text;

	text = dump();
	CU_ASSERT_PTR_NOT_NULL(strstr(text, a.info.location));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "PEX 8749 NT0"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "link up gen 3 x8"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "128 A-LUT slices"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "doorbells_rung 0"));
	CU_ASSERT_PTR_NULL(strstr(text, "(register 0x"));
	free(text);
	rte_rawdev_stop(a.dev_id);
	text = dump();
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "the port is disabled in its chip (register 0x"));
	free(text);
}

static void
test_selftest(void)
{
	CU_ASSERT_EQUAL(rte_rawdev_selftest(a.dev_id), -EBUSY);
	rte_rawdev_stop(a.dev_id);
	a.port->ops->spad_write(a.port, 3, 0x1234);
	CU_ASSERT_EQUAL(rte_rawdev_selftest(a.dev_id), 0);
	CU_ASSERT_EQUAL(a.port->ops->spad_read(a.port, 3), 0x1234);
	/* all as it was: the port goes on */
	CU_ASSERT_EQUAL(rte_rawdev_start(a.dev_id), 0);
	CU_ASSERT_TRUE(drv_wait_link(&a, &b, NTB_LINK_UP));
	*drv_window(&b, 64) = 99;
	CU_ASSERT_EQUAL(*drv_region(&a, 64), 99);
}

DRV_PROGRAM("two ports and a cable", plug, unplug, {"info and attributes", test_info, false},
	    {"traffic", test_traffic, false}, {"masks", test_masks, false},
	    {"scratchpads", test_scratchpads, false}, {"xstats", test_xstats, false},
	    {"dump", test_dump, false}, {"self-test", test_selftest, false})
