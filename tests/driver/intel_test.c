/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * DPDK's own raw_ntb, as it is installed, over files that behave like Intel's NTBs: what programs
 * get of its ports by ntb_port_get(). Usage: driver_intel_test 3|4, the generation.
 */
#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include <rte_common.h>
#include <rte_eal.h>
#include <rte_interrupts.h>
#include <rte_rawdev.h>

#include "drv.h"
#include "fake_pci.h"
#include "intm.h"
#include "live_intel.h"

#define MIB (1ull << 20)
#define WINDOW (4 * MIB)
#define REGION (2 * MIB + 4096)
#define BUS (1ull << 40)

enum {
	ENDS = 2,
	WAIT_S = 20,
};

static struct fake_pci fake[ENDS] = {
	{.bdf = "0000:16:00.0", .uio = 890, .vendor = 0x8086},
	{.bdf = "0000:17:00.0", .uio = 891, .vendor = 0x8086},
};
static unsigned int gen;
static struct ntb_port *port[ENDS];
static struct ntb_port_info info[ENDS];
static struct ntb_port_config region[ENDS];

int rte_eal_using_phys_addrs(void);
int
rte_eal_using_phys_addrs(void) /* as in pci_test.c */
{
	return 1;
}

/* Unmasks an interrupt. The driver that is tested calls the first definition that the dynamic
 * linker finds. */
static unsigned int unmaskings;

int
rte_intr_ack(const struct rte_intr_handle *handle)
{
	union {
		void *symbol;
		int (*call)(const struct rte_intr_handle *handle);
	} eal = {.symbol = dlsym(RTLD_NEXT, "rte_intr_ack")};

	unmaskings++;
	return eal.call(handle);
}

static bool
wait_for(bool (*done)(void))
{
	const struct timespec nap = {.tv_nsec = 1000000};
	time_t end = time(NULL) + WAIT_S;

	while (!done()) {
		if (time(NULL) > end)
			return false;
		nanosleep(&nap, NULL);
	}
	return true;
}

static bool
both_up(void)
{
	bool a = ntb_link_poll(port[0]) == NTB_LINK_UP;

	return ntb_link_poll(port[1]) == NTB_LINK_UP && a;
}

static void
test_found(void)
{
	struct ntb_port_info again;

	CU_ASSERT_EQUAL_FATAL(rte_rawdev_count(), ENDS);
	for (unsigned int i = 0; i < ENDS; i++) {
		CU_ASSERT_EQUAL_FATAL(ntb_port_get((uint16_t)i, &info[i]), 0);
		port[i] = info[i].port;
		CU_ASSERT_STRING_EQUAL(info[i].location, fake[i].bdf);
		CU_ASSERT_EQUAL(info[i].window_size, WINDOW);
		CU_ASSERT_EQUAL(info[i].window_align, WINDOW);
		CU_ASSERT_EQUAL(port[i]->window_size, WINDOW);
		CU_ASSERT_EQUAL(port[i]->window_iova, fake_pci_bar_at(&fake[i], 2));
		CU_ASSERT_EQUAL(port[i]->ops->region_align(port[i], 1), WINDOW);
		CU_ASSERT_EQUAL(port[i]->db_count, 0);
		CU_ASSERT_EQUAL(port[i]->spad_count, 0);
		CU_ASSERT_EQUAL(port[i]->caps, NTB_CAP_WINDOW_WC);
		CU_ASSERT_PTR_NULL(port[i]->ops->flush);
		CU_ASSERT_EQUAL(ntb_port_get((uint16_t)i, &again), 0);
		CU_ASSERT_PTR_EQUAL(again.port, port[i]);
	}
	CU_ASSERT_EQUAL(ntb_port_get(ENDS, &again), -ENODEV);
}

static uint64_t
bus_of(unsigned int i)
{
	return BUS * (i + 1);
}

static void
test_configure(void)
{
	struct ntb_port_config bad;

	for (unsigned int i = 0; i < ENDS; i++) {
		int fd = memfd_create("region", MFD_CLOEXEC);

		CU_ASSERT_EQUAL_FATAL(ftruncate(fd, WINDOW), 0);
		region[i] = (struct ntb_port_config){
			.va = mmap(NULL, WINDOW, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0),
			.iova = bus_of(i),
			.len = REGION,
			.fd = -1,
		};
		CU_ASSERT_PTR_NOT_EQUAL_FATAL(region[i].va, MAP_FAILED);
		CU_ASSERT_EQUAL(live_intel_memory(&fake[i], bus_of(i), WINDOW, fd), 0);
		bad = region[i];
		bad.iova += 4096;
		CU_ASSERT_EQUAL(ntb_port_start(port[i]), -EINVAL);
		CU_ASSERT_EQUAL(ntb_port_configure(port[i], &bad), -EINVAL);
	}
}

/* The drivers have shaken hands, but the window of the second host leads nowhere yet. */
static bool
first_sees_peer(void)
{
	uint64_t v = 0;

	CU_ASSERT_NOT_EQUAL(ntb_link_poll(port[0]), NTB_LINK_UP);
	CU_ASSERT_NOT_EQUAL(ntb_link_poll(port[1]), NTB_LINK_UP); /* unmasks its interrupt */
	return rte_rawdev_get_attr(port[0]->dev_id, "link_status", &v) == 0 && v != 0;
}

static void
test_up(void)
{
	CU_ASSERT_EQUAL(ntb_port_configure(port[0], &region[0]), 0);
	CU_ASSERT_EQUAL(ntb_port_start(port[0]), 0);
	CU_ASSERT_TRUE_FATAL(wait_for(first_sees_peer));
	CU_ASSERT_EQUAL(*(volatile uint32_t *)port[0]->window, UINT32_MAX);
	CU_ASSERT_EQUAL(ntb_port_configure(port[1], &region[1]), 0);
	CU_ASSERT_NOT_EQUAL(ntb_link_poll(port[1]), NTB_LINK_UP);
	CU_ASSERT_NOT_EQUAL(ntb_link_poll(port[0]), NTB_LINK_UP);
	CU_ASSERT_EQUAL(ntb_port_start(port[1]), 0);
	CU_ASSERT_TRUE_FATAL(wait_for(both_up));
	for (unsigned int i = 0; i < ENDS; i++)
		CU_ASSERT_EQUAL(port[i]->ops->link_breaks(port[i]), 0);
}

/* All of the region, and nothing behind it. */
static void
test_windows(void)
{
	for (unsigned int i = 0; i < ENDS; i++) {
		volatile uint8_t *window = port[i]->window;
		uint8_t *theirs = region[1 - i].va;

		memset(theirs, (int)i + 1, WINDOW);
		CU_ASSERT_EQUAL(window[0], i + 1);
		CU_ASSERT_EQUAL(window[REGION - 1], i + 1);
		window[77] = 42;
		window[REGION - 1] = 43;
		CU_ASSERT_EQUAL(theirs[77], 42);
		CU_ASSERT_EQUAL(theirs[REGION - 1], 43);
		CU_ASSERT_EQUAL(window[REGION + 4096], 0xff);
		window[REGION + 4096] = 44;
		CU_ASSERT_EQUAL(theirs[REGION + 4096], i + 1);
	}
}

/* The driver does not notice that the cable is lost, and a load does. */
static void
test_pulled(void)
{
	volatile uint32_t *window = port[0]->window;

	intm_cable(live_intel_model(&fake[0]), false);
	(void)ntb_link_poll(port[0]);
	CU_ASSERT_EQUAL(*window, UINT32_MAX);
	CU_ASSERT_EQUAL(ntb_flush(port[0]), -EIO);
	intm_cable(live_intel_model(&fake[0]), true);
	(void)ntb_link_poll(port[0]);
	CU_ASSERT_NOT_EQUAL(*window, UINT32_MAX);
	CU_ASSERT_EQUAL(ntb_flush(port[0]), 0);
}

/* A flush asks for the breaks, and must not take system calls each time. */
static void
test_often(void)
{
	enum {
		TIMES = 10000
	};

	unmaskings = 0;
	for (unsigned int i = 0; i < TIMES; i++)
		CU_ASSERT_EQUAL(port[1]->ops->link_breaks(port[1]), 0);
	CU_ASSERT_TRUE(unmaskings < TIMES / 10);
}

static bool
second_sees_break(void)
{
	return port[1]->ops->link_breaks(port[1]) == 1;
}

/* A peer that stops closes both windows, and its neighbour gets to know. */
static void
test_stop(void)
{
	ntb_port_stop(port[0]);
	CU_ASSERT_TRUE(wait_for(second_sees_break));
	CU_ASSERT_NOT_EQUAL(ntb_link_poll(port[1]), NTB_LINK_UP);
	CU_ASSERT_EQUAL(*(volatile uint32_t *)port[1]->window, UINT32_MAX);
	CU_ASSERT_EQUAL(*(volatile uint32_t *)port[0]->window, UINT32_MAX);
	ntb_port_stop(port[1]);
	for (unsigned int i = 0; i < ENDS; i++)
		ntb_port_close(port[i]);
}

static int
setup(void)
{
	static const char *const eal[] = {"--iova-mode=pa", NULL};

	if (drv_log_start() < 0)
		return 1;
	return drv_eal_init(eal);
}

static int
cleanup(void)
{
	live_intel_stop();
	return rte_eal_cleanup();
}

static int
add_functions(void)
{
	struct live_cable cable = {
		.model_fd = memfd_create("cable", MFD_CLOEXEC),
		.memory_fd = memfd_create("memory", MFD_CLOEXEC),
		.gen = gen,
	};
	int ret = cable.model_fd < 0 || cable.memory_fd < 0 ? -errno : 0;

	for (unsigned int i = 0; ret == 0 && i < ENDS; i++) {
		cable.end = i;
		fake[i].device = gen == 3 ? 0x201c : 0x347e;
		fake[i].size[0] = LIVE_REGISTERS;
		fake[i].size[2] = fake[i].size[4] = WINDOW;
		fake[i].wc[2] = true;
		ret = fake_pci_add(&fake[i]);
		if (ret == 0)
			ret = live_intel_add(&fake[i], &cable);
	}
	return ret;
}

int
main(int argc, char **argv)
{
	static const struct test_case tests[] = {
		{"ports are found", test_found},    {"bad regions", test_configure},
		{"the link comes up", test_up},	    {"windows", test_windows},
		{"a cable is pulled", test_pulled}, {"breaks are asked for", test_often},
		{"a peer stops", test_stop},
	};
	int ret;

	gen = argc == 2 ? (unsigned int)atoi(argv[1]) : 0;
	if (gen != 3 && gen != 4) {
		fprintf(stderr, "usage: %s 3|4\n", argv[0]);
		return EXIT_FAILURE;
	}
	if (!live_intel_possible()) {
		fprintf(stderr, "skipped: no traps of accesses on this machine\n");
		return DRV_SKIP;
	}
	live_intel_masks = true;
	ret = fake_pci_enter();
	if (ret == -EPERM || ret == -ENOENT) {
		fprintf(stderr, "skipped: mount namespaces are not permitted here\n");
		return DRV_SKIP;
	}
	if (ret == 0)
		ret = add_functions();
	if (ret < 0) {
		fprintf(stderr, "cannot make functions: %s\n", strerror(-ret));
		return EXIT_FAILURE;
	}
	set_limit(50, "the test of raw_ntb hangs\n");
	return run_suite_around("raw_ntb on Intel's registers", setup, cleanup, tests,
				RTE_DIM(tests));
}
