/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Translation, A-LUT and requester-id LUT: what passes, what is refused, who reports it. */

#include <errno.h>
#include <unistd.h>

#include "model_test.h"

static struct rig r;

/* The three words of an entry of the A-LUT: address, lower half and upper, and permission. */
#define ALUT(op, array, i, to, perm)                                            \
	{op, (array) + (i) / 128 * 0x1000 + (i) % 128 * 4 + 0x400, (to) >> 32}, \
		{op, (array) + (i) / 128 * 0x1000 + (i) % 128 * 4, (to)},       \
	{                                                                       \
		op, (array) + (i) / 128 * 0x1000 + (i) % 128 * 4 + 0x800, perm  \
	}

/* A command register without one of its bits refuses all; the last count is of stores and loads. */
#define GATE(op, reg, other, n)                                                           \
	{STORE, 0, n}, {op, reg, other}, {REFUSED, 0, 99}, {LOAD, 0, ~0ull}, {MEM, 0, n}, \
		{COUNT, STAT(ur_bar), 2 * (n)},                                           \
	{                                                                                 \
		op, reg, 6                                                                \
	}

static const struct script scripts[] = {
	/* The translation replaces the high bits; low log2(size) bits of it do not count. Outside
	 * of the host's memory it reaches nothing, and the outgoing one must meet a BAR of the
	 * peer. */
	SCRIPT("translation base", MIB, MIB, true, {WR64_1, L0 + 0xC3C, BUS0 + MIB}, {STORE, 8, 42},
	       {MEM, MIB + 8, 42}, {WR64_1, L0 + 0xC3C, BUS0 + MIB + 0x8000}, {STORE, 16, 43},
	       {MEM, MIB + 16, 43}, {WR64_1, L0 + 0xC3C, BUS0 + 16 * MIB}, {REFUSED, 8, 44},
	       {LOAD, 8, ~0ull}, {COUNT, STAT(ur_dram), 2}, {WR64_1, L0 + 0xC3C, BUS0},
	       {WR64, V0 + 0xC3C, SEG(3)}, {REFUSED, 8, 45}, {COUNT, STAT(ur_bar), 1}),
	/* what is beyond the smaller side matches nothing, nor does what is beyond the BAR */
	SCRIPT("smaller inbound window", 4 * MIB, MIB, true, {WR64_1, L0 + 0xE8, -MIB | 0xC},
	       {STORE, MIB - 8, 1}, {REFUSED, MIB, 2}, {LOAD, MIB - 4, ~0ull << 32},
	       {REFUSED, 4 * MIB - 4, 3}, {REFUSED, ~0ull - 3, 3}),
	/* own virtual: memory enable; own link: bus master; peer's link: memory enable; peer's
	 * virtual: bus master. Only D0 takes memory requests. */
	SCRIPT("command bits", MIB, MIB, true, GATE(WR, V0 + 4, 4, 1), GATE(WR, L0 + 4, 2, 2),
	       GATE(WR1, L0 + 4, 4, 3), GATE(WR1, V0 + 4, 2, 4), {WRC, CFG(1, 0x44), 3},
	       {REFUSED, 0, 99}, {WRC, CFG(1, 0x44), 0}, {STORE, 0, 7}),
	/* twice 0:0 in the table, our CPU is 0:3; the refusing interface is our own: its log shows
	 * who asked. The last entry will do, and the function number is not compared: not enabled,
	 * and the same device on another bus, will not. */
	SCRIPT("requester ids, virtual side", MIB, MIB, true, {WR, V0 + 0xD94, 0x00010001},
	       {REFUSED, 0, 1}, {LOAD, 0, ~0ull}, {COUNT, STAT(ur_rid), 2},
	       {HAS, V0 + 0xFB8, 1u << 20}, {HAS, V0 + 0xFD4, 0x00180000},
	       {LACKS, V0 + 0xFD4, 0xFFE70000}, {HAS, V0 + 0xFE0, 2}, {RD1, L0 + 0xFB8, 0},
	       {WR, V0 + 0xFB8, 1u << 20}, {RD, V0 + 0xFB8, 0}, {WR, V0 + 0xFE0, 2},
	       {RD, V0 + 0xFE0, 0}, {WR, V0 + 0xDD0, 0x00190000}, {STORE, 0, 5}, {MEM, 0, 5},
	       {WR, V0 + 0xDD0, 0x00180000}, {REFUSED, 0, 6}, {WR, V0 + 0xDD0, 0x01190000},
	       {REFUSED, 0, 6}, {MEM, 0, 5}),
	/* A link that was lost leaves an error without a packet. It keeps the log, until all is
	 * cleared; then the pointer beside the log has the number of the error. */
	SCRIPT("the log of errors", MIB, MIB, true, {FAULT, PLXM_FAULT_RETRAIN, 0}, {REFUSED, 0, 1},
	       {RD, V0 + 0xFB8, 1u << 20 | 1u << 5}, {RD, V0 + 0xFD0, 0},
	       {WR, V0 + 0xFB8, 1u << 20}, {REFUSED, 0, 1}, {RD, V0 + 0xFD0, 0},
	       {WR, V0 + 0xFB8, ONES}, {REFUSED, 0, 1}, {HAS, V0 + 0xFD0, 0x60000000},
	       {RD, V0 + 0xFCC, 20}),
	/* Registers that only this driver uses over the cable, the mask of the Link side's
	 * doorbells: read as 0. Then as they are. */
	SCRIPT("hidden registers", MIB, MIB, true, {WR1, V0 + 0xC68, 0xFFFF},
	       {WR1, V0 + 0xC64, 0x5A}, {RDP, V0 + 0xC64, 0x5A}, {FAULT, PLXM_FAULT_HIDE, 1},
	       {RDP, V0 + 0xC64, 0}, {RD1, V0 + 0xC64, 0}, {WRP, V0 + 0xC64, 0xFF},
	       {RDP, L0 + 0x14, SEG(4) >> 32}, {RDP, V0 + 0, 0x87B010B5},
	       {FAULT, PLXM_FAULT_HIDE, 0}, {RDP, V0 + 0xC64, 0x5A}),
	/* The index in the LUT passed, 1, becomes the device number on the cable, bus 0. The peer's
	 * link side refuses and logs; registers are behind the same check. Then entry 31. */
	SCRIPT("requester ids, link side", MIB, MIB, true, {WR1, L0 + 0xDB4, 0}, {REFUSED, 0, 1},
	       {COUNT, STAT(ur_rid), 1}, {HAS1, L0 + 0xFB8, 1u << 20}, {HAS1, L0 + 0xFD4, 8 << 16},
	       {LACKS1, L0 + 0xFD4, 0xFFF70000}, {RD1, L0 + 0xFDC, 0},
	       {RD1, L0 + 0xFD8, 0x40000000}, {HAS1, V0 + 0xFE0, 2}, {RD, V0 + 0xFB8, 0},
	       {RDP, V0, ONES}, {WR1, L0 + 0xDB4, 1 << 3 | 1}, {STORE, 0, 2}, {RDP, V0, 0x87B010B5},
	       {WR1, L0 + 0xDF0, 0}, {WR, V0 + 0xD94, 0}, {WR, V0 + 0xDD0, 0x00190000},
	       {REFUSED, 0, 3}, {WR1, L0 + 0xDF0, 31 << 3 | 1}, {STORE, 0, 4}, {MEM, 0, 4}),
	/* Link to virtual: array 0x39000, gate in the virtual block; 4 MiB / 128 = 32 KiB segments.
	 * Bit 0 lets writes through, bit 1 reads. Off again: the plain translation. */
	SCRIPT("A-LUT incoming", 4 * MIB, MIB, true, {WR1, V0 + 0xC94, 0x10000000}, {REFUSED, 0, 1},
	       {COUNT, STAT(ur_alut), 1}, ALUT(WR1, 0x39000, 0, BUS0 + 0x10000, 3),
	       ALUT(WR1, 0x39000, 127, BUS0 + 0x8000, 3), {STORE, 0, 11}, {MEM, 0x10000, 11},
	       {STORE, 4 * MIB - 8, 12}, {MEM, 0xFFF8, 12}, {REFUSED, 32 * KIB, 13},
	       ALUT(WR1, 0x39000, 0, BUS0 + 0x10000, 1), {STORE, 8, 14}, {LOAD, 8, ~0ull},
	       {MEM, 0x10008, 14}, ALUT(WR1, 0x39000, 0, BUS0 + 0x10000, 2), {REFUSED, 8, 15},
	       {LOAD, 8, 14}, {WR1, V0 + 0xC94, 0}, {STORE, 0x20000, 16}, {MEM, 0x20000, 16}),
	/* Virtual to link: array 0x38000, gate in the link block. Every segment can go elsewhere,
	 * to the peer's registers as well; the translation is not used. */
	SCRIPT("A-LUT outgoing", 4 * MIB, MIB, true, {WR, L0 + 0xC94, 0x90000000},
	       {WR64, V0 + 0xC3C, ~0ull}, ALUT(WR, 0x38000, 1, SEG(2) + 3 * MIB, 3),
	       {STORE, 32 * KIB + 16, 21}, {MEM, 3 * MIB + 16, 21}, {REFUSED, 0, 22},
	       ALUT(WR, 0x38000, 2, SEG(4) + (V0 & ~0x7FFF), 3), {RD1, V0 + 4, 0x00100006},
	       {LOAD, 64 * KIB + (V0 & 0x7FFF), 0x0010000687B010B5}),
	/* only NT0 has its A-LUT enabled: 256 entries of 16 KiB, incoming array at 0x3A000; then
	 * only NT1 has: the translation counts */
	SCRIPT("A-LUT of 256", 4 * MIB, MIB, true, {WR1, 0x360, 1u << 30 | 1u << 13 | 8 << 8},
	       {WR1, V0 + 0xC94, 0x10000000}, ALUT(WR1, 0x3A000, 200, BUS0 + 0x4000, 3),
	       {STORE, 200 * 16 * KIB + 8, 31}, {MEM, 0x4008, 31}, {REFUSED, 199 * 16 * KIB, 32},
	       {WR1, 0x360, 1u << 31 | 1u << 13 | 8 << 8}, {STORE, 199 * 16 * KIB, 33},
	       {MEM, 199 * 16 * KIB, 33}),
	/* between registers and data there is nothing; the peer turns its registers away */
	SCRIPT("registers in BAR4", MIB, 2 * MIB, true, {RDP, L0, 0x87A010B5}, {RDP, 0, 0x874910B5},
	       {RDP, PLXM_BAR0_SIZE, ONES}, {WRP, V0 + 0xC6C, 51}, {RD1, V0 + 0xC6C, 51},
	       {RDP, V0 + 0xC6C, 51}, {WR1, L0 + 0xE4, 0}, {RDP, V0 + 0xC6C, ONES}),
};

RUN_SCRIPTS(scripts)

/* Of any length and place; the two directions are independent. */
static void
test_bytes(void)
{
	uint8_t buf[5000], back[5000];
	uint64_t v = 51;

	rig_open(&r, 4 * MIB, 2 * MIB);
	rig_program(&r);
	for (size_t i = 0; i < sizeof(buf); i++)
		buf[i] = (uint8_t)(i * 7);
	CU_ASSERT_EQUAL(plxm_win_write(r.p[0], 2, 4091, buf, sizeof(buf)), 0);
	CU_ASSERT_EQUAL(plxm_win_read(r.p[0], 2, 4091, back, sizeof(back)), 0);
	CU_ASSERT_EQUAL(memcmp(buf, back, sizeof(buf)), 0);
	CU_ASSERT_EQUAL(memcmp(buf, r.mem[1] + 4091, sizeof(buf)), 0);
	CU_ASSERT_EQUAL(plxm_win_write(r.p[1], 2, 0, "back", 4), 0);
	CU_ASSERT_EQUAL(memcmp(r.mem[0], "back", 4), 0);
	CU_ASSERT_EQUAL(r.mem[1][0], 0);
	CU_ASSERT_EQUAL(plxm_win_read(r.p[0], 3, 0, buf, 4), -EIO);
	/* BAR4 of 2 MiB: lower half registers, which take whole dwords, upper half data */
	CU_ASSERT_EQUAL(plxm_win_write(r.p[0], 4, MIB + 24, &v, 8), 0);
	CU_ASSERT_EQUAL(memcmp(r.mem[1] + 24, &v, 8), 0);
	CU_ASSERT_EQUAL(plxm_win_write(r.p[0], 4, V0 + 0xC6C, &v, 2), -EIO);
	CU_ASSERT_EQUAL(plxm_win_write(r.p[0], 4, V0 + 0xC6C, &v, 8), 0);
	CU_ASSERT_EQUAL(plxm_reg_read(r.p[1], V0 + 0xC6C), 51);
	rig_close(&r);
}

static int
store(uint64_t off, uint64_t v)
{
	return plxm_win_write(r.p[0], 2, off, &v, 8);
}

static void
test_dram(void)
{
	uint8_t *more;
	int fd;

	rig_open(&r, 8 * MIB, MIB);
	rig_program(&r);
	fd = new_memory(MIB, &more);
	/* overlaps, and what is not aligned, empty, longer than the file, or wraps */
	static const uint64_t refused[][3] = {
		{BUS0, MIB, 0},	      {BUS0 + 4 * MIB - 4096, MIB, 0},
		{0x80000100, MIB, 0}, {0x80000000, 100, 0},
		{0x80000000, 0, 0},   {0x80000000, 2 * MIB, 0},
		{0x80000000, MIB, 1}, {-4096ull, 2 * 4096, 0},
	};
	for (unsigned int i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
		CU_ASSERT_EQUAL(
			plxm_dram_add(r.p[1], refused[i][0], refused[i][1], fd, refused[i][2]),
			-EINVAL);
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

TEST_PROGRAM("translation", NULL, NULL, {"scripts", test_scripts}, {"bytes", test_bytes},
	     {"host memory", test_dram})
