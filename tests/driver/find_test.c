/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Registers that others write too, and their fences. Which NT port is at the other end of a cable:
 * pairs_test.c.
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

static uint32_t regs[1]; /* of a chip */

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

TEST_PROGRAM("registers", NULL, NULL, {"switched on beside another program", test_switched_on},
	     {"writes of registers are fenced", test_fenced})
