/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * DPDK's own raw_ntb, as it is installed, over files that behave like Intel's NTBs: what programs
 * get of its ports by ntb_port_get(), and what the windows show meanwhile. All of it for each
 * reading of the registers. Usage: driver_intel_test [GENERATION READING]
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <rte_common.h>
#include <rte_rawdev.h>

#include "drv.h"
#include "fake_pci.h"
#include "intm.h"
#include "live_intel.h"

#define MIB (1ull << 20)
#define WINDOW (4 * MIB)
#define REGION (2 * MIB + 4096)
#define FOREIGN (3ull << 40) /* memory of nobody here */

enum {
	ENDS = INTM_ENDS,
	WAIT_S = 30,
};

/* and one that another program has: no driver takes it, since it is back to back with nothing */
static struct fake_pci fake[ENDS + 1] = {
	{.bdf = "0000:16:00.0", .uio = 890, .vendor = 0x8086},
	{.bdf = "0000:17:00.0", .uio = 891, .vendor = 0x8086},
	{.bdf = "0000:18:00.0", .uio = 892, .vendor = 0x8086},
};
static unsigned int gen, reading;
static struct ntb_port *port[ENDS];
static struct ntb_port_config region[ENDS];
static unsigned int exposed; /* how often a window led to what is in no region */

/* One below the address of the BAR, one above it. */
static uint64_t
bus_of(unsigned int i)
{
	return i == 0 ? 1ull << 40 : 1ull << 46;
}

/* How much memory of the host at the other end a window shows, and where: by one look, as a thread
 * of raw_ntb may shut it at any time. */
static uint64_t
shown_at(unsigned int i, unsigned int window, uint64_t *ret_bus)
{
	uint64_t len;

	if (intm_window(live_intel_model(&fake[i]), window, 0, ret_bus, &len) < 0)
		return 0;
	return *ret_bus >> 51 == 0 ? len : 0; /* no CPU has memory there */
}

static uint64_t
shown(unsigned int i, unsigned int window)
{
	uint64_t bus;

	return shown_at(i, window, &bus);
}

static uint64_t
all_shown(void)
{
	return shown(0, 0) + shown(0, 1) + shown(1, 0) + shown(1, 1);
}

static void
on_store(void)
{
	uint64_t bus, len;

	for (unsigned int i = 0; i < ENDS; i++) {
		if (shown(i, 1) != 0)
			exposed++;
		len = shown_at(i, 0, &bus);
		if (len != 0 && (bus != bus_of(1 - i) || len > WINDOW))
			exposed++;
	}
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

static bool
is_trained(void)
{
	struct intm_port *model = live_intel_model(&fake[0]);

	return ((gen == 3 ? intm_cfg_read(model, 0x1a2, 2) : intm_reg_read(model, 0xb052, 2)) &
		0x2000) != 0;
}

/* raw_ntb has brought up the link, and no program has a port yet. */
static void
test_before(void)
{
	CU_ASSERT_EQUAL_FATAL(rte_rawdev_count(), ENDS);
	CU_ASSERT_TRUE(is_trained());
	CU_ASSERT_EQUAL(intm_cfg_read(live_intel_model(&fake[0]), 4, 2) & 6, 6);
	CU_ASSERT_EQUAL(all_shown(), 0);
	CU_ASSERT_EQUAL(*fake_reg(&fake[ENDS], 0, 0x10), 0);
	live_intel_stored = on_store;
}

static void
test_found(void)
{
	struct ntb_port_info info;

	for (unsigned int i = 0; i < ENDS; i++) {
		CU_ASSERT_EQUAL_FATAL(ntb_port_get((uint16_t)i, &info), 0);
		port[i] = info.port;
		CU_ASSERT_STRING_EQUAL(info.location, fake[i].bdf);
		CU_ASSERT_EQUAL(info.window_size, WINDOW);
		CU_ASSERT_EQUAL(port[i]->ops->region_align(port[i], 1), WINDOW);
		CU_ASSERT_EQUAL(port[i]->caps, NTB_CAP_WINDOW_WC);
		CU_ASSERT_EQUAL(ntb_port_start(port[i]), -EINVAL);
		drv_check_why(port[i], "not started");
	}
	CU_ASSERT_EQUAL(all_shown(), 0);
}

static void
test_regions(void)
{
	for (unsigned int i = 0; i < ENDS; i++) {
		int fd = memfd_create("region", MFD_CLOEXEC);
		struct ntb_port_config bad;

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
		CU_ASSERT_EQUAL(ntb_port_configure(port[i], &bad), -EINVAL);
	}
	CU_ASSERT_EQUAL(all_shown(), 0);
}

/* A port whose peer has not come. */
static void
test_alone(void)
{
	CU_ASSERT_EQUAL(ntb_port_configure(port[0], &region[0]), 0);
	CU_ASSERT_EQUAL(all_shown(), 0);
	CU_ASSERT_EQUAL(ntb_port_start(port[0]), 0);
	CU_ASSERT_NOT_EQUAL(shown(1, 0), 0);
	CU_ASSERT_EQUAL(shown(0, 0) + shown(0, 1) + shown(1, 1), 0);
	CU_ASSERT_NOT_EQUAL(ntb_link_poll(port[0]), NTB_LINK_UP);
	drv_check_why(port[0], "trained, and ");
	ntb_port_stop(port[0]);
	CU_ASSERT_EQUAL(all_shown(), 0);
	CU_ASSERT_EQUAL(ntb_port_start(port[0]), 0);
}

static void
test_up(void)
{
	CU_ASSERT_EQUAL(ntb_port_configure(port[1], &region[1]), 0);
	CU_ASSERT_NOT_EQUAL(ntb_link_poll(port[0]), NTB_LINK_UP);
	CU_ASSERT_EQUAL(ntb_port_start(port[1]), 0);
	CU_ASSERT_TRUE_FATAL(wait_for(both_up));
	for (unsigned int i = 0; i < ENDS; i++)
		CU_ASSERT_EQUAL(port[i]->ops->link_breaks(port[i]), 0);
}

/* The region of the other end, and nothing behind it where its limit is one for this chip. */
static void
test_windows(void)
{
	for (unsigned int i = 0; i < ENDS; i++) {
		bool above = bus_of(1 - i) > fake_pci_bar_at(&fake[1 - i], 2);
		bool exact = gen == 3 || above == ((reading & INTM_LIMIT_XBASE) != 0);
		volatile uint8_t *window = port[i]->window;
		uint8_t *theirs = region[1 - i].va;

		memset(theirs, (int)i + 1, WINDOW);
		CU_ASSERT_EQUAL(window[0], i + 1);
		CU_ASSERT_EQUAL(window[REGION - 1], i + 1);
		window[77] = 42;
		window[REGION - 1] = 43;
		CU_ASSERT_EQUAL(theirs[77], 42);
		CU_ASSERT_EQUAL(theirs[REGION - 1], 43);
		CU_ASSERT_EQUAL(window[REGION + 4096], exact ? 0xff : i + 1);
		window[REGION + 4096] = 44;
		CU_ASSERT_EQUAL(theirs[REGION + 4096], exact ? i + 1 : 44);
		CU_ASSERT_EQUAL(shown(i, 0), exact ? REGION : WINDOW);
	}
}

static bool
is_down(void)
{
	return ntb_link_poll(port[0]) == NTB_LINK_DOWN && ntb_link_poll(port[1]) == NTB_LINK_DOWN;
}

static bool
first_sees_blink(void)
{
	return port[0]->ops->link_breaks(port[0]) == 2;
}

/* The driver notices none of it. A cable that was out between two looks has broken, too. */
static void
test_pulled(void)
{
	unsigned int lines;

	drv_log_take(&lines);
	intm_cable(live_intel_model(&fake[0]), false);
	CU_ASSERT_TRUE(wait_for(is_down));
	drv_check_why(port[0], "no driver at its other end (the link's status reads 0x00000");
	CU_ASSERT_PTR_NOT_NULL(strstr(drv_log_take(&lines), "16:00.0: link down: no training"));
	CU_ASSERT_EQUAL(port[0]->ops->link_breaks(port[0]), 1);
	CU_ASSERT_EQUAL(ntb_flush(port[0]), -EIO);
	intm_cable(live_intel_model(&fake[0]), true);
	CU_ASSERT_TRUE(wait_for(both_up));
	CU_ASSERT_EQUAL(ntb_flush(port[0]), 0);
	CU_ASSERT_EQUAL(port[1]->ops->link_breaks(port[1]), 1);
	intm_cable(live_intel_model(&fake[0]), false);
	intm_cable(live_intel_model(&fake[0]), true);
	CU_ASSERT_TRUE(wait_for(first_sees_blink));
	CU_ASSERT_TRUE(wait_for(both_up));
	CU_ASSERT_EQUAL(port[1]->ops->link_breaks(port[1]), 2);
}

static bool
second_sees_break(void)
{
	return port[1]->ops->link_breaks(port[1]) == 3;
}

static void
test_stop(void)
{
	ntb_port_stop(port[0]);
	CU_ASSERT_EQUAL(shown(1, 0), 0);
	CU_ASSERT_TRUE(wait_for(second_sees_break));
	CU_ASSERT_NOT_EQUAL(ntb_link_poll(port[1]), NTB_LINK_UP);
	drv_check_why(port[1], "the peer's driver has stopped");
	drv_check_why(port[0], "stopped, for this process");
	CU_ASSERT_EQUAL(ntb_flush(port[1]), -EIO);
	CU_ASSERT_EQUAL(ntb_flush(port[0]), -EIO);
	CU_ASSERT_EQUAL(all_shown(), 0);
	CU_ASSERT_EQUAL(ntb_port_configure(port[0], &region[0]), -ENOTSUP);
	ntb_port_stop(port[1]);
	for (unsigned int i = 0; i < ENDS; i++)
		ntb_port_close(port[i]);
	CU_ASSERT_EQUAL(all_shown(), 0);
	CU_ASSERT_EQUAL(exposed, 0);
}

static int
setup(void)
{
	static const char *const eal[] = {"--iova-mode=pa", NULL};

	return drv_log_start() < 0 ? 1 : drv_eal_init(eal);
}

/* Registers as a program leaves them that was killed. */
static void
leave_open(unsigned int i)
{
	struct intm_port *model = live_intel_model(&fake[i]);

	for (uint32_t w = 0; w < INTM_WINDOWS; w++) {
		intm_reg_write(model, 0x10 + 16 * w, FOREIGN, 8);
		intm_reg_write(model, 0x18 + 16 * w, fake_pci_bar_at(&fake[i], 2 + 2 * w) + WINDOW,
			       8);
	}
}

static int
add_functions(void)
{
	struct live_cable cable = {
		.model_fd = memfd_create("cable", MFD_CLOEXEC),
		.memory_fd = memfd_create("memory", MFD_CLOEXEC),
		.gen = gen,
		.reading = reading,
	};
	int ret = cable.model_fd < 0 || cable.memory_fd < 0 ? -errno : 0;

	for (unsigned int i = 0; ret == 0 && i <= ENDS; i++) {
		cable.end = i;
		fake[i].device = gen == 3 ? 0x201c : 0x347e;
		fake[i].size[0] = LIVE_REGISTERS;
		fake[i].size[2] = fake[i].size[4] = WINDOW;
		fake[i].wc[2] = true;
		ret = fake_pci_add(&fake[i]);
		if (ret == 0 && i < ENDS)
			ret = live_intel_add(&fake[i], &cable);
	}
	if (ret == 0) {
		leave_open(1);
		fake[ENDS].config[4] = 6; /* a bus master */
	}
	return ret;
}

static int
run_reading(const char *words)
{
	static const struct test_case tests[] = {
		{"before a program", test_before},  {"ports are found", test_found},
		{"regions", test_regions},	    {"a port alone", test_alone},
		{"the link comes up", test_up},	    {"windows", test_windows},
		{"a cable is pulled", test_pulled}, {"a peer stops", test_stop},
	};
	const struct test_suite suite = {"raw_ntb on Intel's registers", setup, NULL, NULL, NULL};
	int ret = intm_reading(words, &reading);

	printf("\n== generation %u, %s ==\n", gen, words);
	if (ret == 0)
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
	set_limit(100, "the test of raw_ntb hangs\n");
	return run_cases(&suite, tests, RTE_DIM(tests));
}

/* In a process of its own, which the EAL needs. */
static int
try_reading(unsigned int number, const char *words)
{
	int status = 0;
	pid_t pid;

	fflush(NULL);
	gen = number;
	pid = fork();
	if (pid == 0) {
		status = run_reading(words);
		fflush(NULL);
		/* threads of live_intel.c still use what an orderly end would unmap */
		_exit(status);
	}
	if (pid < 0 || waitpid(pid, &status, 0) < 0 || !WIFEXITED(status))
		return EXIT_FAILURE;
	return WEXITSTATUS(status);
}

int
main(int argc, char **argv)
{
	static const struct {
		const char *words;
		bool old; /* generation 3 too */
	} readings[] = {
		{"none", true},	   {"xbase", true},	  {"zero", true},
		{"equal", true},   {"below", true},	  {"open", true},
		{"adds", false},   {"index", false},	  {"sapphire", false},
		{"spcicmd", true}, {"xbase+below", true}, {"xbase+equal+adds", true},
		{"all", true},
	};
	int ret = EXIT_SUCCESS;

	if (!live_intel_possible()) {
		fprintf(stderr, "skipped: no traps of accesses on this machine\n");
		return DRV_SKIP;
	}
	if (argc == 3)
		return try_reading((unsigned int)atoi(argv[1]), argv[2]);
	for (unsigned int i = 0; i < RTE_DIM(readings); i++)
		for (unsigned int g = readings[i].old ? 3 : 4; g <= 4 && ret == EXIT_SUCCESS; g++)
			ret = try_reading(g, readings[i].words);
	return ret;
}
