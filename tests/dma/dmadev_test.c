/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * The DMA engine as a dmadev, by the contract of that API and then through the window to the peer.
 */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <CUnit/Basic.h>

#include <rte_bus_vdev.h>
#include <rte_common.h>
#include <rte_dmadev.h>
#include <rte_memzone.h>
#include <rte_rawdev.h>

#include "drv.h"
#include "plx_dma.h"
#include "plx_dev.h"
#include "plxm.h"
#include "plxm_dma.h"

#define NT_A "raw_ntb_plx_emu0"
#define NT_B "raw_ntb_plx_emu1"
#define MIB (1ull << 20)
#define REGION (2 * MIB)
#define SUBMIT RTE_DMA_OP_FLAG_SUBMIT

enum {
	DESCS = 64,
	AREA = 256 * 1024, /* of source and of destination */
	BURST = 32,
};

static int cable = -1;
static struct drv_port a, b;
static const struct rte_memzone *mz;
static uint8_t *src, *dst;
static rte_iova_t src_io, dst_io;
static int16_t dev[PLXM_DMA_CHANNELS];
static unsigned int devs;

static void
add_dma(unsigned int channel)
{
	const struct rte_dma_conf conf = {.nb_vchans = 1};
	const struct rte_dma_vchan_conf vchan = {.direction = RTE_DMA_DIR_MEM_TO_MEM,
						 .nb_desc = DESCS};
	char name[32], args[96];

	snprintf(name, sizeof(name), "dma_plx_emu%u", channel);
	snprintf(args, sizeof(args), "ntb=" NT_A ",channel=%u", channel);
	CU_ASSERT_EQUAL_FATAL(rte_vdev_init(name, args), 0);
	dev[devs] = rte_dma_get_dev_id_by_name(name);
	CU_ASSERT_FATAL(dev[devs] >= 0);
	CU_ASSERT_EQUAL_FATAL(rte_dma_configure(dev[devs], &conf), 0);
	CU_ASSERT_EQUAL_FATAL(rte_dma_vchan_setup(dev[devs], 0, &vchan), 0);
	CU_ASSERT_EQUAL_FATAL(rte_dma_start(dev[devs]), 0);
	devs++;
}

static void
plug(void)
{
	cable = drv_plug(&a, &b, ",bar2=16M", ",bar2=16M", REGION);
	CU_ASSERT_TRUE_FATAL(drv_wait_link(&a, &b, NTB_LINK_UP));
	mz = rte_memzone_reserve_aligned("dma_test", 2 * AREA, SOCKET_ID_ANY,
					 RTE_MEMZONE_IOVA_CONTIG, 4096);
	CU_ASSERT_PTR_NOT_NULL_FATAL(mz);
	src = mz->addr;
	dst = src + AREA;
	src_io = mz->iova;
	dst_io = mz->iova + AREA;
	for (unsigned int i = 0; i < AREA; i++)
		src[i] = (uint8_t)(i * 11 + (i >> 8));
	memset(dst, 0, AREA);
	add_dma(0);
}

static void
unplug(void)
{
	char name[32];

	for (unsigned int i = 0; i < devs; i++) {
		rte_dma_stop(dev[i]);
		snprintf(name, sizeof(name), "dma_plx_emu%u", i);
		CU_ASSERT_EQUAL(rte_vdev_uninit(name), 0);
	}
	devs = 0;
	rte_memzone_free(mz);
	drv_unplug(&a, &b, cable);
}

/* Wait for @p n operations; how many ended well. */
static unsigned int
drain(int16_t id, unsigned int n, uint16_t *ret_last, bool *ret_error)
{
	time_t end = time(NULL) + 10;
	unsigned int done = 0;

	*ret_error = false;
	while (done < n && !*ret_error && time(NULL) < end) {
		done += rte_dma_completed(id, 0, n - done, ret_last, ret_error);
		sched_yield();
	}
	if (done < n && !*ret_error)
		fprintf(stderr, "gave up waiting for %u of %u operations\n", n - done, n);
	return done;
}

static unsigned int
statuses(int16_t id, unsigned int n, uint16_t *ret_last, enum rte_dma_status_code *st)
{
	time_t end = time(NULL) + 10;
	unsigned int done = 0;

	while (done < n && time(NULL) < end) {
		done += rte_dma_completed_status(id, 0, n - done, ret_last, st + done);
		sched_yield();
	}
	return done;
}

static bool
all_done(int16_t id, unsigned int n)
{
	uint16_t last;
	bool error;

	return drain(id, n, &last, &error) == n && !error;
}

static void
test_info(void)
{
	struct rte_dma_vchan_conf vchan = {.direction = RTE_DMA_DIR_MEM_TO_MEM, .nb_desc = 31};
	struct rte_dma_info info;

	CU_ASSERT_EQUAL(rte_dma_info_get(dev[0], &info), 0);
	CU_ASSERT_EQUAL(info.max_vchans, 1);
	CU_ASSERT_EQUAL(info.nb_vchans, 1);
	CU_ASSERT(info.dev_capa & RTE_DMA_CAPA_MEM_TO_MEM);
	CU_ASSERT(info.dev_capa & RTE_DMA_CAPA_HANDLES_ERRORS);
	CU_ASSERT_FALSE(info.dev_capa & RTE_DMA_CAPA_OPS_FILL);
	CU_ASSERT_EQUAL(rte_dma_vchan_setup(dev[0], 0, &vchan), -EBUSY);
	CU_ASSERT_EQUAL(rte_dma_stop(dev[0]), 0);
	CU_ASSERT_EQUAL(rte_dma_vchan_setup(dev[0], 0, &vchan), -EINVAL);
	CU_ASSERT(rte_vdev_init("dma_plx_emu7", "ntb=nobody") < 0);
	CU_ASSERT(rte_vdev_init("dma_plx_emu7", "channel=1") < 0);
	CU_ASSERT(rte_vdev_init("dma_plx_emu7", "ntb=" NT_A ",channel=4") < 0);
	CU_ASSERT(rte_vdev_init("dma_plx_emu7", "ntb=" NT_A ",engine=steam") < 0);
}

static void
test_copies(void)
{
	struct rte_dma_stats stats;
	uint16_t last, idx = 0;
	bool error;

	CU_ASSERT_EQUAL(rte_dma_completed(dev[0], 0, 1, &last, &error), 0);
	/* so many that indices wrap */
	for (unsigned int round = 0; round < 65536 / BURST + 10; round++) {
		uint32_t len = 1 + round * 29 % 900;

		memset(dst, 0, BURST * 1024);
		for (unsigned int i = 0; i < BURST; i++, idx++) {
			int ret = rte_dma_copy(dev[0], 0, src_io + i * 1024 + round % 64,
					       dst_io + i * 1024 + round % 16, len, 0);

			CU_ASSERT_EQUAL(ret, idx);
		}
		CU_ASSERT_EQUAL(rte_dma_submit(dev[0], 0), 0);
		CU_ASSERT_EQUAL_FATAL(drain(dev[0], BURST, &last, &error), BURST);
		CU_ASSERT_EQUAL(last, (uint16_t)(idx - 1));
		for (unsigned int i = 0; i < BURST; i++) {
			const uint8_t *d = dst + i * 1024 + round % 16;

			CU_ASSERT_EQUAL(memcmp(d, src + i * 1024 + round % 64, len), 0);
			CU_ASSERT_EQUAL(d[len], 0);
		}
	}
	CU_ASSERT_EQUAL(rte_dma_stats_get(dev[0], 0, &stats), 0);
	CU_ASSERT_EQUAL(stats.submitted, stats.completed);
	CU_ASSERT_EQUAL(stats.errors, 0);
	CU_ASSERT_EQUAL(rte_dma_stats_reset(dev[0], 0), 0);
	CU_ASSERT_EQUAL(rte_dma_stats_get(dev[0], 0, &stats), 0);
	CU_ASSERT_EQUAL(stats.submitted + stats.completed, 0);
}

static void
test_capacity(void)
{
	uint16_t last;
	bool error;

	for (unsigned int round = 0; round < 5; round++) {
		for (unsigned int i = 0; i < DESCS; i++) {
			CU_ASSERT_EQUAL(rte_dma_burst_capacity(dev[0], 0), DESCS - i);
			CU_ASSERT(rte_dma_copy(dev[0], 0, src_io, dst_io + 64 * i, 64, 0) >= 0);
		}
		CU_ASSERT_EQUAL(rte_dma_burst_capacity(dev[0], 0), 0);
		CU_ASSERT_EQUAL(rte_dma_copy(dev[0], 0, src_io, dst_io, 64, 0), -ENOSPC);
		/* nothing moves before submit */
		CU_ASSERT_EQUAL(rte_dma_completed(dev[0], 0, 1, &last, &error), 0);
		CU_ASSERT_EQUAL(dst[0], 0);
		CU_ASSERT_EQUAL(rte_dma_submit(dev[0], 0), 0);
		CU_ASSERT_TRUE(all_done(dev[0], DESCS));
		CU_ASSERT_EQUAL(dst[64 * DESCS - 1], src[63]);
		memset(dst, 0, 64 * DESCS);
	}
	/* what the descriptor cannot say */
	CU_ASSERT_EQUAL(rte_dma_copy(dev[0], 0, src_io, dst_io, 1u << 27, 0), -EINVAL);
	CU_ASSERT_EQUAL(rte_dma_copy(dev[0], 0, 1ull << 48, dst_io, 1, 0), -EINVAL);
	CU_ASSERT_EQUAL(rte_dma_copy(dev[0], 0, src_io, (1ull << 48) - 1, 1, 0), -EINVAL);
	CU_ASSERT_EQUAL(rte_dma_burst_capacity(dev[0], 0), DESCS);
}

/* All before it have arrived; it waits for a submit itself. */
static void
test_fence(void)
{
	uint16_t last;
	bool error;

	memset(dst, 0, 16384);
	CU_ASSERT_EQUAL(rte_dma_copy(dev[0], 0, src_io, dst_io, 4096, 0), 0);
	CU_ASSERT_EQUAL(rte_dma_copy(dev[0], 0, src_io, dst_io + 8192, 4096, RTE_DMA_OP_FLAG_FENCE),
			1);
	CU_ASSERT_EQUAL(memcmp(dst, src, 4096), 0);
	CU_ASSERT_NOT_EQUAL(memcmp(dst + 8192, src, 4096), 0);
	CU_ASSERT_EQUAL(rte_dma_completed(dev[0], 0, 2, &last, &error), 1);
	CU_ASSERT_EQUAL(last, 0);
	CU_ASSERT_FALSE(error);
	CU_ASSERT_EQUAL(rte_dma_submit(dev[0], 0), 0);
	CU_ASSERT_EQUAL(drain(dev[0], 1, &last, &error), 1);
	CU_ASSERT_EQUAL(memcmp(dst + 8192, src, 4096), 0);
}

static void
test_errors(void)
{
	enum rte_dma_status_code st[8];
	struct rte_dma_stats stats;
	uint16_t last = 0;
	bool error;

	for (unsigned int bad = 0; bad < 8; bad++) {
		memset(dst, 0, 1024);
		for (unsigned int i = 0; i < 8; i++) {
			rte_iova_t from = i == bad && bad % 2 == 0 ? 0 : src_io;
			rte_iova_t to = i == bad && bad % 2 == 1 ? 0 : dst_io + 64 * i;
			last = (uint16_t)rte_dma_copy(dev[0], 0, from, to, 64, 0);
			CU_ASSERT_EQUAL(last, 8 * bad + i);
		}
		CU_ASSERT_EQUAL(rte_dma_submit(dev[0], 0), 0);
		CU_ASSERT_EQUAL(drain(dev[0], 8, &last, &error), bad);
		CU_ASSERT_TRUE(error);
		CU_ASSERT_EQUAL(last, (uint16_t)(8 * bad + bad - 1));
		/* and says so until the status is taken */
		error = false;
		CU_ASSERT_EQUAL(rte_dma_completed(dev[0], 0, 8, &last, &error), 0);
		CU_ASSERT_TRUE(error);
		CU_ASSERT_EQUAL(statuses(dev[0], 1, &last, st), 1);
		CU_ASSERT_EQUAL(last, 8 * bad + bad);
		CU_ASSERT_EQUAL(st[0], bad % 2 == 0 ? RTE_DMA_STATUS_INVALID_SRC_ADDR
						    : RTE_DMA_STATUS_INVALID_DST_ADDR);
		CU_ASSERT_TRUE(all_done(dev[0], 7 - bad)); /* those after it are done */
		for (unsigned int i = 0; i < 8; i++)
			CU_ASSERT_EQUAL(dst[64 * i + 5], i == bad ? 0 : src[5]);
	}
	CU_ASSERT_EQUAL(rte_dma_stats_get(dev[0], 0, &stats), 0);
	CU_ASSERT_EQUAL(stats.completed, 64);
	CU_ASSERT_EQUAL(stats.errors, 8);
}

/* What the chip of the first port has refused. */
static struct plxm_stats
counted(void)
{
	struct plxm_port *chip = plx_emu_hold(NT_A);
	struct plxm_stats s;

	plxm_stats_get(chip, &s);
	plxm_port_close(chip);
	return s;
}

static void
test_window(void)
{
	enum rte_dma_status_code st;
	rte_iova_t win;
	uint16_t last;

	win = a.port->window_iova;
	CU_ASSERT_NOT_EQUAL(win, 0);
	/* push: straight into the peer's memory, over the ends of slices */
	CU_ASSERT(rte_dma_copy(dev[0], 0, src_io, win + MIB - 1000, AREA, SUBMIT) >= 0);
	CU_ASSERT_TRUE(all_done(dev[0], 1));
	CU_ASSERT_EQUAL(memcmp((uint8_t *)b.region.va + MIB - 1000, src, AREA), 0);
	/* pull */
	CU_ASSERT(rte_dma_copy(dev[0], 0, win + MIB - 1000, dst_io, AREA, SUBMIT) >= 0);
	CU_ASSERT_TRUE(all_done(dev[0], 1));
	CU_ASSERT_EQUAL(memcmp(dst, src, AREA), 0);
	/* beyond the peer's memory: a posted write gets lost, a read fails */
	CU_ASSERT(rte_dma_copy(dev[0], 0, src_io, win + 8 * MIB, 64, SUBMIT) >= 0);
	CU_ASSERT_TRUE(all_done(dev[0], 1));
	CU_ASSERT(rte_dma_copy(dev[0], 0, win + 8 * MIB, dst_io, 64, SUBMIT) >= 0);
	CU_ASSERT_EQUAL(statuses(dev[0], 1, &last, &st), 1);
	CU_ASSERT_EQUAL(st, RTE_DMA_STATUS_INVALID_SRC_ADDR);
	/* the DMA function is a requester of its own */
	CU_ASSERT_EQUAL(counted().ur_rid, 0);
	/* no link, no way; and back */
	CU_ASSERT_EQUAL(rte_rawdev_set_attr(a.dev_id, NTB_ATTR_FAULT_CABLE, 1), 0);
	memset((uint8_t *)b.region.va, 0, 64);
	CU_ASSERT(rte_dma_copy(dev[0], 0, src_io, win, 64, SUBMIT) >= 0);
	CU_ASSERT_TRUE(all_done(dev[0], 1));
	CU_ASSERT_EQUAL(*(uint8_t *)b.region.va, 0);
	CU_ASSERT_EQUAL(rte_rawdev_set_attr(a.dev_id, NTB_ATTR_FAULT_CABLE, 0), 0);
	CU_ASSERT_TRUE(drv_wait_link(&a, &b, NTB_LINK_UP));
	CU_ASSERT(rte_dma_copy(dev[0], 0, src_io + 1, win, 64, SUBMIT) >= 0);
	CU_ASSERT_TRUE(all_done(dev[0], 1));
	CU_ASSERT_EQUAL(memcmp(b.region.va, src + 1, 64), 0);
}

/* Packets of 512 bytes on the host's side: the interface on the cable must take them too, at both
 * ends, also after it was reset. */
static void
test_payload(void)
{
	const uint32_t devctl = 0x70, bytes_512 = 2 << 5;
	static const char *const name[] = {NT_A, NT_B};
	struct plxm_port *chip;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		chip = plx_emu_hold(name[i]);
		CU_ASSERT_PTR_NOT_NULL_FATAL(chip);
		plxm_cfg_write(chip, devctl, 0x2810 | bytes_512, 2);
		plxm_port_close(chip);
	}
	CU_ASSERT_EQUAL(rte_rawdev_set_attr(a.dev_id, NTB_ATTR_FAULT_RETRAIN, 1), 0);
	CU_ASSERT_TRUE(drv_wait_link(&a, &b, NTB_LINK_UP));
	CU_ASSERT(rte_dma_copy(dev[0], 0, src_io, a.port->window_iova, AREA, SUBMIT) >= 0);
	CU_ASSERT_TRUE(all_done(dev[0], 1));
	CU_ASSERT_EQUAL(memcmp(b.region.va, src, AREA), 0);
	CU_ASSERT_EQUAL(counted().malformed, 0);
}

static void
test_channels(void)
{
	while (devs < PLXM_DMA_CHANNELS)
		add_dma(devs);
	for (unsigned int round = 0; round < 200; round++) {
		memset(dst, 0, 64 * 1024);
		for (unsigned int i = 0; i < devs; i++)
			for (unsigned int k = 0; k < 8; k++)
				CU_ASSERT(rte_dma_copy(dev[i], 0, src_io + i * 100 + round,
						       dst_io + i * 16384 + k * 2048, 2048,
						       k == 7 ? RTE_DMA_OP_FLAG_SUBMIT : 0) >= 0);
		for (unsigned int i = 0; i < devs; i++) {
			CU_ASSERT_TRUE_FATAL(all_done(dev[i], 8));
			for (unsigned int k = 0; k < 8; k++)
				CU_ASSERT_EQUAL(memcmp(dst + i * 16384 + k * 2048,
						       src + i * 100 + round, 2048),
						0);
		}
	}
}

static void
test_stop(void)
{
	uint16_t last;
	bool error;

	for (unsigned int round = 0; round < 20; round++) {
		/* in the middle of much work */
		for (unsigned int i = 0; i < DESCS; i++)
			CU_ASSERT(rte_dma_copy(dev[0], 0, src_io, dst_io, AREA, 0) >= 0);
		rte_dma_submit(dev[0], 0);
		CU_ASSERT_EQUAL(rte_dma_stop(dev[0]), 0);
		memset(dst, 0x55, AREA);
		CU_ASSERT_EQUAL(rte_dma_start(dev[0]), 0);
		CU_ASSERT_EQUAL(rte_dma_burst_capacity(dev[0], 0), DESCS);
		CU_ASSERT_EQUAL(rte_dma_copy(dev[0], 0, src_io, dst_io + 8, 8, SUBMIT), 0);
		CU_ASSERT_EQUAL(drain(dev[0], 1, &last, &error), 1);
		CU_ASSERT_EQUAL(last, 0);
		CU_ASSERT_EQUAL(memcmp(dst + 8, src, 8), 0);
		CU_ASSERT_EQUAL(dst[0], 0x55); /* nothing came after the stop */
		CU_ASSERT_EQUAL(dst[AREA - 1], 0x55);
	}
}

static void
test_errata(void)
{
	/* idle before valid descriptors: the driver notices and starts it again */
	for (unsigned int i = 0; i < 5; i++) {
		CU_ASSERT_EQUAL(plx_dma_emu_fault(dev[0], PLXM_DMA_FAULT_STALL, 2), 0);
		CU_ASSERT(rte_dma_copy(dev[0], 0, src_io, dst_io, 64, SUBMIT) >= 0);
		CU_ASSERT_TRUE(all_done(dev[0], 1));
	}
	/* deaf to pause and abort: stop says so, it does not hang */
	CU_ASSERT_EQUAL(plx_dma_emu_fault(dev[0], PLXM_DMA_FAULT_STUCK, 1), 0);
	CU_ASSERT(rte_dma_copy(dev[0], 0, src_io, dst_io, 64, SUBMIT) >= 0);
	CU_ASSERT_EQUAL(rte_dma_stop(dev[0]), -EIO);
	CU_ASSERT_EQUAL(plx_dma_emu_fault(dev[0], PLXM_DMA_FAULT_STUCK, 0), 0);
}

TEST_PROGRAM_AROUND("dma_plx_emu", drv_setup, drv_cleanup, plug, unplug,
		    {"info and arguments", test_info}, {"copies", test_copies},
		    {"capacity", test_capacity}, {"fence", test_fence}, {"errors", test_errors},
		    {"window", test_window}, {"payload of packets", test_payload},
		    {"four channels", test_channels}, {"stop and start", test_stop},
		    {"errata", test_errata})
