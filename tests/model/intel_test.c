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

/* Linux gives all 33 sources a vector, and clears the link's bit after its cause alone. */
static void
test_link_source(void)
{
	const uint64_t bit = 1ull << INTM_DB_LINK;

	for (unsigned int gen = 3; gen <= 4; gen++) {
		uint32_t vectors = gen == 3 ? 0xd0 : 0x50;

		plug(gen, 4 * MIB);
		CU_ASSERT_EQUAL(intm_reg_read(p[0], vectors, 1), 1);
		CU_ASSERT_EQUAL(intm_reg_read(p[0], vectors + INTM_DB_LINK, 1), 0);
		intm_reg_write(p[0], vectors + INTM_DB_LINK, 9, 1);
		CU_ASSERT_EQUAL(intm_reg_read(p[0], vectors + INTM_DB_LINK, 1), 9);
		open_link(0, gen);
		open_link(1, gen);
		intm_reg_write(p[0], 0x40, bit, 8);
		CU_ASSERT_EQUAL(intm_reg_read(p[0], 0x40, 8), gen == 3 ? 0 : bit);
		intm_reg_write(p[0], 0xb05a, 0x100, 2);
		intm_reg_write(p[0], 0x40, bit, 8);
		CU_ASSERT_EQUAL(intm_reg_read(p[0], 0x40, 8), 0);
		unplug();
	}
}

static void
test_config(void)
{
	uint64_t off;

	plug(4, 4 * MIB);
	CU_ASSERT_EQUAL(intm_cfg_read(p[0], 0xc4, 1), 22);
	CU_ASSERT_EQUAL(intm_cfg_read(p[0], 0x3d, 1), 1);
	/* the size of a BAR, and a place of its own */
	intm_cfg_write(p[0], 0x18, 0xffffffff, 4);
	CU_ASSERT_EQUAL(intm_cfg_read(p[0], 0x18, 4), (0 - (uint32_t)(4 * MIB)) | 0xc);
	intm_cfg_write(p[0], 0x1c, 0xffffffff, 4);
	CU_ASSERT_EQUAL(intm_cfg_read(p[0], 0x1c, 4), ONES32);
	intm_cfg_write(p[0], 0x18, 0x80000000, 4);
	intm_cfg_write(p[0], 0x1c, 0x12, 4);
	CU_ASSERT_EQUAL(intm_decode(p[0], 0x1280000000 + 4 * MIB - 8, 8, &off), 1);
	CU_ASSERT_EQUAL(off, 4 * MIB - 8);
	CU_ASSERT_EQUAL(intm_decode(p[0], 0x1280000000 + 4 * MIB - 4, 8, &off), -1);
	CU_ASSERT_EQUAL(intm_decode(p[0], BAR4, 1, &off), 2);
	CU_ASSERT_EQUAL(intm_decode(p[0], 0xf0000010, 4, &off), 0);
	CU_ASSERT_EQUAL(off, 0x10);
	intm_cfg_write(p[0], 0x04, 4, 2); /* no memory */
	CU_ASSERT_EQUAL(intm_decode(p[0], 0xf0000010, 4, &off), -1);
	/* the list of capabilities: MSI of 64 bits, MSI-X with a vector for each source */
	CU_ASSERT_EQUAL(intm_cfg_read(p[0], 0x06, 2), 0x10);
	CU_ASSERT_EQUAL(intm_cfg_read(p[0], 0x34, 1), 0x60);
	CU_ASSERT_EQUAL(intm_cfg_read(p[0], 0x60, 4), 0x00808005);
	CU_ASSERT_EQUAL(intm_cfg_read(p[0], 0x80, 4), 0x00200011);
	CU_ASSERT_EQUAL(intm_cfg_read(p[0], 0x84, 4), 0x2000);
	/* power resets all */
	intm_power(p[0], false);
	intm_power(p[0], true);
	CU_ASSERT_EQUAL(intm_cfg_read(p[0], 0x04, 2), 0);
	CU_ASSERT_EQUAL(intm_cfg_read(p[0], 0x18, 8), BAR2 | 0xc);
	unplug();
}

static bool
message_is(unsigned int end, uint64_t addr, uint32_t data)
{
	struct intm_message m;

	return intm_message(p[end], &m) && m.addr == addr && m.data == data;
}

static void
ring(unsigned int bit)
{
	intm_reg_write(p[0], 0x100 + 4 * bit, 1, 4);
}

static void
test_msix(void)
{
	struct intm_message m;

	plug(4, 4 * MIB);
	open_link(0, 4);
	open_link(1, 4);
	intm_reg_write(p[1], 0x48, 0, 8);
	intm_cfg_write(p[1], 0x82, 0x8000, 2);
	for (uint32_t v = 0; v < INTM_VECTORS; v++) {
		intm_reg_write(p[1], 0x2000 + 16 * v, 0xfee00000, 8);
		intm_reg_write(p[1], 0x2008 + 16 * v, 0x40 + v, 4);
		CU_ASSERT_EQUAL(intm_reg_read(p[1], 0x200c + 16 * v, 4), 1);
		intm_reg_write(p[1], 0x200c + 16 * v, v == 8, 4);
	}
	ring(3);
	CU_ASSERT_TRUE(message_is(1, 0xfee00000, 0x44));
	CU_ASSERT_FALSE(intm_message(p[1], &m));
	ring(3); /* pending already */
	CU_ASSERT_FALSE(intm_message(p[1], &m));
	/* a masked vector keeps its message */
	ring(7);
	CU_ASSERT_FALSE(intm_message(p[1], &m));
	CU_ASSERT_EQUAL(intm_reg_read(p[1], 0x3000, 8), 1u << 8);
	intm_reg_write(p[1], 0x200c + 16 * 8, 0, 4);
	CU_ASSERT_TRUE(message_is(1, 0xfee00000, 0x48));
	/* a disabled source is told once it is enabled */
	intm_reg_write(p[1], 0x48, 1u << 5, 8);
	ring(5);
	CU_ASSERT_FALSE(intm_message(p[1], &m));
	intm_reg_write(p[1], 0x48, 0, 8);
	CU_ASSERT_TRUE(message_is(1, 0xfee00000, 0x46));
	/* two sources of one vector: the second is told again once the first is cleared */
	intm_reg_write(p[1], 0x40, UINT64_MAX, 8);
	intm_reg_write(p[1], 0x50 + 10, 2, 1);
	intm_reg_write(p[1], 0x50 + 11, 2, 1);
	ring(10);
	ring(11);
	CU_ASSERT_TRUE(message_is(1, 0xfee00000, 0x42));
	CU_ASSERT_FALSE(intm_message(p[1], &m));
	intm_reg_write(p[1], 0x40, 1u << 10, 8);
	CU_ASSERT_TRUE(message_is(1, 0xfee00000, 0x42));
	CU_ASSERT_FALSE(intm_message(p[1], &m));
	/* nothing without bus mastering, and no INTx */
	ring(20);
	CU_ASSERT_FALSE(intm_intx(p[1]));
	intm_cfg_write(p[1], 0x04, 2, 2);
	CU_ASSERT_FALSE(intm_message(p[1], &m));
	intm_cfg_write(p[1], 0x04, 6, 2);
	CU_ASSERT_TRUE(message_is(1, 0xfee00000, 0x40 + 21));
	unplug();
}

static void
test_msi_and_intx(void)
{
	struct intm_message m;

	plug(4, 4 * MIB);
	open_link(0, 4);
	open_link(1, 4);
	intm_reg_write(p[1], 0xb05a, 0x100, 2);
	intm_reg_write(p[1], 0x40, UINT64_MAX, 8);
	intm_reg_write(p[1], 0x48, 0, 8);
	CU_ASSERT_FALSE(intm_intx(p[1]));
	ring(1);
	CU_ASSERT_TRUE(intm_intx(p[1]));
	CU_ASSERT_EQUAL(intm_cfg_read(p[1], 0x06, 2), 0x18);
	intm_cfg_write(p[1], 0x04, 0x406, 2); /* INTx is off; its state stays */
	CU_ASSERT_FALSE(intm_intx(p[1]));
	CU_ASSERT_EQUAL(intm_cfg_read(p[1], 0x06, 2), 0x18);
	intm_cfg_write(p[1], 0x04, 6, 2);
	CU_ASSERT_TRUE(intm_intx(p[1]));
	CU_ASSERT_FALSE(intm_message(p[1], &m));
	intm_reg_write(p[1], 0x40, 2, 8);
	CU_ASSERT_FALSE(intm_intx(p[1]));
	intm_cfg_write(p[1], 0x64, 0xfee01000, 4);
	intm_cfg_write(p[1], 0x6c, 0x51, 2);
	intm_cfg_write(p[1], 0x62, 1, 2);
	ring(1);
	ring(2);
	CU_ASSERT_FALSE(intm_intx(p[1]));
	CU_ASSERT_TRUE(message_is(1, 0xfee01000, 0x51));
	CU_ASSERT_FALSE(intm_message(p[1], &m));
	intm_reg_write(p[1], 0x40, 2, 8); /* one is left */
	CU_ASSERT_TRUE(message_is(1, 0xfee01000, 0x51));
	intm_reg_write(p[1], 0x40, 4, 8);
	CU_ASSERT_FALSE(intm_message(p[1], &m));
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
		{"identity", test_identity},
		{"link", test_link},
		{"scratchpads", test_scratchpads},
		{"doorbells", test_doorbells},
		{"windows", test_windows},
		{"restart", test_restart},
		{"link source", test_link_source},
		{"configuration space", test_config},
		{"MSI-X", test_msix},
		{"MSI and INTx", test_msi_and_intx},
		{"bad files", test_bad_files},
	};

	return run_suite("Intel's NTBs", cases, sizeof(cases) / sizeof(cases[0]));
}
