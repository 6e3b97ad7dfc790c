/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Ports and the rawdevs behind them: one that was closed, and one of DPDK's raw_ntb, here a rawdev
 * of that name whose peer answers at once, that several threads poll.
 */
#define ALLOW_EXPERIMENTAL_API /* as 22.11 has what concerns interrupts */

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include <bus_pci_driver.h>
#include <rte_common.h>
#include <rte_interrupts.h>
#include <rte_rawdev.h>
#include <rte_rawdev_pmd.h>

#include "drv.h"

enum {
	THREADS = 4,
	POLLS = 200,
	INSIDE_US = 20, /* that a call of the driver takes */
	PEER = 0xb7005000,
	WINDOW = 1 << 20,
};

static uint8_t memory[2 * WINDOW] __attribute__((aligned(WINDOW)));
static uint8_t registers[1 << 16] = {[0xb053] = 0x20}; /* the link is trained */
static _Atomic uint32_t told, inside, most, starts;
static unsigned int there = 2; /* the peer's driver, and its program */

static void
enter_driver(void)
{
	uint32_t now = atomic_fetch_add(&inside, 1) + 1, old = atomic_load(&most);

	while (now > old && !atomic_compare_exchange_weak(&most, &old, now))
		;
	usleep(INSIDE_US);
	atomic_fetch_sub(&inside, 1);
}

static int
attr_get(struct rte_rawdev *dev, const char *name, uint64_t *ret)
{
	(void)dev;
	enter_driver();
	if (strcmp(name, "spad_user_0") != 0)
		*ret = there > 0;
	else
		*ret = there > 1 ? PEER | (atomic_load(&told) >> 12 & 0xfff) : 0;
	return 0;
}

static int
attr_set(struct rte_rawdev *dev, const char *name, uint64_t value)
{
	(void)dev;
	(void)name;
	atomic_store(&told, (uint32_t)value);
	return 0;
}

static int
dev_configure(const struct rte_rawdev *dev, rte_rawdev_obj_t conf, size_t size)
{
	(void)dev;
	(void)conf;
	(void)size;
	return 0;
}

static int
dev_start(struct rte_rawdev *dev)
{
	(void)dev;
	enter_driver();
	atomic_fetch_add(&starts, 1);
	return 0;
}

static int
dev_close(struct rte_rawdev *dev)
{
	(void)dev;
	return 0;
}

static struct rte_pci_device pci = {.name = "0000:16:00.0"};

static struct ntb_port *
foreign_port(struct rte_rawdev **ret_dev)
{
	static const struct rte_rawdev_ops ops = {
		.attr_get = attr_get,
		.attr_set = attr_set,
		.dev_configure = dev_configure,
		.dev_start = dev_start,
		.dev_close = dev_close,
	};
	struct rte_rawdev *dev = rte_rawdev_pmd_allocate("NTB:16:00.0", 64, 0);
	struct ntb_port_info info;

	CU_ASSERT_PTR_NOT_NULL_FATAL(dev);
	pci.mem_resource[0] = (struct rte_mem_resource){.addr = registers};
	pci.mem_resource[2] = (struct rte_mem_resource){.addr = memory, .len = WINDOW};
	pci.intr_handle = rte_intr_instance_alloc(RTE_INTR_INSTANCE_F_PRIVATE);
	dev->device = &pci.device;
	dev->driver_name = "raw_ntb";
	dev->dev_ops = &ops;
	CU_ASSERT_EQUAL_FATAL(ntb_port_get(dev->dev_id, &info), 0);
	*ret_dev = dev;
	return info.port;
}

static void *
poll_link(void *port)
{
	for (unsigned int i = 0; i < POLLS; i++)
		(void)ntb_link_poll(port);
	return NULL;
}

static void
test_polled_by_threads(void)
{
	struct ntb_port_config conf = {.va = memory + WINDOW, .iova = WINDOW, .len = WINDOW};
	struct rte_rawdev *dev;
	struct ntb_port *port = foreign_port(&dev);
	pthread_t thread[THREADS];
	unsigned int i;

	CU_ASSERT_EQUAL(ntb_port_configure(port, &conf), 0);
	CU_ASSERT_EQUAL(ntb_port_start(port), 0);
	for (there = 0; there < 2; there++) {
		CU_ASSERT_EQUAL(ntb_link_poll(port), NTB_LINK_DOWN);
		drv_check_why(port, there == 0 ? "is not heard: none there, or no interrupts here "
						 "(link_status reads 0x00000000)"
					       : "sees this one (spad_user_0 reads 0x00000000)");
	}
	for (i = 0; i < THREADS; i++)
		CU_ASSERT_EQUAL_FATAL(pthread_create(&thread[i], NULL, poll_link, port), 0);
	for (i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	CU_ASSERT_EQUAL(ntb_link_poll(port), NTB_LINK_UP);
	CU_ASSERT_EQUAL(atomic_load(&starts), 1);
	CU_ASSERT_EQUAL(atomic_load(&most), 1);
	ntb_port_stop(port);
	ntb_port_close(port);
	CU_ASSERT_EQUAL(rte_rawdev_pmd_release(dev), 0);
}

/* Each call says so, once, and does nothing. */
static void
check_closed(struct ntb_port *port)
{
	struct ntb_port_config conf = {.va = memory, .iova = WINDOW, .len = WINDOW, .fd = -1};
	unsigned int lines = 0;
	const char *at;

	drv_log_take(&lines);
	CU_ASSERT_EQUAL(ntb_port_configure(port, &conf), -ENODEV);
	CU_ASSERT_EQUAL(ntb_port_start(port), -ENODEV);
	ntb_port_stop(port);
	ntb_port_close(port);
	for (at = drv_log_take(&lines), lines = 0; (at = strstr(at, "is closed")) != NULL; at++)
		lines++;
	CU_ASSERT_EQUAL(lines, 4);
}

static void
test_closed(void)
{
	struct ntb_port_info info;
	struct rte_rawdev *dev;
	struct ntb_port *port;
	struct drv_port a, b;
	int cable = drv_plug(&a, &b, ",bar2=4M", ",bar2=4M", WINDOW);

	CU_ASSERT_EQUAL(ntb_port_get(a.dev_id, &info), 0);
	rte_rawdev_stop(a.dev_id);
	CU_ASSERT_EQUAL(rte_rawdev_close(a.dev_id), 0);
	check_closed(info.port);
	CU_ASSERT_EQUAL(ntb_port_get(a.dev_id, &info), -ENODEV);
	drv_unplug(&a, &b, cable);

	port = foreign_port(&dev);
	rte_rawdev_pmd_release(dev);
	check_closed(port);
}

TEST_PROGRAM_AROUND("ports and their rawdevs", drv_setup_logged, drv_cleanup, NULL, NULL,
		    {"polled by several threads", test_polled_by_threads},
		    {"closed behind the port", test_closed})
