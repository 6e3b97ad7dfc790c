/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * States of a port and of its link: order of calls, link loss and recovery, a peer that goes and
 * comes back, DPDK's own NTB structures.
 */
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include <rte_common.h>
#include <rte_mbuf.h>
#include <rte_memzone.h>
#include <rte_pmd_ntb.h>
#include <rte_rawdev.h>

#include "drv.h"
#include "plx_dev.h"
#include "plxm.h"

#define A "raw_ntb_plx_emu0"
#define B "raw_ntb_plx_emu1"
#define MIB (1ull << 20)
#define REGION (2 * MIB)

static int cable = -1;
static struct drv_port a, b;

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
check_traffic(void)
{
	drv_check_cable(&a, &b);
	drv_check_cable(&b, &a);
}

static void
test_cable(void)
{
	unsigned int i;

	plug();
	check_traffic();
	CU_ASSERT_EQUAL(drv_fault(&b, "fault_colour", 1), -EINVAL);
	for (i = 0; i < 3; i++) {
		CU_ASSERT_EQUAL(drv_fault(&a, NTB_ATTR_FAULT_CABLE, 1), 0);
		CU_ASSERT_TRUE(drv_wait_link(&a, &b, NTB_LINK_DOWN));
		CU_ASSERT_EQUAL(ntb_flush(a.port), -EIO);
		CU_ASSERT_EQUAL(a.port->ops->peer_spad_read(a.port, 0), UINT32_MAX);
		ntb_db_ring(a.port, 8); /* goes nowhere */
		*drv_window(&a, 1024) = 5;
		CU_ASSERT_EQUAL(drv_fault(&a, NTB_ATTR_FAULT_CABLE, 0), 0);
		CU_ASSERT_TRUE(drv_wait_link(&a, &b, NTB_LINK_UP));
		CU_ASSERT_EQUAL(ntb_db_read(b.port), 0);
		CU_ASSERT_EQUAL(*drv_region(&b, 1024), 0);
		check_traffic();
	}
	CU_ASSERT_EQUAL(drv_xstat(&a, "link_downs"), 3);
	CU_ASSERT_EQUAL(drv_xstat(&a, "link_ups"), 4);
	CU_ASSERT(drv_xstat(&b, "link_reprograms") >= 3);
	CU_ASSERT_EQUAL(drv_xstat(&a, "flush_failures"), 3);
	unplug();
}

static void
test_order(void)
{
	struct rte_rawdev_info raw = {0};
	struct ntb_port_config bad;

	cable = memfd_create("cable", MFD_CLOEXEC);
	CU_ASSERT_TRUE_FATAL(cable >= 0);
	CU_ASSERT_EQUAL_FATAL(drv_port_probe(&a, A, cable, 0, ",bar2=16M"), 0);
	CU_ASSERT_EQUAL(rte_rawdev_start(a.dev_id), -EINVAL); /* nothing configured */
	CU_ASSERT_EQUAL(ntb_link_poll(a.port), NTB_LINK_DOWN);
	CU_ASSERT_EQUAL(drv_port_configure(&a, REGION), 0);

	const struct ntb_port_config *good = &a.region;
	const struct ntb_port_config refused[] = {
		{good->va, good->iova + 4096, good->len, -1, 0},
		{good->va, 0 - a.info.window_align, good->len, -1, 0},
		{good->va, good->iova, 0, -1, 0},
		{NULL, good->iova, good->len, -1, 0},
	};
	raw.dev_private = &bad;
	for (unsigned int i = 0; i < RTE_DIM(refused); i++) {
		bad = refused[i];
		CU_ASSERT_EQUAL(rte_rawdev_configure(a.dev_id, &raw, sizeof(bad)), -EINVAL);
	}
	CU_ASSERT_EQUAL(rte_rawdev_configure(a.dev_id, &raw, 3), -EINVAL);
	/* the refused ones by content left the good region; the one that failed did not, but only
	 * the model fails over a file */
	bad = a.region;
	bad.fd_off = 100;
	if (drv_place == NULL) {
		CU_ASSERT_EQUAL(rte_rawdev_configure(a.dev_id, &raw, sizeof(bad)), -EINVAL);
		CU_ASSERT_EQUAL(rte_rawdev_start(a.dev_id), -EINVAL);
	}
	bad = a.region;
	CU_ASSERT_EQUAL(rte_rawdev_configure(a.dev_id, &raw, sizeof(bad)), 0);
	CU_ASSERT_EQUAL(rte_rawdev_start(a.dev_id), 0);
	CU_ASSERT_EQUAL(rte_rawdev_configure(a.dev_id, &raw, sizeof(bad)), -EBUSY);
	CU_ASSERT_EQUAL(ntb_link_poll(a.port), NTB_LINK_DOWN); /* no peer */
	CU_ASSERT_EQUAL(rte_rawdev_close(a.dev_id), -EBUSY);
	rte_rawdev_stop(a.dev_id);
	CU_ASSERT_EQUAL(rte_rawdev_close(a.dev_id), 0);

	/* a closed device answers with an error */
	CU_ASSERT_EQUAL(rte_rawdev_close(a.dev_id), 0);
	CU_ASSERT_EQUAL(rte_rawdev_start(a.dev_id), -ENODEV);
	CU_ASSERT_EQUAL(rte_rawdev_configure(a.dev_id, &raw, sizeof(bad)), -ENODEV);
	CU_ASSERT_EQUAL(rte_rawdev_selftest(a.dev_id), -ENODEV);
	CU_ASSERT_EQUAL(drv_xstat(&a, "link_ups"), UINT64_MAX);
	CU_ASSERT_EQUAL(rte_rawdev_dump(a.dev_id, stderr), -ENODEV);
	drv_port_close(&a, A);
	close(cable);
}

static void
test_peer_stops(void)
{
	plug();
	rte_rawdev_stop(b.dev_id);
	CU_ASSERT_TRUE(drv_wait_link(&a, &b, NTB_LINK_DOWN));
	CU_ASSERT_EQUAL(rte_rawdev_start(b.dev_id), 0);
	CU_ASSERT_TRUE(drv_wait_link(&a, &b, NTB_LINK_UP));
	check_traffic();

	/* closed altogether, then a new program at that end with other memory */
	drv_port_close(&b, B);
	CU_ASSERT_EQUAL(ntb_link_poll(a.port), NTB_LINK_DOWN);
	CU_ASSERT_EQUAL(drv_port_open(&b, B, cable, 1, ",bar2=16M", REGION), 0);
	CU_ASSERT_TRUE(drv_wait_link(&a, &b, NTB_LINK_UP));
	check_traffic();
	unplug();
}

/* Any thread may poll the link: the first to see a loss programs the chip, the others must neither
 * undo that nor call the link up before its time. */
static void *
poller(void *stop)
{
	while (!__atomic_load_n((bool *)stop, __ATOMIC_RELAXED)) {
		ntb_link_poll(a.port);
		ntb_link_poll(b.port);
	}
	return NULL;
}

static void
test_threads(void)
{
	pthread_t threads[3];
	bool stop = false;
	unsigned int i;

	plug();
	for (i = 0; i < RTE_DIM(threads); i++)
		CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[i], NULL, poller, &stop), 0);
	for (i = 0; i < 20; i++) {
		CU_ASSERT_EQUAL(drv_fault(&a, NTB_ATTR_FAULT_RETRAIN, 0), 0);
		CU_ASSERT_TRUE(drv_wait_link(&a, &b, NTB_LINK_UP));
	}
	/* stop and start while others poll */
	rte_rawdev_stop(a.dev_id);
	CU_ASSERT_EQUAL(rte_rawdev_start(a.dev_id), 0);
	CU_ASSERT_TRUE(drv_wait_link(&a, &b, NTB_LINK_UP));
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	for (i = 0; i < RTE_DIM(threads); i++)
		pthread_join(threads[i], NULL);
	check_traffic();
	unplug();
}

/* The structures of DPDK's rte_pmd_ntb.h, up to where mbufs move. */
static void
test_dpdk_structs(void)
{
	struct ntb_dev_info info = {0};
	struct rte_rawdev_info raw = {.dev_private = &info};
	struct ntb_dev_config conf = {.num_queues = 2, .queue_size = 128, .mz_num = 1};
	struct ntb_queue_conf queue = {.nb_desc = 128, .tx_free_thresh = 32};
	const struct rte_memzone *mz;
	uint64_t v;

	cable = memfd_create("cable", MFD_CLOEXEC);
	CU_ASSERT_TRUE_FATAL(cable >= 0);
	CU_ASSERT_EQUAL_FATAL(drv_port_probe(&a, A, cable, 0, ",bar2=4M"), 0);
	CU_ASSERT_EQUAL_FATAL(drv_port_open(&b, B, cable, 1, ",bar2=4M", REGION), 0);

	CU_ASSERT_EQUAL(rte_rawdev_info_get(a.dev_id, &raw, sizeof(info)), -EAGAIN);
	CU_ASSERT_EQUAL(rte_rawdev_set_attr(a.dev_id, NTB_QUEUE_SZ_NAME, 63), -EINVAL);
	CU_ASSERT_EQUAL(rte_rawdev_set_attr(a.dev_id, NTB_QUEUE_NUM_NAME, 0), -EINVAL);
	CU_ASSERT_EQUAL(rte_rawdev_set_attr(a.dev_id, NTB_QUEUE_SZ_NAME, 128), 0);
	CU_ASSERT_EQUAL(rte_rawdev_set_attr(a.dev_id, NTB_QUEUE_NUM_NAME, 2), 0);
	CU_ASSERT_EQUAL(rte_rawdev_get_attr(a.dev_id, NTB_QUEUE_NUM_NAME, &v), 0);
	CU_ASSERT_EQUAL(v, 2);
	CU_ASSERT_EQUAL(rte_rawdev_info_get(a.dev_id, &raw, sizeof(info)), 0);
	CU_ASSERT_EQUAL_FATAL(info.mw_cnt, 1);
	CU_ASSERT_EQUAL(info.mw_size[0], a.info.window_size);
	CU_ASSERT(info.ntb_hdr_size >= 2 * 128 * 20);

	mz = rte_memzone_reserve_aligned("test_mw", 4 * MIB, SOCKET_ID_ANY, RTE_MEMZONE_IOVA_CONTIG,
					 4 * MIB);
	CU_ASSERT_PTR_NOT_NULL_FATAL(mz);
	raw.dev_private = &conf;
	CU_ASSERT_EQUAL(rte_rawdev_configure(a.dev_id, &raw, sizeof(conf)), -EINVAL); /* no list */
	conf.mz_list = &mz;
	conf.queue_size = 2048;
	CU_ASSERT_EQUAL(rte_rawdev_configure(a.dev_id, &raw, sizeof(conf)), -EINVAL);
	conf.queue_size = 128;
	CU_ASSERT_EQUAL(rte_rawdev_configure(a.dev_id, &raw, sizeof(conf)), 0);
	CU_ASSERT_EQUAL(rte_rawdev_queue_count(a.dev_id), 2);
	CU_ASSERT_EQUAL(rte_rawdev_queue_setup(a.dev_id, 2, &queue, sizeof(queue)), -EINVAL);
	CU_ASSERT_EQUAL(rte_rawdev_queue_setup(a.dev_id, 0, &queue, sizeof(queue)), -EINVAL);
	queue.rx_mp = rte_pktmbuf_pool_create("test_pool", 63, 0, 0, 256, SOCKET_ID_ANY);
	CU_ASSERT_PTR_NOT_NULL_FATAL(queue.rx_mp);
	/* not in the memory zone */
	CU_ASSERT_EQUAL(rte_rawdev_queue_setup(a.dev_id, 0, &queue, sizeof(queue)), -EINVAL);
	CU_ASSERT_EQUAL(rte_rawdev_enqueue_buffers(a.dev_id, NULL, 0, NULL), -EINVAL);
	CU_ASSERT_EQUAL(rte_rawdev_enqueue_buffers(b.dev_id, NULL, 0, NULL), -ENOTSUP);

	/* the memzone, memory of the EAL, is what the peer's window reaches, from configure on */
	CU_ASSERT_EQUAL(rte_rawdev_start(a.dev_id), -EINVAL); /* no queue is set up */
	CU_ASSERT_TRUE(drv_wait_link(&a, &b, NTB_LINK_UP));
	*drv_window(&b, 3 * MIB) = 0x600d;
	CU_ASSERT_EQUAL(ntb_flush(b.port), 0);
	CU_ASSERT_EQUAL(*(volatile uint64_t *)RTE_PTR_ADD(mz->addr, 3 * MIB), 0x600d);
	rte_mempool_free(queue.rx_mp);
	unplug();
	CU_ASSERT_EQUAL(rte_memzone_free(mz), 0);
}

/* A break is counted, however short it was and whichever thread has polled since. */
static void
test_breaks(void)
{
	uint64_t before[2], i;

	plug();
	before[0] = a.port->ops->link_breaks(a.port);
	before[1] = b.port->ops->link_breaks(b.port);
	for (i = 0; i < 100; i++)
		CU_ASSERT_EQUAL(a.port->ops->link_breaks(a.port), before[0]);
	CU_ASSERT_EQUAL(drv_fault(&a, NTB_ATTR_FAULT_RETRAIN, 1), 0);
	CU_ASSERT_EQUAL(a.port->ops->link_breaks(a.port), before[0] + 1);
	CU_ASSERT_TRUE(drv_wait_link(&a, &b, NTB_LINK_UP));
	CU_ASSERT_EQUAL(a.port->ops->link_breaks(a.port), before[0] + 1);
	CU_ASSERT_EQUAL(b.port->ops->link_breaks(b.port), before[1] + 1);
	check_traffic();
	/* noticed by others first */
	CU_ASSERT_EQUAL(drv_fault(&b, NTB_ATTR_FAULT_CABLE, 1), 0);
	CU_ASSERT_TRUE(drv_wait_link(&a, &b, NTB_LINK_DOWN));
	CU_ASSERT_EQUAL(a.port->ops->link_breaks(a.port), before[0] + 2);
	CU_ASSERT_EQUAL(b.port->ops->link_breaks(b.port), before[1] + 2);
	CU_ASSERT_EQUAL(drv_fault(&b, NTB_ATTR_FAULT_CABLE, 0), 0);
	CU_ASSERT_TRUE(drv_wait_link(&a, &b, NTB_LINK_UP));
	CU_ASSERT_EQUAL(a.port->ops->link_breaks(a.port), before[0] + 2);
	unplug();
}

/* Nothing arrives behind what a break has lost, in either direction, until both ports start anew.
 */
static void
test_once(void)
{
	struct drv_port *const ends[] = {&a, &b};
	unsigned int i;

	plug();
	for (i = 0; i < RTE_DIM(ends); i++)
		ntb_link_once(ends[i]->port);
	CU_ASSERT_EQUAL(ntb_link_poll(a.port), NTB_LINK_UP);
	CU_ASSERT_EQUAL(drv_fault(&a, NTB_ATTR_FAULT_RETRAIN, 1), 0);
	for (i = 0; i < 10; i++) {
		CU_ASSERT_EQUAL(ntb_link_poll(a.port), NTB_LINK_DOWN);
		CU_ASSERT_EQUAL(ntb_link_poll(b.port), NTB_LINK_DOWN);
	}
	a.port->ops->peer_spad_write(a.port, 2, 0x1a57);
	b.port->ops->peer_spad_write(b.port, 2, 0x1a57);
	CU_ASSERT_NOT_EQUAL(b.port->ops->spad_read(b.port, 2), 0x1a57);
	CU_ASSERT_NOT_EQUAL(a.port->ops->spad_read(a.port, 2), 0x1a57);
	CU_ASSERT_TRUE(ntb_flush(a.port) < 0);
	for (i = 0; i < RTE_DIM(ends); i++) {
		rte_rawdev_stop(ends[i]->dev_id);
		CU_ASSERT_EQUAL(rte_rawdev_start(ends[i]->dev_id), 0);
	}
	CU_ASSERT_TRUE(drv_wait_link(&a, &b, NTB_LINK_UP));
	CU_ASSERT_EQUAL(ntb_flush(a.port), 0);
	unplug();
}

static uint64_t
late_writes(void)
{
	struct plxm_port *chip = plx_emu_hold(A);
	struct plxm_stats s;

	plxm_stats_get(chip, &s);
	plxm_port_close(chip);
	return s.late;
}

/* The last thing that a program stores before it stops its port must arrive; what is under way is
 * late here until a read pushes it. */
static void
test_posted(void)
{
	uint64_t before;

	cable = drv_plug(&a, &b, ",bar2=16M,bridge,late", ",bar2=16M", REGION);
	CU_ASSERT_TRUE(drv_wait_link(&a, &b, NTB_LINK_UP));
	before = late_writes();
	ntb_db_ring(a.port, 1 << 3);
	a.port->ops->peer_spad_write(a.port, 2, 0x1a57);
	CU_ASSERT_EQUAL(late_writes(), before + 2);
	rte_rawdev_stop(a.dev_id);
	CU_ASSERT_EQUAL(ntb_db_read(b.port), 1 << 3);
	CU_ASSERT_EQUAL(b.port->ops->spad_read(b.port, 2), 0x1a57);
	unplug();
}

DRV_PROGRAM("two ports, states", NULL, NULL, {"order of calls", test_order, false},
	    {"cable pulled and plugged", test_cable, true},
	    {"peer stops, leaves, comes back", test_peer_stops, false},
	    {"breaks of the link are counted", test_breaks, true},
	    {"a link that is not used again", test_once, true},
	    {"what is under way at a stop", test_posted, true},
	    {"many threads poll", test_threads, true},
	    {"DPDK's NTB structures", test_dpdk_structs, false})
