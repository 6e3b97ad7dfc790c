/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Which NT port of the peer's chip is at the other end of the cable. And registers that others
 * write too, and their fences.
 */
#define ALLOW_INTERNAL_API /* as the driver */
#define ALLOW_EXPERIMENTAL_API

#include <CUnit/Basic.h>

#include <rte_common.h>
#include <rte_io.h>

static void note_fence(void);
#undef rte_wmb
#define rte_wmb() note_fence()
#define plx_io_pci_open plx_io_pci_open_again /* the driver has one */
#include "plx_io_pci.c"

#include "cases.h"
#include "plx_chip.h"

static uint32_t regs[PLX_CHIP_SIZE / 4]; /* of the peer's chip */
static unsigned int cable_nt;		 /* where the cable ends */

static uint64_t
offered(unsigned int nt)
{
	const uint32_t *bar = &regs[(PLX_NT_LINK(nt) + PLX_BAR(0)) / 4];

	return (bar[0] & PLX_BAR_ADDR_LO) | (uint64_t)bar[1] << 32;
}

static uint32_t
win_rd32(struct plx_io *io, uint32_t off)
{
	uint64_t at = PLX_SEGMENT_ADDR(PLX_WIN_REGS) + off - offered(cable_nt);

	(void)io;
	return at < PLX_CHIP_SIZE ? regs[at / 4] : PLX_GONE;
}

static void
offer(unsigned int nt, unsigned int slot)
{
	uint32_t bar = (PLX_NT_LINK(nt) + PLX_BAR(0)) / 4;

	regs[bar] = PLX_PEER_SLOT(slot) | PLX_BAR_64BIT;
	regs[bar + 1] = (uint32_t)(PLX_SEGMENT_ADDR(PLX_WIN_REGS) >> 32);
}

static void
set_up(unsigned int nt)
{
	unsigned int i;

	memset(regs, 0, sizeof(regs));
	for (i = 0; i < 2; i++)
		regs[(PLX_NT_VIRT(i) + PLX_ID) / 4] = (PLX_DEV_NT_VIRT + i) << 16 | PLX_VENDOR_ID;
	cable_nt = nt;
}

/* From NT @p nt. @return the Virtual interface that was found, 0: none */
static uint32_t
find(unsigned int nt, uint32_t skips)
{
	static const struct plx_io_ops ops = {.win_rd32 = win_rd32};
	struct plx_io io = {.ops = &ops, .skips = skips};
	struct plx_chip c = {.io = &io, .nt = (uint8_t)nt};

	return plx_chip_peer_find(&c) ? plx_peer_virt(&c, 0) : 0;
}

static void
test_found(void)
{
	for (unsigned int nt = 0; nt < 2; nt++)
		for (unsigned int end = 0; end < 2; end++) {
			set_up(end);
			CU_ASSERT_EQUAL(find(nt, 0), 0);
			offer(end, end);
			CU_ASSERT_EQUAL(find(nt, 0), PLX_PEER_SLOT(end) + PLX_NT_VIRT(end));
			offer(!end, !end);
			CU_ASSERT_EQUAL(find(nt, 0), PLX_PEER_SLOT(end) + PLX_NT_VIRT(end));
			/* like joins like at slot 0 */
			offer(end, 0);
			CU_ASSERT_EQUAL(find(nt, PLX_SKIP_FIND), PLX_NT_VIRT(nt));
		}
}

/* A program at another port of the station, which read the register before this one wrote it. */
static uint32_t port_ctl;
static unsigned int overwrites;

static uint32_t
ctl_rd32(struct plx_io *io, uint32_t off)
{
	(void)io;
	return off == PLX_PORT_CTL(9) ? port_ctl : 0;
}

static void
ctl_wr32(struct plx_io *io, uint32_t off, uint32_t val)
{
	(void)io;
	if (off == PLX_PORT_CTL(9) && overwrites-- == 0)
		port_ctl = val;
}

static void
test_switched_on(void)
{
	static const struct plx_io_ops ops = {.rd32 = ctl_rd32, .wr32 = ctl_wr32};
	const uint32_t own = PLX_PORT_CTL_DISABLE(9), other = PLX_PORT_CTL_DISABLE(10);
	struct plx_io io = {.ops = &ops};
	struct plx_chip c = {.io = &io, .port = 9};

	for (unsigned int n = 0; n < 4; n++) {
		port_ctl = own | other;
		overwrites = n;
		plx_chip_link_enable(&c, true);
		CU_ASSERT_EQUAL(port_ctl, other);
		overwrites = n;
		plx_chip_link_enable(&c, false);
		CU_ASSERT_EQUAL(port_ctl, own | other);
	}
}

static uint32_t fenced;

static void
note_fence(void)
{
	fenced = regs[0];
}

/* A write that firmware's MTRR makes combining goes out at once, to either chip. */
static void
test_fenced(void)
{
	uint8_t *at = (uint8_t *)regs;
	struct plx_io_pci p = {.io = {.ops = &pci_ops}, .regs = at, .peer_regs = at};

	plx_reg_write32(&p.io, 0, 7);
	CU_ASSERT_EQUAL(fenced, 7);
	plx_peer_write32(&p.io, 0, 8);
	CU_ASSERT_EQUAL(fenced, 8);
}

TEST_PROGRAM("the port at the other end", NULL, NULL, {"each port finds each", test_found},
	     {"switched on beside another program", test_switched_on},
	     {"writes of registers are fenced", test_fenced})
