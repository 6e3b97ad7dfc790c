/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Devargs of emulated ports: what is wrong is said in one line, by name, and no device is left.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include <rte_bus_vdev.h>
#include <rte_common.h>
#include <rte_eal.h>
#include <rte_pmd_ntb.h>
#include <rte_rawdev.h>

#include "drv.h"

#define NAME "raw_ntb_plx_emu7"

static char cable[64];
static char junk[] = "/tmp/ringbell-junk.XXXXXX";

static const struct {
	const char *args; /* CABLE and JUNK stand for files */
	const char *says;
} bad[] = {
	{"", "cable= is missing"},
	{"end=0", "cable= is missing"},
	{"cable=CABLE", "end= is missing"},
	{"cable=,end=0", "devarg cable=: want safe"},
	{"cable=CABLE,end=2", "devarg end=2: want safe"},
	{"cable=CABLE,end=x", "devarg end=x: want"},
	{"cable=CABLE,end=", "devarg end=: want"},
	{"cable=CABLE,end=0,end=1", "devarg end=0: want"},
	{"cable=CABLE,end=0,colour=red", "devarg colour=red: want"},
	{"cable=CABLE,end=0,bar2=3M", "bar2=3M"},
	{"cable=CABLE,end=0,bar2=512K", "bar2=512K"},
	{"cable=CABLE,end=0,bar2=99999999999G", "bar2=99999999999G"},
	{"cable=CABLE,end=0,bar2=1T", "bar2=1T"},
	{"cable=CABLE,end=0,bar2=-1", "bar2=-1"},
	{"cable=CABLE,end=0,chip=1234", "chip=1234"},
	{"cable=CABLE,end=0,nt=2", "nt=2"},
	{"cable=CABLE,end=0,bridge=2", "devarg bridge=2: want"},
	{"cable=CABLE,end=0,mask=", "devarg mask=: want"},
	{"cable=CABLE,end=0,mask=bells", "devarg mask=bells: want"},
	{"cable=CABLE,end=0,mask=doorbells+", "devarg mask=doorbells+: want"},
	{"cable=CABLE,end=0,bar4=2", "devarg bar4=2: want"},
	{"cable=CABLE,end=0,bar4=0,bar2=1M", "BAR2 needs 2M then"},
	{"cable=CABLE,end=0,chip=8732,nt=1", "the chip has no such port"},
	{"cable=CABLE,end=0,bridge,late=2", "devarg late=2: want"},
	{"cable=CABLE,end=0,late", "late=1 needs bridge=1"},
	{"cable=CABLE,end=0,bridge,mask=flush,late", "and no flush in mask="},
	{"cable=CABLE,end=0,chips=1", "chips=1 is for a ring"},
	{"cable=CABLE,end=0,chips=3", "devarg chips=3: want"},
	{"cable=CABLE,hosts=3", "host= is the number of this host"},
	{"hosts=3,host=0", "cable= is missing"},
	{"cable=CABLE,hosts=3,host=3", "host= is the number of this host"},
	{"cable=CABLE,hosts=0,host=0", "devarg hosts=0: want"},
	{"cable=CABLE,hosts=65,host=0", "devarg hosts=65: want"},
	{"cable=CABLE,hosts=3,host=0,end=0", "end= is for a cable of its own"},
	{"cable=JUNK,hosts=3,host=0", "not a cable file"},
	{"cable=/nonexistent/cable,end=0", "cable=/nonexistent/cable: No such file"},
	{"cable=JUNK,end=0", "not a cable file"},
};

static void
expand(char *out, size_t size, const char *args)
{
	const char *at = strstr(args, "CABLE");
	const char *file = at != NULL ? cable : junk;
	size_t skip = at != NULL ? strlen("CABLE") : strlen("JUNK");

	if (at == NULL)
		at = strstr(args, "JUNK");
	if (at == NULL)
		snprintf(out, size, "%s", args);
	else
		snprintf(out, size, "%.*s%s%s", (int)(at - args), args, file, at + skip);
}

static void
test_bad(void)
{
	char args[256];
	unsigned int i, lines;
	const char *text;

	for (i = 0; i < RTE_DIM(bad); i++) {
		expand(args, sizeof(args), bad[i].args);
		drv_log_take(&lines);
		CU_ASSERT(rte_vdev_init(NAME, args) < 0);
		text = drv_log_take(&lines);
		if (lines != 1 || strstr(text, bad[i].says) == NULL)
			fprintf(stderr, "for '%s' one line with '%s' was expected\n", args,
				bad[i].says);
		CU_ASSERT_EQUAL(lines, 1);
		CU_ASSERT_PTR_NOT_NULL(strstr(text, bad[i].says));
		CU_ASSERT_PTR_NOT_NULL(strstr(text, NAME));
		CU_ASSERT_EQUAL(rte_rawdev_count(), 0);
	}
}

static void
test_taken(void)
{
	char args[256];
	unsigned int lines;

	snprintf(args, sizeof(args), "cable=%s,end=0", cable);
	CU_ASSERT_EQUAL_FATAL(rte_vdev_init("raw_ntb_plx_emu0", args), 0);
	drv_log_take(&lines);
	CU_ASSERT(rte_vdev_init("raw_ntb_plx_emu1", args) < 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(drv_log_take(&lines), "has this port already"));
	CU_ASSERT_EQUAL(lines, 1);
	CU_ASSERT_EQUAL(rte_rawdev_count(), 1);
	CU_ASSERT_EQUAL(rte_vdev_uninit("raw_ntb_plx_emu0"), 0);
	CU_ASSERT_EQUAL(rte_rawdev_count(), 0);
}

/* Every part and both NT ports work. */
static void
test_variants(void)
{
	static const char *const variants[] = {
		",bar2=1M",
		",bar2=4m,chip=8749,nt=1",
		",bar2=0x400000,chip=0x8733",
		",bar2=4194304,chip=8732",
		",bar2=4096K,chip=8717,nt=1",
	};
	struct drv_port a, b;
	unsigned int i;
	int fd;

	for (i = 0; i < RTE_DIM(variants); i++) {
		fd = drv_plug(&a, &b, variants[i], variants[i], 1 << 20);
		CU_ASSERT_TRUE(drv_wait_link(&a, &b, NTB_LINK_UP));
		((volatile uint8_t *)a.port->window)[12345] = i + 1;
		CU_ASSERT_EQUAL(ntb_flush(a.port), 0);
		CU_ASSERT_EQUAL(((volatile uint8_t *)b.region.va)[12345], i + 1);
		ntb_db_ring(b.port, 2);
		CU_ASSERT_EQUAL(ntb_db_read(a.port), 2);
		rte_rawdev_stop(a.dev_id);
		CU_ASSERT_EQUAL(rte_rawdev_selftest(a.dev_id), 0);
		drv_unplug(&a, &b, fd);
	}
}

/* A port that is used as an adapter's offers what ports_test.c finds at one, and moves the same. */
static void
test_bridge(void)
{
	struct drv_port a, b;
	uint64_t off;
	int fd, win = -1;

	fd = drv_plug(&a, &b, ",bar2=4M,bridge", ",bar2=4M,bridge=0", 1 << 20);
	CU_ASSERT_EQUAL(a.port->caps, NTB_CAP_WINDOW_WC);
	CU_ASSERT_PTR_NULL(a.port->ops->wake_word(a.port));
	CU_ASSERT_EQUAL(b.port->caps, NTB_CAP_WINDOW_IS_MEMORY);
	CU_ASSERT_PTR_NOT_NULL(b.port->ops->wake_word(b.port));
	CU_ASSERT_TRUE(drv_wait_link(&a, &b, NTB_LINK_UP));
	CU_ASSERT_EQUAL(a.port->ops->window_file(a.port, 0, 4096, &win, &off), -ENOTSUP);
	CU_ASSERT_EQUAL(b.port->ops->window_file(b.port, 0, 4096, &win, &off), 0);
	((volatile uint8_t *)a.port->window)[77] = 42;
	CU_ASSERT_EQUAL(ntb_flush(a.port), 0);
	CU_ASSERT_EQUAL(((volatile uint8_t *)b.region.va)[77], 42);
	ntb_db_ring(b.port, 2);
	CU_ASSERT_EQUAL(ntb_db_read(a.port), 2);
	drv_unplug(&a, &b, fd);
}

/* What a port lacks is not there, the window is. */
static void
test_mask(void)
{
	struct ntb_dev_config queues = {.num_queues = 1, .queue_size = 64, .mz_num = 1};
	struct rte_rawdev_info raw = {.dev_private = &queues};
	struct drv_port a, b;
	uint64_t v, off;
	int fd, win;

	fd = drv_plug(&a, &b, ",bar2=4M,mask=doorbells+scratchpads+flush+files",
		      ",bar2=4M,mask=flush", 1 << 20);
	CU_ASSERT_EQUAL(a.port->db_count, 0);
	CU_ASSERT_EQUAL(a.port->spad_count, 0);
	CU_ASSERT_PTR_NULL(a.port->ops->db_ring);
	CU_ASSERT_PTR_NULL(a.port->ops->spad_read);
	CU_ASSERT_PTR_NULL(a.port->ops->flush);
	CU_ASSERT_PTR_NULL(ntb_wake_word(a.port));
	CU_ASSERT_EQUAL(ntb_window_file(a.port, 0, 4096, &win, &off), -ENOTSUP);
	CU_ASSERT_EQUAL(b.port->db_count, 16);
	CU_ASSERT_EQUAL(b.port->spad_count, 8);
	CU_ASSERT_PTR_NULL(b.port->ops->flush);
	CU_ASSERT_PTR_NOT_NULL(ntb_wake_word(b.port));
	CU_ASSERT_EQUAL(ntb_window_file(b.port, 0, 4096, &win, &off), 0);
	CU_ASSERT_EQUAL(rte_rawdev_get_attr(a.dev_id, "spad_user_0", &v), -EINVAL);
	CU_ASSERT_EQUAL(rte_rawdev_set_attr(a.dev_id, "spad_user_0", 1), -EINVAL);
	CU_ASSERT_TRUE(drv_wait_link(&a, &b, NTB_LINK_UP));
	((volatile uint8_t *)a.port->window)[77] = 42;
	CU_ASSERT_EQUAL(((volatile uint8_t *)b.region.va)[77], 42);
	rte_rawdev_stop(a.dev_id);
	CU_ASSERT_EQUAL(rte_rawdev_configure(a.dev_id, &raw, sizeof(queues)), -ENOTSUP);
	drv_unplug(&a, &b, fd);
}

static int
setup(void)
{
	static const char *const eal[] = {"--no-pci", NULL};
	int fd = memfd_create("cable", MFD_CLOEXEC);
	int junk_fd = mkstemp(junk);

	snprintf(cable, sizeof(cable), "/proc/self/fd/%d", fd);
	if (fd < 0 || junk_fd < 0 || write(junk_fd, junk, sizeof(junk)) < 0 ||
	    ftruncate(junk_fd, 1 << 20) < 0)
		return 1;
	close(junk_fd);
	if (drv_eal_init(eal) < 0)
		return 1;
	return drv_log_start();
}

static int
cleanup(void)
{
	unlink(junk);
	return rte_eal_cleanup();
}

TEST_PROGRAM_AROUND("devargs of raw_ntb_plx_emu", setup, cleanup, NULL, NULL,
		    {"bad ones", test_bad}, {"end of a cable taken", test_taken},
		    {"parts, NT ports and sizes", test_variants},
		    {"an adapter's windows", test_bridge},
		    {"a port that lacks capabilities", test_mask})
