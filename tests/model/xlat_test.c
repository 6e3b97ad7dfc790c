/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Translation, A-LUT and requester-id LUT: what passes, what is refused, who reports it. */

#include <errno.h>
#include <unistd.h>

#include "model_test.h"

static struct rig r;

static uint64_t
load(uint64_t off)
{
	uint64_t v = 0;

	plxm_win_read(r.p[0], 2, off, &v, 8);
	return v;
}

static int
store(uint64_t off, uint64_t v)
{
	return plxm_win_write(r.p[0], 2, off, &v, 8);
}

static uint64_t
remote(uint64_t off)
{
	uint64_t v;

	memcpy(&v, r.mem[1] + off, 8);
	return v;
}

static void
test_plain(void)
{
	uint8_t buf[5000], back[5000];

	rig_open(&r, 4 * MIB, MIB);
	rig_program(&r);
	CU_ASSERT_EQUAL(store(0x1008, 0x1122334455667788ull), 0);
	CU_ASSERT_EQUAL(remote(0x1008), 0x1122334455667788ull);
	CU_ASSERT_EQUAL(load(0x1008), 0x1122334455667788ull);
	for (size_t i = 0; i < sizeof(buf); i++)
		buf[i] = (uint8_t)(i * 7);
	CU_ASSERT_EQUAL(plxm_win_write(r.p[0], 2, 4091, buf, sizeof(buf)), 0);
	CU_ASSERT_EQUAL(plxm_win_read(r.p[0], 2, 4091, back, sizeof(back)), 0);
	CU_ASSERT_EQUAL(memcmp(buf, back, sizeof(buf)), 0);
	CU_ASSERT_EQUAL(memcmp(buf, r.mem[1] + 4091, sizeof(buf)), 0);
	/* the two directions are independent */
	CU_ASSERT_EQUAL(plxm_win_write(r.p[1], 2, 0, "back", 4), 0);
	CU_ASSERT_EQUAL(memcmp(r.mem[0], "back", 4), 0);
	CU_ASSERT_EQUAL(r.mem[1][0], 0);
	rig_close(&r);
}

/* The translation replaces the high bits; low log2(size) bits of it do not count. */
static void
test_translation_base(void)
{
	rig_open(&r, MIB, MIB);
	rig_program(&r);
	set64(r.p[1], L0 + 0xC3C, BUS0 + MIB);
	store(8, 42);
	CU_ASSERT_EQUAL(remote(MIB + 8), 42);
	set64(r.p[1], L0 + 0xC3C, BUS0 + MIB + 0x8000);
	store(16, 43);
	CU_ASSERT_EQUAL(remote(MIB + 16), 43);
	/* a translation outside of the host's memory reaches nothing */
	set64(r.p[1], L0 + 0xC3C, BUS0 + 16 * MIB);
	CU_ASSERT_EQUAL(store(8, 44), -EIO);
	CU_ASSERT_EQUAL(load(8), ~0ull);
	CU_ASSERT_EQUAL(stats(r.p[0]).ur_dram, 2);
	/* outgoing translation must meet a BAR of the peer */
	set64(r.p[1], L0 + 0xC3C, BUS0);
	set64(r.p[0], V0 + 0xC3C, SEG(3));
	CU_ASSERT_EQUAL(store(8, 45), -EIO);
	CU_ASSERT_EQUAL(stats(r.p[0]).ur_bar, 1);
	rig_close(&r);
}

/* A window smaller on the link side than on the virtual side: the rest matches nothing. */
static void
test_smaller_inbound(void)
{
	uint8_t buf[32];

	rig_open(&r, 4 * MIB, MIB);
	rig_program(&r);
	set64(r.p[1], L0 + 0xE8, -MIB | 0xC);
	CU_ASSERT_EQUAL(store(MIB - 8, 1), 0);
	CU_ASSERT_EQUAL(store(MIB, 2), -EIO);
	memset(buf, 0, sizeof(buf));
	CU_ASSERT_EQUAL(plxm_win_read(r.p[0], 2, MIB - 16, buf, sizeof(buf)), -EIO);
	CU_ASSERT_EQUAL(buf[8], 1);
	CU_ASSERT_EQUAL(buf[16], 0xFF); /* only the part beyond is ones */
	/* beyond the end of the BAR */
	CU_ASSERT_EQUAL(store(4 * MIB - 4, 3), -EIO);
	CU_ASSERT_EQUAL(store(~0ull - 3, 3), -EIO);
	CU_ASSERT_EQUAL(plxm_win_read(r.p[0], 3, 0, buf, 4), -EIO);
	rig_close(&r);
}

static void
test_enables(void)
{
	static const struct {
		unsigned int port;
		uint32_t reg, off;
	} gate[] = {
		{0, V0 + 4, 4}, /* own virtual: memory enable */
		{0, L0 + 4, 2}, /* own link: bus master */
		{1, L0 + 4, 4}, /* peer's link: memory enable */
		{1, V0 + 4, 2}, /* peer's virtual: bus master */
	};

	rig_open(&r, MIB, MIB);
	rig_program(&r);
	for (unsigned int i = 0; i < 4; i++) {
		CU_ASSERT_EQUAL(store(0, i), 0);
		plxm_reg_write(r.p[gate[i].port], gate[i].reg, gate[i].off);
		CU_ASSERT_EQUAL(store(0, 99), -EIO);
		CU_ASSERT_EQUAL(load(0), ~0ull);
		CU_ASSERT_EQUAL(remote(0), i);
		CU_ASSERT_EQUAL(stats(r.p[0]).ur_bar, 2 * i + 2);
		plxm_reg_write(r.p[gate[i].port], gate[i].reg, 6);
	}
	/* only D0 takes memory requests */
	plxm_cfg_write(r.p[0], 0x44, 3, 1);
	CU_ASSERT_EQUAL(store(0, 99), -EIO);
	plxm_cfg_write(r.p[0], 0x44, 0, 1);
	CU_ASSERT_EQUAL(store(0, 7), 0);
	rig_close(&r);
}

static void
test_rid_virtual(void)
{
	uint32_t log;

	rig_open(&r, MIB, MIB);
	rig_program(&r);
	rig_write(&r, V0 + 0xD94, 0x00010001); /* twice 0:0, our CPU is 0:3 */
	CU_ASSERT_EQUAL(store(0, 1), -EIO);
	CU_ASSERT_EQUAL(load(0), ~0ull);
	CU_ASSERT_EQUAL(stats(r.p[0]).ur_rid, 2);
	/* the refusing interface is our own: its log shows who asked */
	CU_ASSERT_EQUAL(rig_read(&r, V0 + 0xFB8) & (1u << 20), 1u << 20);
	log = rig_read(&r, V0 + 0xFD4);
	CU_ASSERT_EQUAL(log >> 16, 0x0018);
	CU_ASSERT_EQUAL(rig_read(&r, V0 + 0xFE0) & 2, 2);
	CU_ASSERT_EQUAL(plxm_reg_read(r.p[1], L0 + 0xFB8), 0);
	rig_write(&r, V0 + 0xFB8, 1u << 20);
	CU_ASSERT_EQUAL(rig_read(&r, V0 + 0xFB8), 0);
	rig_write(&r, V0 + 0xFE0, 2);
	CU_ASSERT_EQUAL(rig_read(&r, V0 + 0xFE0), 0);
	/* the last entry will do; the function number is not compared */
	rig_write(&r, V0 + 0xDD0, 0x00190000);
	CU_ASSERT_EQUAL(store(0, 5), 0);
	CU_ASSERT_EQUAL(remote(0), 5);
	rig_write(&r, V0 + 0xDD0, 0x00180000); /* not enabled */
	CU_ASSERT_EQUAL(store(0, 6), -EIO);
	rig_write(&r, V0 + 0xDD0, 0x01190000); /* same device, other bus */
	CU_ASSERT_EQUAL(store(0, 6), -EIO);
	CU_ASSERT_EQUAL(remote(0), 5);
	rig_close(&r);
}

/* The index in the LUT passed becomes the device number on the cable, bus 0. */
static void
test_rid_link(void)
{
	rig_open(&r, MIB, MIB);
	rig_program(&r);
	for (uint32_t i = 0; i < 16; i++)
		plxm_reg_write(r.p[1], L0 + 0xDB4 + i * 4, 0);
	CU_ASSERT_EQUAL(store(0, 1), -EIO);
	CU_ASSERT_EQUAL(stats(r.p[0]).ur_rid, 1);
	CU_ASSERT_EQUAL(plxm_reg_read(r.p[1], L0 + 0xFB8) & (1u << 20), 1u << 20);
	CU_ASSERT_EQUAL(plxm_reg_read(r.p[1], L0 + 0xFD4) >> 16, 1 << 3); /* our CPU is entry 1 */
	CU_ASSERT_EQUAL(plxm_reg_read(r.p[1], L0 + 0xFDC), 0);
	CU_ASSERT_EQUAL(plxm_reg_read(r.p[1], L0 + 0xFD8), 0x40000000);
	CU_ASSERT_EQUAL(plxm_reg_read(r.p[1], V0 + 0xFE0) & 2, 2);
	CU_ASSERT_EQUAL(rig_read(&r, V0 + 0xFB8), 0);
	/* registers are behind the same check */
	CU_ASSERT_EQUAL(peer_read(r.p[0], V0), ONES);
	plxm_reg_write(r.p[1], L0 + 0xDB4, 1 << 3 | 1);
	CU_ASSERT_EQUAL(store(0, 2), 0);
	CU_ASSERT_EQUAL(peer_read(r.p[0], V0), 0x87B010B5);
	/* our CPU moved to entry 31: device 31 */
	rig_write(&r, V0 + 0xD94, 0);
	rig_write(&r, V0 + 0xDD0, 0x00190000);
	CU_ASSERT_EQUAL(store(0, 3), -EIO);
	plxm_reg_write(r.p[1], L0 + 0xDF0, 31 << 3 | 1);
	CU_ASSERT_EQUAL(store(0, 4), 0);
	CU_ASSERT_EQUAL(remote(0), 4);
	rig_close(&r);
}

static void
alut(struct plxm_port *p, uint32_t array, uint32_t i, uint64_t to, uint32_t perm)
{
	uint32_t at = array + (i / 128) * 0x1000 + (i % 128) * 4;

	plxm_reg_write(p, at + 0x400, (uint32_t)(to >> 32));
	plxm_reg_write(p, at, (uint32_t)to);
	plxm_reg_write(p, at + 0x800, perm);
}

/* Link to virtual: array 0x39000, gate in the virtual block; 4 MiB / 128 = 32 KiB segments. */
static void
test_alut_in(void)
{
	rig_open(&r, 4 * MIB, MIB);
	rig_program(&r);
	plxm_reg_write(r.p[1], V0 + 0xC94, 0x10000000);
	CU_ASSERT_EQUAL(store(0, 1), -EIO); /* no entry allows anything yet */
	CU_ASSERT_EQUAL(stats(r.p[0]).ur_alut, 1);
	alut(r.p[1], 0x39000, 0, BUS0 + 0x10000, 3);
	alut(r.p[1], 0x39000, 127, BUS0 + 0x8000, 3);
	CU_ASSERT_EQUAL(store(0, 11), 0);
	CU_ASSERT_EQUAL(remote(0x10000), 11);
	CU_ASSERT_EQUAL(store(4 * MIB - 8, 12), 0);
	CU_ASSERT_EQUAL(remote(0xFFF8), 12);
	CU_ASSERT_EQUAL(store(32 * KIB, 13), -EIO);
	/* bit 0 lets writes through, bit 1 reads */
	alut(r.p[1], 0x39000, 0, BUS0 + 0x10000, 1);
	CU_ASSERT_EQUAL(store(8, 14), 0);
	CU_ASSERT_EQUAL(load(8), ~0ull);
	CU_ASSERT_EQUAL(remote(0x10008), 14);
	alut(r.p[1], 0x39000, 0, BUS0 + 0x10000, 2);
	CU_ASSERT_EQUAL(store(8, 15), -EIO);
	CU_ASSERT_EQUAL(load(8), 14);
	/* off again: the plain translation */
	plxm_reg_write(r.p[1], V0 + 0xC94, 0);
	CU_ASSERT_EQUAL(store(0x20000, 16), 0);
	CU_ASSERT_EQUAL(remote(0x20000), 16);
	rig_close(&r);
}

/* Virtual to link: array 0x38000, gate in the link block. Every segment can go elsewhere. */
static void
test_alut_out(void)
{
	rig_open(&r, 4 * MIB, MIB);
	rig_program(&r);
	rig_write(&r, L0 + 0xC94, 0x90000000);
	set64(r.p[0], V0 + 0xC3C, ~0ull); /* not used while the A-LUT is on */
	alut(r.p[0], 0x38000, 1, SEG(2) + 3 * MIB, 3);
	CU_ASSERT_EQUAL(store(32 * KIB + 16, 21), 0);
	CU_ASSERT_EQUAL(remote(3 * MIB + 16), 21);
	CU_ASSERT_EQUAL(store(0, 22), -EIO);
	/* a segment may lead to the peer's registers as well */
	alut(r.p[0], 0x38000, 2, SEG(4) + (V0 & ~0x7FFF), 3);
	CU_ASSERT_EQUAL((uint32_t)load(64 * KIB + (V0 & 0x7FFF)), 0x87B010B5);
	rig_close(&r);
}

static void
test_alut_256(void)
{
	rig_open(&r, 4 * MIB, MIB);
	rig_program(&r);
	/* only NT0 has its A-LUT enabled: 256 entries of 16 KiB, incoming array at 0x3A000 */
	plxm_reg_write(r.p[1], 0x360, (plxm_reg_read(r.p[1], 0x360) & 0x3FFFFFFF) | 1u << 30);
	plxm_reg_write(r.p[1], V0 + 0xC94, 0x10000000);
	alut(r.p[1], 0x3A000, 200, BUS0 + 0x4000, 3);
	CU_ASSERT_EQUAL(store(200 * 16 * KIB + 8, 31), 0);
	CU_ASSERT_EQUAL(remote(0x4008), 31);
	CU_ASSERT_EQUAL(store(199 * 16 * KIB, 32), -EIO);
	/* only NT1: no A-LUT here, the translation counts */
	plxm_reg_write(r.p[1], 0x360, (plxm_reg_read(r.p[1], 0x360) & 0x3FFFFFFF) | 1u << 31);
	CU_ASSERT_EQUAL(store(199 * 16 * KIB, 33), 0);
	CU_ASSERT_EQUAL(remote(199 * 16 * KIB), 33);
	rig_close(&r);
}

/* BAR4 of 2 MiB: lower half registers, upper half data; BAR4 has no A-LUT. */
static void
test_shared_window(void)
{
	uint64_t v = 51;

	rig_open(&r, MIB, 2 * MIB);
	rig_program(&r);
	CU_ASSERT_EQUAL(plxm_win_write(r.p[0], 4, MIB + 24, &v, 8), 0);
	CU_ASSERT_EQUAL(remote(24), 51);
	CU_ASSERT_EQUAL(peer_read(r.p[0], L0), 0x87A010B5);
	CU_ASSERT_EQUAL(peer_read(r.p[0], 0x0), 0x874910B5);
	CU_ASSERT_EQUAL(peer_read(r.p[0], PLXM_BAR0_SIZE), ONES); /* between the two */
	/* registers take whole dwords */
	CU_ASSERT_EQUAL(plxm_win_write(r.p[0], 4, V0 + 0xC6C, &v, 2), -EIO);
	CU_ASSERT_EQUAL(plxm_win_write(r.p[0], 4, V0 + 0xC6C, &v, 8), 0);
	CU_ASSERT_EQUAL(plxm_reg_read(r.p[1], V0 + 0xC6C), 51);
	/* the same access after the peer turned its registers away */
	CU_ASSERT_EQUAL(peer_read(r.p[0], V0 + 0xC6C), 51);
	plxm_reg_write(r.p[1], L0 + 0xE4, 0);
	CU_ASSERT_EQUAL(peer_read(r.p[0], V0 + 0xC6C), ONES);
	rig_close(&r);
}

/* Two 32-bit link windows instead of one pair; 32-bit windows reach below 4 GiB only. */
static void
test_32bit(void)
{
	rig_open(&r, MIB, MIB);
	rig_program(&r);
	plxm_reg_write(r.p[1], L0 + 0xE8, 0xFFF00000);
	plxm_reg_write(r.p[1], L0 + 0xEC, 0xFFF00000);
	plxm_reg_write(r.p[1], L0 + 0x18, 0x40000000);
	plxm_reg_write(r.p[1], L0 + 0x1C, 0x60000000);
	plxm_reg_write(r.p[1], L0 + 0xC3C, (uint32_t)BUS0);
	plxm_reg_write(r.p[1], L0 + 0xC40, (uint32_t)BUS0 + 2 * MIB);
	set64(r.p[0], V0 + 0xC3C, 0x40000000);
	CU_ASSERT_EQUAL(store(8, 61), 0);
	CU_ASSERT_EQUAL(remote(8), 61);
	set64(r.p[0], V0 + 0xC3C, 0x60000000);
	CU_ASSERT_EQUAL(store(8, 62), 0);
	CU_ASSERT_EQUAL(remote(2 * MIB + 8), 62);
	set64(r.p[0], V0 + 0xC3C, 0x140000000ull); /* above 4 GiB: no 32-bit BAR matches */
	CU_ASSERT_EQUAL(store(8, 63), -EIO);
	rig_close(&r);
}

static void
test_dram(void)
{
	uint8_t *more;
	int fd;

	rig_open(&r, 8 * MIB, MIB);
	rig_program(&r);
	fd = new_memory(MIB, &more);
	CU_ASSERT_EQUAL(plxm_dram_add(r.p[1], BUS0, MIB, fd, 0), -EINVAL); /* overlaps */
	CU_ASSERT_EQUAL(plxm_dram_add(r.p[1], BUS0 + 4 * MIB - 4096, MIB, fd, 0), -EINVAL);
	CU_ASSERT_EQUAL(plxm_dram_add(r.p[1], 0x80000100, MIB, fd, 0), -EINVAL);
	CU_ASSERT_EQUAL(plxm_dram_add(r.p[1], 0x80000000, 100, fd, 0), -EINVAL);
	CU_ASSERT_EQUAL(plxm_dram_add(r.p[1], 0x80000000, 0, fd, 0), -EINVAL);
	CU_ASSERT_EQUAL(plxm_dram_add(r.p[1], 0x80000000, 2 * MIB, fd, 0), -EINVAL);
	CU_ASSERT_EQUAL(plxm_dram_add(r.p[1], 0x80000000, MIB, fd, 1), -EINVAL);
	CU_ASSERT_EQUAL(plxm_dram_add(r.p[1], -4096ull, 2 * 4096, fd, 0), -EINVAL);
	CU_ASSERT_EQUAL(plxm_dram_add(r.p[1], 0x80000000, MIB, -1, 0), -EBADF);
	/* adjacent to the first range, from the middle of another file; the fd may be closed */
	CU_ASSERT_EQUAL(plxm_dram_add(r.p[1], BUS0 + 4 * MIB, MIB / 2, fd, MIB / 2), 0);
	close(fd);
	CU_ASSERT_EQUAL(store(4 * MIB + 8, 71), 0);
	CU_ASSERT_EQUAL(more[MIB / 2 + 8], 71);
	CU_ASSERT_EQUAL(store(4 * MIB - 4, 0x0102030405060708ull), 0); /* across both */
	CU_ASSERT_EQUAL(more[MIB / 2], 4);
	CU_ASSERT_EQUAL(r.mem[1][4 * MIB - 1], 5);
	CU_ASSERT_EQUAL(store(4 * MIB + MIB / 2, 72), -EIO);
	CU_ASSERT_EQUAL(plxm_dram_del(r.p[1], BUS0 + 4 * MIB), 0);
	CU_ASSERT_EQUAL(plxm_dram_del(r.p[1], BUS0 + 4 * MIB), -ENOENT);
	CU_ASSERT_EQUAL(store(4 * MIB + 8, 73), -EIO);
	CU_ASSERT_EQUAL(more[MIB / 2 + 8], 71);
	for (uint64_t i = 1; i < PLXM_DRAM_RANGES; i++)
		CU_ASSERT_EQUAL(plxm_dram_add(r.p[1], i << 32, MIB, r.mem_fd[1], 0), 0);
	CU_ASSERT_EQUAL(plxm_dram_add(r.p[1], 1ull << 40, MIB, r.mem_fd[1], 0), -ENOSPC);
	rig_close(&r);
}

int
main(void)
{
	static const struct test_case cases[] = {
		{"plain translation", test_plain},
		{"translation base", test_translation_base},
		{"smaller inbound window", test_smaller_inbound},
		{"command bits", test_enables},
		{"requester ids, virtual side", test_rid_virtual},
		{"requester ids, link side", test_rid_link},
		{"A-LUT incoming", test_alut_in},
		{"A-LUT outgoing", test_alut_out},
		{"A-LUT of 256", test_alut_256},
		{"shared BAR4", test_shared_window},
		{"32-bit windows", test_32bit},
		{"host memory", test_dram},
	};

	return run_suite("translation", cases, sizeof(cases) / sizeof(cases[0]));
}
