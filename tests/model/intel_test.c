/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Registers of Intel's NTBs, of generations 3 and 4. */

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cases.h"
#include "intm.h"

#define MIB (1ull << 20)
#define BAR2 0x3800000000ull
#define BAR4 0x3c00000000ull
#define ONES32 0xffffffffu

static struct intm_port *p[INTM_ENDS];
static int cable;

static void
plug(unsigned int gen, uint64_t window)
{
	cable = memfd_create("cable", MFD_CLOEXEC);
	for (unsigned int end = 0; end < INTM_ENDS; end++) {
		const struct intm_conf conf = {
			.fd = cable,
			.end = end,
			.gen = gen,
			.bar_addr = {0xf0000000, BAR2, BAR4},
			.bar_size = {INTM_BAR0_SIZE, window, MIB},
		};

		CU_ASSERT_EQUAL_FATAL(intm_open(&conf, &p[end]), 0);
		intm_cfg_write(p[end], 0x04, 6, 2);
	}
}

static void
unplug(void)
{
	for (unsigned int end = 0; end < INTM_ENDS; end++)
		intm_close(p[end]);
	close(cable);
}

/* NTBCNTL without lock and disable; of generation 4 the link is trained as well. */
static void
open_link(unsigned int end, unsigned int gen)
{
	intm_reg_write(p[end], 0x0, 0x154, 4);
	if (gen == 3)
		return;
	intm_reg_write(p[end], 0xb050, 0, 2);
	intm_reg_write(p[end], 0xb0d4, 8, 4);
}

static bool
is_up(unsigned int end, unsigned int gen)
{
	uint64_t status =
		gen == 3 ? intm_cfg_read(p[end], 0x1a2, 2) : intm_reg_read(p[end], 0xb052, 2);

	CU_ASSERT_TRUE(status == 0 || status == (0x2000 | 16 << 4 | 3));
	return (status & 0x2000) != 0;
}

static void
test_identity(void)
{
	plug(3, 4 * MIB);
	CU_ASSERT_EQUAL(intm_cfg_read(p[0], 0, 4), 0x201c8086);
	CU_ASSERT_EQUAL(intm_cfg_read(p[0], 0xd4, 1), 0x01); /* back to back, upstream */
	CU_ASSERT_EQUAL(intm_cfg_read(p[1], 0xd4, 1), 0x11); /* downstream */
	CU_ASSERT_EQUAL(intm_cfg_read(p[0], 0xd0, 1), 22);
	CU_ASSERT_EQUAL(intm_cfg_read(p[0], 0x18, 8), BAR2 | 0xc);
	CU_ASSERT_EQUAL(intm_cfg_read(p[0], 4096, 1), 0xff);
	unplug();
	plug(4, 4 * MIB);
	CU_ASSERT_EQUAL(intm_cfg_read(p[0], 0, 4), 0x347e8086);
	CU_ASSERT_EQUAL(intm_cfg_read(p[0], 0x08, 1), 4);
	CU_ASSERT_EQUAL(intm_reg_read(p[0], 0xb4c0, 4), 0x0200);
	CU_ASSERT_EQUAL(intm_reg_read(p[1], 0xb4c0, 4), 0x1200);
	intm_reg_write(p[1], 0xb4c0, 0, 4);
	CU_ASSERT_EQUAL(intm_reg_read(p[1], 0xb4c0, 4), 0x1200);
	unplug();
}

static void
test_link(void)
{
	for (unsigned int gen = 3; gen <= 4; gen++) {
		plug(gen, 4 * MIB);
		CU_ASSERT_FALSE(is_up(0, gen));
		open_link(0, gen);
		CU_ASSERT_FALSE(is_up(0, gen));
		CU_ASSERT_EQUAL(intm_reg_read(p[0], 0x40, 8), 0);
		open_link(1, gen);
		CU_ASSERT_TRUE(is_up(0, gen));
		CU_ASSERT_TRUE(is_up(1, gen));
		/* both are told */
		CU_ASSERT_EQUAL(intm_reg_read(p[0], 0x40, 8), 1ull << INTM_DB_LINK);
		CU_ASSERT_EQUAL(intm_reg_read(p[1], 0x40, 8), 1ull << INTM_DB_LINK);
		intm_reg_write(p[0], 0x40, UINT64_MAX, 8);
		intm_cable(p[1], false);
		CU_ASSERT_FALSE(is_up(0, gen));
		CU_ASSERT_EQUAL(intm_reg_read(p[0], 0x40, 8), 1ull << INTM_DB_LINK);
		intm_cable(p[1], true);
		CU_ASSERT_TRUE(is_up(0, gen));
		if (gen == 3)
			intm_reg_write(p[1], 0x0, 3, 4);
		else
			intm_reg_write(p[1], 0xb050, 0x10, 2);
		CU_ASSERT_FALSE(is_up(0, gen));
		unplug();
	}
}

static void
test_scratchpads(void)
{
	for (unsigned int gen = 3; gen <= 4; gen++) {
		uint32_t peer = gen == 3 ? 0x180 : 0x8080;

		plug(gen, 4 * MIB);
		intm_reg_write(p[0], 0x80, 7, 4);
		CU_ASSERT_EQUAL(intm_reg_read(p[1], peer, 4), ONES32);
		intm_reg_write(p[1], peer, 8, 4);
		CU_ASSERT_EQUAL(intm_reg_read(p[0], 0x80, 4), 7);
		open_link(0, gen);
		open_link(1, gen);
		CU_ASSERT_EQUAL(intm_reg_read(p[1], peer, 4), 7);
		for (uint32_t i = 0; i < INTM_SPADS; i++)
			intm_reg_write(p[1], peer + 4 * i, 100 + i, 4);
		for (uint32_t i = 0; i < INTM_SPADS; i++) {
			CU_ASSERT_EQUAL(intm_reg_read(p[0], 0x80 + 4 * i, 4), 100 + i);
			CU_ASSERT_EQUAL(intm_reg_read(p[1], 0x80 + 4 * i, 4), 0);
		}
		unplug();
	}
}

static void
test_doorbells(void)
{
	uint32_t before;

	plug(3, 4 * MIB);
	open_link(0, 3);
	intm_reg_write(p[0], 0x100, 1, 4); /* the link is down */
	open_link(1, 3);
	intm_reg_write(p[1], 0x40, 1ull << INTM_DB_LINK, 8);
	CU_ASSERT_EQUAL(intm_reg_read(p[1], 0x40, 8), 0);
	before = *intm_word(p[1]);
	intm_reg_write(p[0], 0x100, 1, 4);
	intm_reg_write(p[0], 0x100 + 4 * 31, 1, 4);
	intm_reg_write(p[0], 0x100 + 4 * 5, 0, 4);
	CU_ASSERT_EQUAL(intm_reg_read(p[1], 0x40, 8), 1u << 31 | 1);
	CU_ASSERT_EQUAL(intm_reg_read(p[0], 0x100, 4), 0);
	CU_ASSERT_FALSE(intm_irq(p[1])); /* all are disabled */
	CU_ASSERT_EQUAL(*intm_word(p[1]), before);
	intm_reg_write(p[1], 0x48, ~1ull, 8);
	CU_ASSERT_TRUE(intm_irq(p[1]));
	CU_ASSERT_EQUAL(intm_irqs(p[1]), 1);
	intm_reg_write(p[0], 0x100, 1, 4); /* it is pending already */
	CU_ASSERT_EQUAL(intm_irqs(p[1]), 1);
	CU_ASSERT_NOT_EQUAL(*intm_word(p[1]), before);
	intm_reg_write(p[1], 0x40, 1, 8);
	CU_ASSERT_FALSE(intm_irq(p[1]));
	CU_ASSERT_EQUAL(intm_reg_read(p[1], 0x40, 8), 1u << 31);
	/* a part of the register */
	intm_reg_write(p[1], 0x43, 0x80, 1);
	CU_ASSERT_EQUAL(intm_reg_read(p[1], 0x40, 8), 0);
	unplug();
}

/* An inbound region of @p len at @p bus, as drivers set it. */
static void
translate(unsigned int end, unsigned int gen, uint64_t bus, uint64_t len)
{
	uint16_t bits = 0;

	intm_reg_write(p[end], 0x10, bus, 8);
	intm_reg_write(p[end], 0x18, BAR2 + len, 8);
	if (gen == 3) {
		intm_reg_write(p[end], 0x4018, (intm_reg_read(p[end], 0x4518, 8) & ~0xfull) + len,
			       8);
		return;
	}
	while (1ull << bits < len)
		bits++;
	intm_reg_write(p[end], 0x74, bits, 2);
}

static void
test_windows(void)
{
	const uint64_t len = 3 * MIB, bus_at = 1ull << 36;
	uint64_t bus, rest;

	for (unsigned int gen = 3; gen <= 4; gen++) {
		plug(gen, 4 * MIB);
		translate(1, gen, bus_at, len);
		CU_ASSERT_EQUAL(intm_window(p[0], 0, 0, &bus, &rest), -EIO); /* no link */
		open_link(0, gen);
		open_link(1, gen);
		CU_ASSERT_EQUAL(intm_window(p[0], 0, 0, &bus, &rest), 0);
		CU_ASSERT_EQUAL(bus, bus_at);
		CU_ASSERT_EQUAL(rest, len);
		CU_ASSERT_EQUAL(intm_window(p[0], 0, len - 8, &bus, &rest), 0);
		CU_ASSERT_EQUAL(bus, bus_at + len - 8);
		CU_ASSERT_EQUAL(rest, 8);
		CU_ASSERT_EQUAL(intm_window(p[0], 0, len, &bus, &rest), -EIO);
		/* a base that is not aligned to the window leads elsewhere */
		translate(1, gen, bus_at + 4096, len);
		CU_ASSERT_EQUAL(intm_window(p[0], 0, 0, &bus, &rest), 0);
		CU_ASSERT_EQUAL(bus, bus_at);
		/* closed, as DPDK's driver does */
		translate(1, gen, 0, 0);
		CU_ASSERT_EQUAL(intm_window(p[0], 0, 0, &bus, &rest), -EIO);
		translate(1, gen, bus_at, len);
		intm_cfg_write(p[1], 0x04, 2, 2); /* no bus master */
		CU_ASSERT_EQUAL(intm_window(p[0], 0, 0, &bus, &rest), -EIO);
		CU_ASSERT_EQUAL(intm_window(p[0], INTM_WINDOWS, 0, &bus, &rest), -EINVAL);
		unplug();
	}
}

/* A host that starts anew: its registers are those of the reset, and the link was down. */
static void
test_restart(void)
{
	plug(3, 4 * MIB);
	open_link(0, 3);
	open_link(1, 3);
	intm_reg_write(p[1], 0x80, 5, 4);
	intm_reg_write(p[0], 0x40, UINT64_MAX, 8);
	intm_close(p[1]);
	CU_ASSERT_FALSE(is_up(0, 3));
	CU_ASSERT_EQUAL(intm_reg_read(p[0], 0x40, 8), 1ull << INTM_DB_LINK);
	CU_ASSERT_EQUAL_FATAL(intm_open(&(struct intm_conf){.fd = cable,
							    .end = 1,
							    .gen = 3,
							    .bar_addr = {0, BAR2, BAR4},
							    .bar_size = {0, MIB, MIB}},
					&p[1]),
			      0);
	CU_ASSERT_EQUAL(intm_reg_read(p[1], 0x80, 4), 0);
	open_link(1, 3);
	CU_ASSERT_TRUE(is_up(0, 3));
	unplug();
}

static void
test_bad_files(void)
{
	struct intm_conf conf = {.end = 0, .gen = 3, .bar_size = {0, MIB, MIB}};
	struct intm_port *port;

	conf.fd = memfd_create("cable", MFD_CLOEXEC);
	CU_ASSERT_EQUAL(ftruncate(conf.fd, 100), 0);
	CU_ASSERT_EQUAL(intm_open(&conf, &port), -EINVAL);
	CU_ASSERT_EQUAL(ftruncate(conf.fd, 0), 0);
	conf.bar_size[1] = 3 * MIB;
	CU_ASSERT_EQUAL(intm_open(&conf, &port), -EINVAL);
	conf.bar_size[1] = MIB;
	conf.gen = 5;
	CU_ASSERT_EQUAL(intm_open(&conf, &port), -EINVAL);
	conf.gen = 4;
	conf.end = 2;
	CU_ASSERT_EQUAL(intm_open(&conf, &port), -EINVAL);
	close(conf.fd);
}

int
main(void)
{
	static const struct test_case cases[] = {
		{"identity", test_identity},	   {"link", test_link},
		{"scratchpads", test_scratchpads}, {"doorbells", test_doorbells},
		{"windows", test_windows},	   {"restart", test_restart},
		{"bad files", test_bad_files},
	};

	return run_suite("Intel's NTBs", cases, sizeof(cases) / sizeof(cases[0]));
}
