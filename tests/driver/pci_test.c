/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * The PCI probe path with no adapter: the EAL scans a made-up sysfs tree and maps ordinary files as
 * BARs. Such registers have no side effects, so the driver's writes can be read back in the file.
 * The test does what a chip would do by itself.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include <bus_pci_driver.h>
#include <rte_common.h>
#include <rte_dev.h>
#include <rte_eal.h>
#include <rte_rawdev.h>

#include "drv.h"
#include "fake_plx.h"

#define MIB (1ull << 20)
#define WINDOW (64 * MIB)
#define V PLX_NT_VIRT(0)
#define L PLX_NT_LINK(0)
#define V1 PLX_NT_VIRT(1)
#define L1 PLX_NT_LINK(1)

/* An NT0 with look-up table; an NT1 without; functions that must be left alone or refused. */
static struct fake_pci good = {
	.bdf = "0000:01:00.0",
	.uio = 870,
	.device = 0x87b0,
	.size = {PLX_CHIP_SIZE, 0, WINDOW, 0, MIB},
	.wc = {[0] = true, [2] = true, [4] = true},
};
static struct fake_pci plain = {
	.bdf = "0000:02:00.0",
	.above = "pci0000:80/0000:80:03.0/0000:81:00.0/0000:82:08.0",
	.uio = 871,
	.device = 0x87b1,
	.size = {PLX_CHIP_SIZE, 0, WINDOW, 0, MIB},
};
#define FUNCTION(at, n, id, ...)                                                             \
	{                                                                                    \
		.bdf = at, .uio = n, .device = id, .size = { PLX_CHIP_SIZE, 0, __VA_ARGS__ } \
	}
static struct fake_pci link_side = FUNCTION("0000:03:00.0", 872, 0x87a0, WINDOW, 0, MIB);
static struct fake_pci no_bar4 = {
	.bdf = "0000:04:00.0",
	.uio = 873,
	.device = 0x87b0,
	.size = {PLX_CHIP_SIZE, 0, WINDOW},
	.wc = {[2] = true},
};
static struct fake_pci tiny = FUNCTION("0000:08:00.0", 877, 0x87b0, MIB);
static struct fake_pci dead = FUNCTION("0000:05:00.0", 874, 0x87b0, WINDOW, 0, MIB);
static struct fake_pci narrow = FUNCTION("0000:07:00.0", 876, 0x87b0, WINDOW, 0, MIB);
static struct fake_pci other = {
	.bdf = "0000:06:00.0",
	.uio = 875,
	.device = 0x8749,
	.size = {PLX_CHIP_SIZE},
};

static uint8_t region[4 * 2 * MIB];

static struct ntb_port *
port_of(const char *name, struct ntb_port_info *info)
{
	struct rte_rawdev_info raw = {.dev_private = info};

	memset(info, 0, sizeof(*info));
	if (rte_rawdev_info_get(rte_rawdev_get_dev_id(name), &raw, sizeof(*info)) < 0)
		return NULL;
	return info->port;
}

/* The Link BAR is as small as a region allows, and a slice of the A-LUT with it. */
static void
check_align(struct ntb_port *port, uint64_t slices)
{
	static const struct {
		uint64_t len, bar;
	} want[] = {{1, MIB},		{MIB, MIB},	  {MIB + 1, 2 * MIB},  {5 * MIB, 8 * MIB},
		    {33 * MIB, WINDOW}, {WINDOW, WINDOW}, {3 * WINDOW, WINDOW}};
	unsigned int i;

	for (i = 0; i < RTE_DIM(want); i++)
		CU_ASSERT_EQUAL(port->ops->region_align(port, want[i].len), want[i].bar / slices);
}

static void
test_probe(void)
{
	struct rte_rawdev_info raw = {0};
	struct ntb_port_info info;
	struct ntb_port *port;

	CU_ASSERT_EQUAL_FATAL(rte_rawdev_count(), 3);
	port = port_of("raw_ntb_plx:0000:01:00.0", &info);
	CU_ASSERT_PTR_NOT_NULL_FATAL(port);
	CU_ASSERT_STRING_EQUAL(info.location, "0000:01:00.0");
	CU_ASSERT_EQUAL(info.window_size, WINDOW);
	CU_ASSERT_EQUAL(info.window_align, WINDOW / 128);
	check_align(port, 128);
	CU_ASSERT_PTR_NOT_NULL(strstr(port->setting, "BAR2"));
	CU_ASSERT_EQUAL(port->caps, NTB_CAP_WINDOW_WC);
	CU_ASSERT_EQUAL(port->db_count, 16);
	CU_ASSERT_EQUAL(port->spad_count, 8);
	CU_ASSERT_EQUAL(rte_rawdev_info_get(port->dev_id, &raw, 0), 0);
	CU_ASSERT_STRING_EQUAL(raw.driver_name, "raw_ntb_plx");

	/* the window is BAR2 itself */
	((volatile uint32_t *)port->window)[5] = 0xfeedbeef;
	CU_ASSERT_EQUAL(*fake_reg(&good, 2, 20), 0xfeedbeef);
	CU_ASSERT_PTR_NULL(port->ops->wake_word(port));

	port = port_of("raw_ntb_plx:0000:02:00.0", &info);
	CU_ASSERT_PTR_NOT_NULL_FATAL(port);
	CU_ASSERT_EQUAL(info.window_align, WINDOW);
	check_align(port, 1);
	CU_ASSERT_EQUAL(port->caps, 0);
}

/* Write combining is for the window's data alone: loads of such memory come early and wide. */
static void
test_maps(void)
{
	static const char *const want[][FAKE_BARS] = {
		{[0] = "resource0", [2] = "resource2_wc", [4] = "resource4"},
		{[0] = "resource0", [2] = "resource2", [4] = "resource4"},
	};
	const struct fake_pci *f[] = {&good, &plain};
	unsigned int i, bar;

	for (i = 0; i < RTE_DIM(f); i++) {
		struct rte_rawdev_info raw = {0};
		const struct rte_pci_device *pci;
		char name[RTE_RAWDEV_NAME_MAX_LEN];

		snprintf(name, sizeof(name), "raw_ntb_plx:%s", f[i]->bdf);
		CU_ASSERT_EQUAL_FATAL(rte_rawdev_info_get(rte_rawdev_get_dev_id(name), &raw, 0), 0);
		pci = container_of(raw.device, const struct rte_pci_device, device);
		for (bar = 0; bar < FAKE_BARS; bar += 2)
			fake_plx_check_map(pci->mem_resource[bar].addr, want[i][bar]);
	}
}

static void
test_refused(void)
{
	const char *text;
	unsigned int lines;

	/* what rte_eal_init() made the driver say: one line for each function that it refused, one
	 * for registers that are prefetchable, and one for a missing BAR4 */
	text = drv_log_take(&lines);
	CU_ASSERT_EQUAL(lines, 6);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "0000:01:00.0: BAR0, the registers, is prefetchable"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text,
				      "raw_ntb_plx:0000:07:00.0: BAR2 reads 0x00000008, a BAR "
				      "of 32 bits"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "0000:03:00.0: an NT-Link function"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "0000:04:00.0: BAR4 is off: the lower half of BAR2"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "0000:08:00.0: BAR4 is off, which reaches the peer's "
					    "registers, and BAR2 is too small to be shared"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "raw_ntb_plx:0000:05:00.0: registers read all ones"));
}

static int
configure(const char *name, uint64_t iova, uint64_t len)
{
	struct ntb_port_config conf = {.va = region, .iova = iova, .len = len, .fd = -1};
	struct rte_rawdev_info raw = {.dev_private = &conf};

	return rte_rawdev_configure(rte_rawdev_get_dev_id(name), &raw, sizeof(conf));
}

static void
test_program(void)
{
	const uint64_t len = 5 * MIB, slice = 8 * MIB / 128, iova = 0x2400000000 + 3 * slice;
	int dev = rte_rawdev_get_dev_id("raw_ntb_plx:0000:01:00.0");
	unsigned int i;

	CU_ASSERT_EQUAL(configure("raw_ntb_plx:0000:01:00.0", iova + slice / 2, len), -EINVAL);
	CU_ASSERT_EQUAL(rte_rawdev_start(dev), -EINVAL);
	CU_ASSERT_EQUAL(configure("raw_ntb_plx:0000:01:00.0", iova, len), 0);
	/* no request passes before start */
	CU_ASSERT_EQUAL(*fake_reg(&good, 0, L + PLX_CMD), 0);
	CU_ASSERT_EQUAL(rte_rawdev_start(dev), 0);

	/* addresses on the cable: registers at 4 << 61, memory at 2 << 61 */
	CU_ASSERT_EQUAL(*fake_reg(&good, 0, L + 0xe4), 3);
	CU_ASSERT_EQUAL(*fake_reg(&good, 0, L + 0x10), 4);
	CU_ASSERT_EQUAL(*fake_reg(&good, 0, L + 0x14), 0x80000000);
	CU_ASSERT_EQUAL(*fake_reg(&good, 0, L + 0x18) & ~0xfu, 0);
	CU_ASSERT_EQUAL(*fake_reg(&good, 0, L + 0x1c), 0x40000000);
	CU_ASSERT_EQUAL(*fake_reg(&good, 0, V + 0xc3c), 0);
	CU_ASSERT_EQUAL(*fake_reg(&good, 0, V + 0xc40), 0x40000000);
	CU_ASSERT_EQUAL(*fake_reg(&good, 0, V + 0xc44), 0);
	CU_ASSERT_EQUAL(*fake_reg(&good, 0, V + 0xc48), 0x80000000);
	/* 8 MiB, 64-bit, prefetchable; nothing behind BAR4 */
	CU_ASSERT_EQUAL(*fake_reg(&good, 0, L + 0xe8), 0xff80000c);
	CU_ASSERT_EQUAL(*fake_reg(&good, 0, L + 0xec), 0xffffffff);
	CU_ASSERT_EQUAL(*fake_reg(&good, 0, L + 0xf0), 0);
	CU_ASSERT_EQUAL(*fake_reg(&good, 0, L + 0xf4), 0);

	/* requester ids: all devices of the segment's bus 0; here 0:0, the captured 3a:00, I/OAT */
	CU_ASSERT_EQUAL(*fake_reg(&good, 0, L + 0xdb4), 0x00090001);
	CU_ASSERT_EQUAL(*fake_reg(&good, 0, L + 0xdf0), 0x00f900f1);
	CU_ASSERT_EQUAL(*fake_reg(&good, 0, V + 0xd94), 0x3a010001);
	CU_ASSERT_EQUAL(*fake_reg(&good, 0, V + 0xd98), 0x40210021);
	CU_ASSERT_EQUAL(*fake_reg(&good, 0, V + 0xd9c), 0xc0218021);
	/* none of the chip's DMA functions here; device 0 of the captured bus, for stores */
	CU_ASSERT_EQUAL(*fake_reg(&good, 0, V + 0xda0), 0x3a010000);

	/* the table that both NTs share: NT0's inbound half is the second page */
	CU_ASSERT_EQUAL(*fake_reg(&good, 0, V + 0xc94), 0x10000000);
	CU_ASSERT_EQUAL(*fake_reg(&good, 0, L + 0xc94), 0);
	for (i = 0; i < 128; i++) {
		bool in = i * slice < len;
		uint64_t want = in ? iova + i * slice : 0;

		CU_ASSERT_EQUAL(*fake_reg(&good, 0, 0x39000 + 4 * i), (uint32_t)want);
		CU_ASSERT_EQUAL(*fake_reg(&good, 0, 0x39400 + 4 * i), want >> 32);
		CU_ASSERT_EQUAL(*fake_reg(&good, 0, 0x39800 + 4 * i), in ? 3 : 0);
	}

	/* link and requests enabled, in this order's end; only the own port's bit is touched */
	CU_ASSERT_EQUAL(*fake_reg(&good, 0, PLX_PORT_CTL(8)), PLX_PORT_CTL_DISABLE(10));
	CU_ASSERT_EQUAL(*fake_reg(&good, 0, L + PLX_CMD), 6);
	CU_ASSERT_EQUAL(*(volatile uint16_t *)(good.config + PLX_CMD), 6);
}

static void
test_program_plain(void)
{
	const char *name = "raw_ntb_plx:0000:02:00.0";

	/* without the table the base must be aligned to the BAR, which is as small as can be */
	CU_ASSERT_EQUAL(configure(name, 0x300000000 + 2 * MIB, 3 * MIB), -EINVAL);
	CU_ASSERT_EQUAL(configure(name, 0x300000000 + 4 * MIB, 3 * MIB), 0);
	CU_ASSERT_EQUAL(*fake_reg(&plain, 0, L1 + 0xe8), 0xffc0000c);
	CU_ASSERT_EQUAL(*fake_reg(&plain, 0, L1 + 0xc3c), 0x00400000);
	CU_ASSERT_EQUAL(*fake_reg(&plain, 0, L1 + 0xc40), 3);
	CU_ASSERT_EQUAL(*fake_reg(&plain, 0, V1 + 0xc94), 0);
	/* the DMA functions beside the upstream port, device 0 of the captured bus; then, for
	 * stores, the root port and device 0 of its bus */
	CU_ASSERT_EQUAL(*fake_reg(&plain, 0, V1 + 0xda0), 0x3a018101);
	CU_ASSERT_EQUAL(*fake_reg(&plain, 0, V1 + 0xda4), 0x80018019);
	CU_ASSERT_EQUAL(*fake_reg(&plain, 0, L1 + PLX_CMD), 0);
}

/* As FreeBSD's driver does with such an adapter: registers in the lower half, data in the upper. */
static void
test_shared(void)
{
	const char *name = "raw_ntb_plx:0000:04:00.0";
	struct ntb_port_info info;
	struct ntb_port *port = port_of(name, &info);

	CU_ASSERT_PTR_NOT_NULL_FATAL(port);
	CU_ASSERT_EQUAL(info.window_size, WINDOW / 2);
	CU_ASSERT_EQUAL(port->caps, NTB_CAP_WINDOW_WC);
	fake_plx_check_map(port->window, "resource2_wc");
	fake_plx_check_map((uint8_t *)port->window - WINDOW / 2, "resource2");
	fake_plx_check_map((uint8_t *)port->window - 1, "resource2");
	((volatile uint32_t *)port->window)[5] = 0xfeedbeef;
	CU_ASSERT_EQUAL(*fake_reg(&no_bar4, 2, WINDOW / 2 + 20), 0xfeedbeef);
	CU_ASSERT_EQUAL(configure(name, 0x300000000, MIB), 0);
	CU_ASSERT_EQUAL(*fake_reg(&no_bar4, 0, L + 0x10), 4);
	CU_ASSERT_EQUAL(*fake_reg(&no_bar4, 0, L + 0x14), 0x40000000);
	CU_ASSERT_EQUAL(*fake_reg(&no_bar4, 0, L + 0x18) & ~0xfu, WINDOW / 2);
	CU_ASSERT_EQUAL(*fake_reg(&no_bar4, 0, L + 0x1c), 0x40000000);
	CU_ASSERT_EQUAL(*fake_reg(&no_bar4, 0, V + 0xc40), 0x40000000);
	CU_ASSERT_EQUAL(*fake_reg(&no_bar4, 0, V + 0xc48), 0);
	ntb_db_ring(port, 0x42);
	CU_ASSERT_EQUAL(*fake_reg(&no_bar4, 2, V + PLX_DB_SET), 0x42);
	CU_ASSERT_EQUAL(rte_eal_hotplug_remove("pci", no_bar4.bdf), 0);
}

static void
test_signals(void)
{
	struct ntb_port_info info;
	struct ntb_port *port = port_of("raw_ntb_plx:0000:01:00.0", &info);

	CU_ASSERT_PTR_NOT_NULL_FATAL(port);
	ntb_db_ring(port, 0xdead8001);
	CU_ASSERT_EQUAL(*fake_reg(&good, 4, V + PLX_DB_SET), 0x8001);
	*fake_reg(&good, 0, V + PLX_DB_SET) = 0x0110;
	CU_ASSERT_EQUAL(ntb_db_read(port), 0x0110);
	ntb_db_clear(port, 0x0100);
	CU_ASSERT_EQUAL(*fake_reg(&good, 0, V + PLX_DB_CLEAR), 0x0100);
	port->ops->db_unmask(port, 0x00ff);
	CU_ASSERT_EQUAL(*fake_reg(&good, 0, V + PLX_DB_MASK_SET), 0xff00);
	CU_ASSERT_EQUAL(*fake_reg(&good, 0, V + PLX_DB_MASK_CLEAR), 0x00ff);

	port->ops->spad_write(port, 7, 0x11);
	CU_ASSERT_EQUAL(*fake_reg(&good, 0, V + 0xc88), 0x11);
	port->ops->peer_spad_write(port, 0, 0x22);
	CU_ASSERT_EQUAL(*fake_reg(&good, 4, V + 0xc6c), 0x22);
	CU_ASSERT_EQUAL(port->ops->peer_spad_read(port, 0), 0x22);
}

static void
test_link(void)
{
	struct ntb_port_info info;
	struct ntb_port *port = port_of("raw_ntb_plx:0000:01:00.0", &info);
	uint64_t speed = 0, width = 0;
	unsigned int lines;

	CU_ASSERT_PTR_NOT_NULL_FATAL(port);
	*fake_reg(&good, 0, V + PLX_LINK_EVENT) = 0;
	CU_ASSERT_EQUAL(ntb_link_poll(port), NTB_LINK_DOWN);
	drv_check_why(port, "no training");
	*fake_reg(&good, 0, PLX_PORT_CTL(8)) |= PLX_PORT_CTL_DISABLE(9);
	(void)port->ops->link_poll(port);
	drv_check_why(port, "the port is disabled in its chip (register 0x08208 reads 0x00000006)");
	*fake_reg(&good, 0, PLX_PORT_CTL(8)) &= ~PLX_PORT_CTL_DISABLE(9);
	*fake_reg(&good, 0, V + PLX_LNKSTA) = 3u << 16 | 8u << 20;
	CU_ASSERT_EQUAL(ntb_link_poll(port), NTB_LINK_DOWN); /* the peer does not answer yet */
	drv_check_why(port, "no program at the other end offers registers (register 0x3e000 of the "
			    "peer reads 0x00000000)");
	*fake_reg(&good, 4, V + PLX_ID) = 0x87b010b5;
	CU_ASSERT_EQUAL(ntb_link_poll(port), NTB_LINK_UP);
	CU_ASSERT_EQUAL(rte_rawdev_get_attr(port->dev_id, "speed", &speed), 0);
	CU_ASSERT_EQUAL(rte_rawdev_get_attr(port->dev_id, "width", &width), 0);
	CU_ASSERT_EQUAL(speed, 3);
	CU_ASSERT_EQUAL(width, 8);

	/* a retrain: the chip forgets its Link block and sets the event, which the driver writes
	 * back to clear and then programs all of it again */
	*fake_reg(&good, 0, L + PLX_CMD) = 0;
	*fake_reg(&good, 0, L + 0xe8) = 0;
	*fake_reg(&good, 0, V + PLX_LINK_EVENT) = 0xf;
	*fake_reg(&good, 4, V + PLX_ID) = UINT32_MAX;
	CU_ASSERT_EQUAL(ntb_link_poll(port), NTB_LINK_DOWN);
	CU_ASSERT_EQUAL(*fake_reg(&good, 0, V + PLX_LINK_EVENT), PLX_LINK_EVENT_CHANGE);
	CU_ASSERT_EQUAL(*fake_reg(&good, 0, L + 0xe8), 0xff80000c);
	CU_ASSERT_EQUAL(*fake_reg(&good, 0, L + PLX_CMD), 6);
	*fake_reg(&good, 0, V + PLX_LINK_EVENT) = 0;
	*fake_reg(&good, 4, V + PLX_ID) = 0x87b010b5;
	/* memory does not clear a mask as the chip does: stores seem not to arrive */
	drv_log_take(&lines);
	CU_ASSERT_EQUAL(ntb_link_poll(port), NTB_LINK_UP);
	CU_ASSERT_PTR_NOT_NULL(strstr(drv_log_take(&lines), "link up, but stores to the peer are "
							    "not seen there"));
	CU_ASSERT_EQUAL(lines, 1);
	drv_check_why(port, "(register 0x3ec64 of the peer reads 0x00008000)");

	CU_ASSERT_EQUAL(ntb_flush(port), 0);
	/* legal data while the peer takes requests */
	*fake_reg(&good, 2, 0) = *fake_reg(&good, 2, 4) = UINT32_MAX;
	CU_ASSERT_EQUAL(ntb_flush(port), -EIO);
	*fake_reg(&good, 4, V + PLX_CMD) = PLX_CMD_MEM | PLX_CMD_MASTER;
	CU_ASSERT_EQUAL(ntb_flush(port), 0);
	*fake_reg(&good, 4, V + PLX_ID) = UINT32_MAX;
	CU_ASSERT_EQUAL(ntb_flush(port), -EIO);
	*fake_reg(&good, 4, V + PLX_ID) = 0x87b010b5;
}

static void
test_no_side_effects(void)
{
	/* registers without write-1-to-clear are not those of a PEX: the self-test must say so */
	int dev = rte_rawdev_get_dev_id("raw_ntb_plx:0000:02:00.0");
	unsigned int lines;
	const char *text;

	drv_log_take(&lines);
	CU_ASSERT_EQUAL(rte_rawdev_selftest(dev), -EIO);
	text = drv_log_take(&lines);
	CU_ASSERT_EQUAL(lines, 1);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "selftest: doorbell set"));
	/* no fault hooks in hardware */
	CU_ASSERT_EQUAL(rte_rawdev_set_attr(dev, NTB_ATTR_FAULT_CABLE, 1), -ENOTSUP);
}

static void
test_surprise(void)
{
	struct ntb_port_info info;
	struct ntb_port *port = port_of("raw_ntb_plx:0000:01:00.0", &info);
	uint32_t off;

	CU_ASSERT_PTR_NOT_NULL_FATAL(port);
	CU_ASSERT_EQUAL(ntb_link_poll(port), NTB_LINK_UP);
	/* the adapter is gone: every read gives ones */
	for (off = 0; off < PLX_CHIP_SIZE; off += 4)
		*fake_reg(&good, 0, off) = UINT32_MAX;
	CU_ASSERT_EQUAL(ntb_link_poll(port), NTB_LINK_DOWN);
	CU_ASSERT_EQUAL(ntb_db_read(port), 0);
}

static void
test_remove(void)
{
	CU_ASSERT_EQUAL(rte_eal_hotplug_remove("pci", "0000:02:00.0"), 0);
	CU_ASSERT_EQUAL(rte_rawdev_count(), 1);
	/* neither translation nor permission outlives the driver */
	CU_ASSERT_EQUAL(*fake_reg(&plain, 0, L1 + 0xe8), 0);
	CU_ASSERT_EQUAL(*fake_reg(&plain, 0, L1 + 0xc40), 0);
	CU_ASSERT_EQUAL(*(volatile uint16_t *)(plain.config + PLX_CMD), 2);
	CU_ASSERT_EQUAL(rte_eal_hotplug_remove("pci", "0000:01:00.0"), 0);
	CU_ASSERT_EQUAL(rte_rawdev_count(), 0);
}

/* Devargs after the address. With safe=1: no table, and NT1 at slot 0. */
static void
test_safe(void)
{
	const char *name = "raw_ntb_plx:0000:02:00.0";
	unsigned int lines;

	fake_plx_power_on(&plain, 1, 9u << 16 | 3u << 30);
	*fake_reg(&plain, 0, V1 + PLX_ALUT_CTL) = PLX_ALUT_CTL_ENABLE;
	CU_ASSERT_NOT_EQUAL(rte_eal_hotplug_add("pci", plain.bdf, "safe=2"), 0);
	CU_ASSERT_NOT_EQUAL(rte_eal_hotplug_add("pci", plain.bdf, "bar2=4M"), 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(drv_log_take(&lines), "devarg safe=2: want safe=<0|1>"));
	CU_ASSERT_EQUAL_FATAL(rte_eal_hotplug_add("pci", plain.bdf, "safe=1"), 0);
	CU_ASSERT_EQUAL(configure(name, 0x300000000 + 4 * MIB, 3 * MIB), 0);
	CU_ASSERT_EQUAL(*fake_reg(&plain, 0, L1 + 0x10), 4);
	CU_ASSERT_EQUAL(*fake_reg(&plain, 0, L1 + 0xc3c), 0x00400000);
	CU_ASSERT_EQUAL(*fake_reg(&plain, 0, V1 + PLX_ALUT_CTL), 0);
	CU_ASSERT_EQUAL(rte_eal_hotplug_remove("pci", plain.bdf), 0);
}

static int
setup(void)
{
	static const char *const eal[] = {"--iova-mode=pa", NULL};

	fake_plx_power_on(&good, 0, 9u << 8 | 3u << 30);
	*fake_reg(&good, 0, V + PLX_BAR(0)) = 0xc;
	fake_plx_power_on(&plain, 1, 9u << 16);
	fake_plx_power_on(&no_bar4, 0, 9u << 8);
	fake_plx_power_on(&tiny, 0, 9u << 8);
	fake_plx_power_on(&narrow, 0, 9u << 8);
	*fake_reg(&narrow, 0, V + PLX_BAR(2)) = 0x8; /* 32 bits, prefetchable */
	memset((void *)(uintptr_t)dead.bar[0], 0xff, PLX_CHIP_SIZE);
	if (drv_log_start() < 0)
		return 1;
	return drv_eal_init(eal);
}

int
main(void)
{
	static const struct test_case tests[] = {
		{"refused functions", test_refused},
		{"probe", test_probe},
		{"how BARs are mapped", test_maps},
		{"programming with the A-LUT", test_program},
		{"programming without", test_program_plain},
		{"BAR2 alone", test_shared},
		{"doorbells and scratchpads", test_signals},
		{"link", test_link},
		{"self-test fails on plain memory", test_no_side_effects},
		{"surprise removal", test_surprise},
		{"remove", test_remove},
		{"devargs", test_safe},
	};
	const struct test_suite suite = {
		.name = "raw_ntb_plx on a fake PCI bus", .init = setup, .cleanup = drv_cleanup};
	struct fake_pci *all[] = {&good, &plain, &link_side, &no_bar4,
				  &tiny, &dead,	 &narrow,    &other};
	unsigned int i;
	int ret = fake_pci_enter();

	if (ret == -EPERM || ret == -ENOENT) {
		fprintf(stderr, "skipped: mount namespaces are not permitted here\n");
		return DRV_SKIP;
	}
	for (i = 0; ret == 0 && i < RTE_DIM(all); i++)
		ret = fake_pci_add(all[i]);
	if (ret < 0) {
		fprintf(stderr, "fake sysfs: %s\n", strerror(-ret));
		return 1;
	}
	return run_cases(&suite, tests, RTE_DIM(tests));
}
