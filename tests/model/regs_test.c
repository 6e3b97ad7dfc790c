/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Register file and configuration space: what is where, what can be written. */

#include <errno.h>
#include <unistd.h>

#include "model_test.h"

static struct rig r;

static const struct script scripts[] = {
	SCRIPT("identity", 16 * MIB, MIB, false, {RD, V0, 0x87B010B5}, {RD, L0, 0x87A010B5},
	       {RD, V0 + 0x08, 0x068000CA}, {LACKS, V0 + 0x0C, 0xFF0000},
	       {RD, V0 + 0x2C, 0x874910B5}, {RD, V0 + 0xC8C, 0}, {RD, L0 + 0xC8C, 0x80000000},
	       {RD, V0 + 0xC90, 0x0018},
	       /* NT0 is port 8, and enabled; NT1 is not */
	       {HAS, 0x360, 1u << 13 | 8 << 8}, {LACKS, 0x360, 1u << 21 | 0x17 << 8},
	       {RD, 0x358, 1},
	       /* upstream and downstream ports are bridges named after the part */
	       {RD, 0x0000, 0x874910B5}, {HAS, 0x8008, 0x06040000}, {LACKS, 0x8008, ~0x060400FFu},
	       {HAS, 0x800C, 0x010000}, {LACKS, 0x800C, 0x7E0000}),
	/* no such port in the mask 0-5, 8-13, 16-21, and NT1 is not cabled; misaligned: dropped */
	SCRIPT("nothing there", MIB, 0, false, {RD, V0 + 1, ONES}, {RD, V0 + 2, ONES},
	       {RD, PLXM_BAR0_SIZE, ONES}, {RD, 0xFFFFFFFC, ONES}, {RD, 6 << 12, ONES},
	       {RD, 14 << 12, ONES}, {RD, V1, ONES}, {WR, V0 + 0xC6E, 0x11111111},
	       {WR, PLXM_BAR0_SIZE + V0 + 0xC6C, 1}, {WR, 0xFFFFFFFC, 1}, {RD, V0 + 0xC6C, 0}),
	SCRIPT("BAR sizing", 64 * MIB, 8192 * MIB, false, {RDC, CFG(4, 0x10), 0},
	       {WRC, CFG(4, 0x10), ONES}, {RDC, CFG(4, 0x10), 0xFFFC0000},
	       /* 32-bit BAR0: there is no BAR1 */
	       {WRC, CFG(4, 0x14), ONES}, {RDC, CFG(4, 0x14), 0}, {WRC, CFG(4, 0x18), ONES},
	       {WRC, CFG(4, 0x1C), ONES}, {RDC, CFG(4, 0x18), 0xFC00000C},
	       {RDC, CFG(4, 0x1C), ONES}, {WRC, CFG(4, 0x20), ONES}, {WRC, CFG(4, 0x24), ONES},
	       /* 8 GiB */
	       {RDC, CFG(4, 0x20), 0x0000000C}, {RDC, CFG(4, 0x24), 0xFFFFFFFE},
	       /* sizes of the virtual side are the EEPROM's */
	       {WR, V0 + 0xE8, 0xFFF0000C}, {RD, V0 + 0xE8, 0xFC00000C}, {RD, V0 + 0xE4, 2}),
	SCRIPT("link-side BARs", 64 * MIB, 0, false, {WR, L0 + 0xE4, 3},
	       {WR64, L0 + 0x10, 0x123456789ABCDEFF}, {RD, L0 + 0x10, 0x9ABC0004},
	       {RD, L0 + 0x14, 0x12345678},
	       /* 64-bit pair: nibble 1100 is 64-bit prefetchable, minimum 1 MiB */
	       {WR64, L0 + 0xE8, -MIB | 0xC}, {WR64, L0 + 0x18, ~0ull}, {RD, L0 + 0x18, 0xFFF0000C},
	       {RD, L0 + 0x1C, ONES}, {WR64, L0 + 0xC3C, ~0ull}, {RD, L0 + 0xC3C, 0xFFF00000},
	       /* size 0 disables */
	       {WR64, L0 + 0xE8, 0}, {RD, L0 + 0x18, 0}, {RD, L0 + 0x1C, 0}),
	SCRIPT("config by bytes", MIB, 0, false, {RDC, CFG(2, 0), 0x10B5}, {RDC, CFG(2, 2), 0x87B0},
	       {RDC, CFG(1, 1), 0x10}, {RDC, CFG(2, 3), ONES}, {RDC, CFG(3, 0), ONES},
	       {RDC, CFG(4, 0x1000), ONES}, {WRC, CFG(2, 4), 6}, {RDC, CFG(2, 4), 6},
	       /* the other bytes of the dword stay as they are; bit 4: has capabilities */
	       {WRC, CFG(1, 5), 4}, {RDC, CFG(2, 4), 0x406}, {RDC, CFG(2, 6), 0x10},
	       {WRC, CFG(1, 0x3C), 0x1234}, {RDC, CFG(2, 0x3C), 0x0134},
	       /* configuration cycles reach the NT registers too */
	       {WRC, CFG(1, 0xC6D), 0xAB}, {RD, V0 + 0xC6C, 0xAB00}, {RDC, CFG(4, 0xC8C), 0}),
	/* requester-id LUTs: entry bit 2 does not exist; the ranges of the two blocks differ */
	SCRIPT("LUT and A-LUT storage", MIB, 0, false, {WR, V0 + 0xD94, ONES},
	       {WR, V0 + 0xDD0, ONES - 60}, {WR, L0 + 0xDB4, 0x5A5AA5A5}, {WR, L0 + 0xDF0, ONES},
	       {WR, V0 + 0xDD4, ONES}, {WR, L0 + 0xDF4, ONES}, {RD, V0 + 0xD94, 0xFFFBFFFB},
	       {RD, V0 + 0xDD0, 0xFFFBFFC3}, {RD, L0 + 0xDB4, 0x5A5AA5A1},
	       {RD, L0 + 0xDF0, 0xFFFBFFFB}, {RD, V0 + 0xDD4, 0}, {RD, L0 + 0xDF4, 0},
	       /* A-LUT: four arrays of low, high, permission */
	       {WR, 0x3B1FC, 0xABC00000}, {WR, 0x3A5FC, 0x3A000}, {WR, 0x389FC, ONES},
	       {RD, 0x3B1FC, 0xABC00000}, {RD, 0x3A5FC, 0x3A000}, {HAS, 0x389FC, 3}),
};

RUN_SCRIPTS(scripts)

static void
test_read_only(void)
{
	static const uint32_t ro[] = {0x00, 0x08, 0x2C, 0x34, 0x74, 0xC8C, 0xC90, 0xFD0};

	rig_open(&r, MIB, 0);
	for (size_t i = 0; i < sizeof(ro) / sizeof(ro[0]); i++) {
		for (uint32_t block = V0; block <= L0; block += 0x1000) {
			uint32_t was = rig_read(&r, block + ro[i]);

			rig_write(&r, block + ro[i], ~was);
			CU_ASSERT_EQUAL(rig_read(&r, block + ro[i]), was);
		}
	}
	rig_close(&r);
}

static void
test_capabilities(void)
{
	struct plxm_port *p;
	uint32_t seen = 0, at, n;

	rig_open(&r, MIB, 0);
	p = r.p[0];
	for (at = plxm_cfg_read(p, 0x34, 1), n = 0; at != 0 && n < 48; n++) {
		uint32_t id = plxm_cfg_read(p, at, 1);

		seen |= (id == 0x01 && at == 0x40) ? 1 : 0;
		seen |= (id == 0x10 && at == 0x68) ? 2 : 0;
		at = plxm_cfg_read(p, at + 1, 1);
	}
	CU_ASSERT(n < 48);
	CU_ASSERT_EQUAL(seen, 3);
	/* payload up to 2048 bytes */
	CU_ASSERT_EQUAL(plxm_cfg_read(p, 0x6C, 4) & 7, 4);
	rig_close(&r);
}

static void
test_eeprom(void)
{
	struct plxm_eeprom good, e;
	struct plxm_port *p = NULL;
	int fd = new_cable();

	plxm_eeprom_default(&good, MIB);
	const struct plxm_eeprom refused[] = {
		{0x8747, 0, 8, MIB, MIB, 0, 0},	    {0x8749, 2, 8, MIB, MIB, 0, 0},
		{0x8749, 0, 6, MIB, MIB, 0, 0},	    {0x8749, 0, 8, MIB / 2, MIB, 0, 0},
		{0x8749, 0, 8, 3 * MIB, MIB, 0, 0},
	};
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
		CU_ASSERT_EQUAL(plxm_port_open(fd, 0, 0, &refused[i], &p), -EINVAL);
	CU_ASSERT_EQUAL(plxm_port_open(fd, 0, 2, &good, &p), -EINVAL);
	CU_ASSERT_PTR_NULL(p);
	/* the 8732: one NT port, no A-LUT, no DMA */
	e = good, e.chip = 0x8732, e.nt_index = 1;
	CU_ASSERT_EQUAL(plxm_port_open(fd, 0, 0, &e, &p), -EINVAL);
	e.nt_index = 0;
	CU_ASSERT_EQUAL_FATAL(plxm_port_open(fd, 0, 0, &e, &p), 0);
	CU_ASSERT_EQUAL(plxm_reg_read(p, 0x360) >> 30, 0);
	plxm_reg_write(p, 0x360, ONES);
	CU_ASSERT_EQUAL(plxm_reg_read(p, 0x360) >> 30, 0);
	CU_ASSERT_EQUAL(plxm_reg_read(p, V0 + 0x08) & 0xFF, 0xAA);
	plxm_reg_write(p, V0 + 0xC94, ONES);
	CU_ASSERT_EQUAL(plxm_reg_read(p, V0 + 0xC94), 0);
	/* only the owner may, and it is alive */
	e = good;
	CU_ASSERT_EQUAL(plxm_port_open(fd, 0, 0, &e, &(struct plxm_port *){NULL}), -EBUSY);
	plxm_port_close(p);
	close(fd);
}

TEST_PROGRAM("registers", NULL, NULL, {"scripts", test_scripts},
	     {"read-only registers", test_read_only}, {"capabilities", test_capabilities},
	     {"EEPROM", test_eeprom})
