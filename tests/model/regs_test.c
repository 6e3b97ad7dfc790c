/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Register file and configuration space: what is where, what can be written. */

#include <errno.h>
#include <unistd.h>

#include "model_test.h"

static struct rig r;

static void
test_identity(void)
{
	rig_open(&r, 16 * MIB, MIB);
	CU_ASSERT_EQUAL(rig_read(&r, V0), 0x87B010B5);
	CU_ASSERT_EQUAL(rig_read(&r, L0), 0x87A010B5);
	CU_ASSERT_EQUAL(rig_read(&r, V0 + 0x08) >> 8, 0x068000);
	CU_ASSERT_EQUAL(rig_read(&r, V0 + 0x08) & 0xFF, 0xCA);
	CU_ASSERT_EQUAL((rig_read(&r, V0 + 0x0C) >> 16) & 0xFF, 0);
	CU_ASSERT_EQUAL(rig_read(&r, V0 + 0x2C), 0x874910B5);
	CU_ASSERT_EQUAL(rig_read(&r, V0 + 0xC8C), 0);
	CU_ASSERT_EQUAL(rig_read(&r, L0 + 0xC8C), 0x80000000);
	CU_ASSERT_EQUAL(rig_read(&r, V0 + 0xC90), 0x0018);
	CU_ASSERT_EQUAL((rig_read(&r, 0x360) >> 8) & 0x1F, 8);
	CU_ASSERT_EQUAL(rig_read(&r, 0x360) & (1u << 13), 1u << 13);
	CU_ASSERT_EQUAL(rig_read(&r, 0x360) & (1u << 21), 0);
	CU_ASSERT_EQUAL(rig_read(&r, 0x358), 1);
	/* upstream and downstream ports are bridges named after the part */
	CU_ASSERT_EQUAL(rig_read(&r, 0x0000), 0x874910B5);
	CU_ASSERT_EQUAL(rig_read(&r, 0x8008) >> 8, 0x060400);
	CU_ASSERT_EQUAL((rig_read(&r, 0x800C) >> 16) & 0x7F, 1);
	rig_close(&r);
}

static void
test_nt1(void)
{
	struct plxm_eeprom e;

	plxm_eeprom_default(&e, MIB);
	e.chip = 0x8717;
	e.nt_index = 1;
	e.port = 13;
	rig_open_eeprom(&r, &e, &e);
	CU_ASSERT_EQUAL(rig_read(&r, V1), 0x87B110B5);
	CU_ASSERT_EQUAL(rig_read(&r, L1), 0x87A110B5);
	CU_ASSERT_EQUAL(rig_read(&r, V1 + 0xC8C), 1);
	CU_ASSERT_EQUAL(rig_read(&r, L1 + 0xC8C), 0x80000001);
	CU_ASSERT_EQUAL(rig_read(&r, V1 + 0x2C), 0x871710B5);
	CU_ASSERT_EQUAL(rig_read(&r, V0), ONES);
	CU_ASSERT_EQUAL((rig_read(&r, 0x360) >> 16) & 0x1F, 13);
	CU_ASSERT_EQUAL(rig_read(&r, 0x360) & (1u << 21), 1u << 21);
	CU_ASSERT_EQUAL(plxm_cfg_read(r.p[0], 0, 4), 0x87B110B5);
	rig_close(&r);
}

static void
test_nothing_there(void)
{
	rig_open(&r, MIB, 0);
	CU_ASSERT_EQUAL(rig_read(&r, V0 + 1), ONES);
	CU_ASSERT_EQUAL(rig_read(&r, V0 + 2), ONES);
	CU_ASSERT_EQUAL(rig_read(&r, PLXM_BAR0_SIZE), ONES);
	CU_ASSERT_EQUAL(rig_read(&r, 0xFFFFFFFC), ONES);
	/* no such port in the mask 0-5, 8-13, 16-21 */
	CU_ASSERT_EQUAL(rig_read(&r, 6 << 12), ONES);
	CU_ASSERT_EQUAL(rig_read(&r, 14 << 12), ONES);
	CU_ASSERT_EQUAL(rig_read(&r, V1), ONES); /* NT1 is not cabled */
	rig_write(&r, V0 + 0xC6E, 0x11111111);	 /* misaligned: dropped */
	CU_ASSERT_EQUAL(rig_read(&r, V0 + 0xC6C), 0);
	rig_write(&r, PLXM_BAR0_SIZE + V0 + 0xC6C, 1);
	rig_write(&r, 0xFFFFFFFC, 1);
	CU_ASSERT_EQUAL(rig_read(&r, V0 + 0xC6C), 0);
	rig_close(&r);
}

static void
test_read_only(void)
{
	static const uint32_t ro[] = {0x00,  0x08,  0x2C,  0x34,  0x74,
				      0xC8C, 0xC90, 0x100, 0xFB4, 0xFD0};

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
test_bar_sizing(void)
{
	struct plxm_port *p;

	rig_open(&r, 64 * MIB, 8192 * MIB);
	p = r.p[0];
	CU_ASSERT_EQUAL(plxm_cfg_read(p, 0x10, 4), 0);
	plxm_cfg_write(p, 0x10, ONES, 4);
	CU_ASSERT_EQUAL(plxm_cfg_read(p, 0x10, 4), 0xFFFC0000);
	plxm_cfg_write(p, 0x14, ONES, 4); /* 32-bit BAR0: there is no BAR1 */
	CU_ASSERT_EQUAL(plxm_cfg_read(p, 0x14, 4), 0);
	plxm_cfg_write(p, 0x18, ONES, 4);
	plxm_cfg_write(p, 0x1C, ONES, 4);
	CU_ASSERT_EQUAL(plxm_cfg_read(p, 0x18, 4), 0xFC00000C);
	CU_ASSERT_EQUAL(plxm_cfg_read(p, 0x1C, 4), ONES);
	plxm_cfg_write(p, 0x20, ONES, 4);
	plxm_cfg_write(p, 0x24, ONES, 4);
	CU_ASSERT_EQUAL(plxm_cfg_read(p, 0x20, 4), 0x0000000C); /* 8 GiB */
	CU_ASSERT_EQUAL(plxm_cfg_read(p, 0x24, 4), 0xFFFFFFFE);
	/* sizes of the virtual side are the EEPROM's */
	rig_write(&r, V0 + 0xE8, 0xFFF0000C);
	CU_ASSERT_EQUAL(rig_read(&r, V0 + 0xE8), 0xFC00000C);
	CU_ASSERT_EQUAL(rig_read(&r, V0 + 0xE4), 2);
	rig_close(&r);
}

static void
test_link_bars(void)
{
	rig_open(&r, 64 * MIB, 0);
	rig_write(&r, L0 + 0xE4, 3);
	set64(r.p[0], L0 + 0x10, 0x123456789ABCDEFFull);
	CU_ASSERT_EQUAL(rig_read(&r, L0 + 0x10), 0x9ABC0004);
	CU_ASSERT_EQUAL(rig_read(&r, L0 + 0x14), 0x12345678);
	/* 64-bit pair: nibble 1100 is 64-bit prefetchable, minimum 1 MiB */
	set64(r.p[0], L0 + 0xE8, -MIB | 0xC);
	set64(r.p[0], L0 + 0x18, ~0ull);
	CU_ASSERT_EQUAL(rig_read(&r, L0 + 0x18), 0xFFF0000C);
	CU_ASSERT_EQUAL(rig_read(&r, L0 + 0x1C), ONES);
	/* split into two 32-bit windows of 1 MiB and 2 MiB */
	rig_write(&r, L0 + 0xE8, 0xFFF00000);
	rig_write(&r, L0 + 0xEC, 0xFFE00000);
	rig_write(&r, L0 + 0x18, ONES);
	rig_write(&r, L0 + 0x1C, ONES);
	CU_ASSERT_EQUAL(rig_read(&r, L0 + 0x18), 0xFFF00000);
	CU_ASSERT_EQUAL(rig_read(&r, L0 + 0x1C), 0xFFE00000);
	/* size 0 disables */
	rig_write(&r, L0 + 0xEC, 0);
	CU_ASSERT_EQUAL(rig_read(&r, L0 + 0x1C), 0);
	rig_close(&r);
}

static void
test_config_bytes(void)
{
	struct plxm_port *p;

	rig_open(&r, MIB, 0);
	p = r.p[0];
	CU_ASSERT_EQUAL(plxm_cfg_read(p, 0, 2), 0x10B5);
	CU_ASSERT_EQUAL(plxm_cfg_read(p, 2, 2), 0x87B0);
	CU_ASSERT_EQUAL(plxm_cfg_read(p, 1, 1), 0x10);
	CU_ASSERT_EQUAL(plxm_cfg_read(p, 3, 2), ONES);
	CU_ASSERT_EQUAL(plxm_cfg_read(p, 0, 3), ONES);
	CU_ASSERT_EQUAL(plxm_cfg_read(p, 0x1000, 4), ONES);
	plxm_cfg_write(p, 4, 6, 2);
	CU_ASSERT_EQUAL(plxm_cfg_read(p, 4, 2), 6);
	plxm_cfg_write(p, 5, 4, 1); /* the other bytes of the dword stay as they are */
	CU_ASSERT_EQUAL(plxm_cfg_read(p, 4, 2), 0x406);
	CU_ASSERT_EQUAL(plxm_cfg_read(p, 6, 2) & 0x10, 0x10); /* has capabilities */
	plxm_cfg_write(p, 0x3C, 0x1234, 1);
	CU_ASSERT_EQUAL(plxm_cfg_read(p, 0x3C, 4) & 0xFFFF, 0x0134);
	/* configuration cycles reach the NT registers too */
	plxm_cfg_write(p, 0xC6D, 0xAB, 1);
	CU_ASSERT_EQUAL(rig_read(&r, V0 + 0xC6C), 0xAB00);
	CU_ASSERT_EQUAL(plxm_cfg_read(p, 0xC8C, 4), rig_read(&r, V0 + 0xC8C));
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
		seen |= (id == 0x05 && at == 0x48) ? 2 : 0;
		seen |= (id == 0x10 && at == 0x68) ? 4 : 0;
		at = plxm_cfg_read(p, at + 1, 1);
	}
	CU_ASSERT(n < 48);
	for (at = 0x100, n = 0; at != 0 && n < 48; n++) {
		uint32_t head = plxm_cfg_read(p, at, 4);

		seen |= ((head & 0xFFFF) == 1 && at == 0xFB4) ? 8 : 0;
		at = head >> 20;
	}
	CU_ASSERT(n < 48);
	CU_ASSERT_EQUAL(seen, 15);
	/* MSI: 64-bit with a mask register at 0x58, one vector */
	CU_ASSERT_EQUAL(plxm_cfg_read(p, 0x4A, 2) & 0x18E, 0x180);
	plxm_cfg_write(p, 0x4A, ONES, 2);
	CU_ASSERT_EQUAL(plxm_cfg_read(p, 0x4A, 2) & 0x181, 0x181);
	/* payload up to 2048 bytes */
	CU_ASSERT_EQUAL(plxm_cfg_read(p, 0x6C, 4) & 7, 4);
	rig_close(&r);
}

static void
test_storage(void)
{
	rig_open(&r, MIB, 0);
	/* requester-id LUTs: entry bit 2 does not exist; the two ranges of the two blocks */
	for (uint32_t i = 0; i < 64; i += 4) {
		rig_write(&r, V0 + 0xD94 + i, ONES - i);
		rig_write(&r, L0 + 0xDB4 + i, ~(ONES - i));
	}
	for (uint32_t i = 0; i < 64; i += 4) {
		CU_ASSERT_EQUAL(rig_read(&r, V0 + 0xD94 + i), (ONES - i) & 0xFFFBFFFB);
		CU_ASSERT_EQUAL(rig_read(&r, L0 + 0xDB4 + i), i & 0xFFFBFFFB);
	}
	CU_ASSERT_EQUAL(rig_read(&r, V0 + 0xDD4), 0);
	/* A-LUT: four arrays of low, high, permission */
	for (uint32_t a = 0x38000; a < 0x3C000; a += 0x1000) {
		rig_write(&r, a + 127 * 4, 0xABC00000);
		rig_write(&r, a + 0x400 + 127 * 4, a);
		rig_write(&r, a + 0x800 + 127 * 4, ONES);
	}
	CU_ASSERT_EQUAL(rig_read(&r, 0x3B000 + 127 * 4), 0xABC00000);
	CU_ASSERT_EQUAL(rig_read(&r, 0x3A400 + 127 * 4), 0x3A000);
	CU_ASSERT_EQUAL(rig_read(&r, 0x38800 + 127 * 4) & 3, 3);
	rig_close(&r);
}

static void
test_eeprom(void)
{
	struct plxm_eeprom good, e;
	struct plxm_port *p = NULL;
	int fd = new_cable();

	plxm_eeprom_default(&good, MIB);
	e = good, e.chip = 0x8747;
	CU_ASSERT_EQUAL(plxm_port_open(fd, 0, &e, &p), -EINVAL);
	e = good, e.nt_index = 2;
	CU_ASSERT_EQUAL(plxm_port_open(fd, 0, &e, &p), -EINVAL);
	e = good, e.port = 6;
	CU_ASSERT_EQUAL(plxm_port_open(fd, 0, &e, &p), -EINVAL);
	e = good, e.bar2_size = MIB / 2;
	CU_ASSERT_EQUAL(plxm_port_open(fd, 0, &e, &p), -EINVAL);
	e = good, e.bar2_size = 3 * MIB;
	CU_ASSERT_EQUAL(plxm_port_open(fd, 0, &e, &p), -EINVAL);
	e = good, e.speed = 4;
	CU_ASSERT_EQUAL(plxm_port_open(fd, 0, &e, &p), -EINVAL);
	e = good, e.width = 3;
	CU_ASSERT_EQUAL(plxm_port_open(fd, 0, &e, &p), -EINVAL);
	CU_ASSERT_EQUAL(plxm_port_open(fd, 2, &good, &p), -EINVAL);
	CU_ASSERT_PTR_NULL(p);
	/* the 8732: one NT port, no A-LUT, no DMA */
	e = good, e.chip = 0x8732, e.nt_index = 1;
	CU_ASSERT_EQUAL(plxm_port_open(fd, 0, &e, &p), -EINVAL);
	e.nt_index = 0;
	CU_ASSERT_EQUAL_FATAL(plxm_port_open(fd, 0, &e, &p), 0);
	CU_ASSERT_EQUAL(plxm_reg_read(p, 0x360) >> 30, 0);
	plxm_reg_write(p, 0x360, ONES);
	CU_ASSERT_EQUAL(plxm_reg_read(p, 0x360) >> 30, 0);
	CU_ASSERT_EQUAL(plxm_reg_read(p, V0 + 0x08) & 0xFF, 0xAA);
	plxm_reg_write(p, V0 + 0xC94, ONES);
	CU_ASSERT_EQUAL(plxm_reg_read(p, V0 + 0xC94), 0);
	/* only the owner may, and it is alive */
	e = good;
	CU_ASSERT_EQUAL(plxm_port_open(fd, 0, &e, &(struct plxm_port *){NULL}), -EBUSY);
	plxm_port_close(p);
	close(fd);
}

int
main(void)
{
	static const struct test_case cases[] = {
		{"identity", test_identity},
		{"NT1", test_nt1},
		{"nothing there", test_nothing_there},
		{"read-only registers", test_read_only},
		{"BAR sizing", test_bar_sizing},
		{"link-side BARs", test_link_bars},
		{"config by bytes", test_config_bytes},
		{"capabilities", test_capabilities},
		{"LUT and A-LUT storage", test_storage},
		{"EEPROM", test_eeprom},
	};

	return run_suite("registers", cases, sizeof(cases) / sizeof(cases[0]));
}
