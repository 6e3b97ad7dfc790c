/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Link state: training, loss with everything that goes with it, and the faults. */

#include "model_test.h"

static struct rig r;

static uint32_t
width(unsigned int end)
{
	uint32_t v = plxm_reg_read(r.p[end], r.v[end] + 0x78);

	CU_ASSERT_EQUAL(plxm_reg_read(r.p[end], r.l[end] + 0x78) >> 16, v >> 16);
	return (v >> 20) & 0x3F;
}

static uint32_t
errors(unsigned int end)
{
	return plxm_reg_read(r.p[end], r.v[end] + 0xFE0);
}

static void
test_train(void)
{
	rig_open(&r, MIB, MIB);
	for (unsigned int end = 0; end < 2; end++) {
		CU_ASSERT_EQUAL(width(end), 8);
		CU_ASSERT_EQUAL((plxm_cfg_read(r.p[end], 0x7A, 2)) & 0xF, 3);
		CU_ASSERT_EQUAL(errors(end) & 4, 4); /* the change is reported */
		plxm_reg_write(r.p[end], V0 + 0xFE0, 4);
		CU_ASSERT_EQUAL(errors(end), 0);
	}
	CU_ASSERT_EQUAL(plxm_cfg_read(r.p[0], 0x74, 4) & 0x3F, 3 | (8 << 4 & 0x3F));
	rig_close(&r);
}

#define STATE 0x78 /* of the link: speed and width */
#define UP 0x00830000
#define ERRORS 0xFE0
#define CHANGE 4

static const struct script scripts[] = {
	/* A loss resets the whole link block. The virtual block, doorbells, scratchpads and the
	 * A-LUT arrays stay. A dead link reads as ones and takes no doorbell. */
	SCRIPT("what a loss takes", MIB, MIB, true, {WR, L0 + 0xE8, 0xFF00000C},
	       {WR, L0 + 0xC94, 0x10000000}, {WR, V0 + 0xC94, 0x10000000}, {WR, V0 + 0xC6C, 77},
	       {WR, V0 + 0xC4C, 2}, {WR, 0x38000, 0x5000}, {FAULT1, PLXM_FAULT_CABLE, 1},
	       {RD, V0 + STATE, 0}, {RD1, V0 + STATE, 0}, {HAS, V0 + ERRORS, CHANGE},
	       {HAS1, V0 + ERRORS, CHANGE}, {COUNT, STAT(link_downs), 1},
	       {COUNT1, STAT(link_downs), 1}, {LACKS, L0 + 4, 6}, {RD, L0 + 0xE8, 0xFFF0000C},
	       {RD, L0 + 0x18, 0xC}, {RD, L0 + 0xC3C, 0}, {RD, L0 + 0xC94, 0}, {RD, L0 + 0xDB4, 0},
	       {HAS, V0 + 4, 6}, {RD, V0 + 0xC40, 0x40000000}, {RD, V0 + 0xC94, 0x10000000},
	       {RD, V0 + 0xD94, 0x00190001}, {RD, V0 + 0xC6C, 77}, {RD, V0 + 0xC4C, 2},
	       {RD, 0x38000, 0x5000}, {RDP, V0, ONES}, {WRP, V0 + 0xC4C, 1}, {RD1, V0 + 0xC4C, 0},
	       {COUNT, STAT(ur_link), 2}),
	/* up again, but the link side of both must be set up anew */
	SCRIPT("retrain", MIB, MIB, true, {RDP, V0, 0x87B010B5}, {FAULT, PLXM_FAULT_RETRAIN, 0},
	       {RD, V0 + STATE, UP}, {HAS, V0 + ERRORS, CHANGE}, {HAS1, V0 + ERRORS, CHANGE},
	       {RDP, V0, ONES}, {PROGRAM, 1, 0}, {RDP, V0, ONES}, {PROGRAM, 0, 0},
	       {RDP, V0, 0x87B010B5}),
	/* Port Control sits at the station's first port: port 8 is bit 0 of 0x8208. First another
	 * station, and another port; at the end the other side disables it still. */
	SCRIPT("port control", MIB, MIB, false, {WR, 0x208, 1}, {RD, V0 + STATE, UP},
	       {WR, 0x8208, 2}, {RD, V0 + STATE, UP}, {WR, 0x8208, 1}, {RD, V0 + STATE, 0},
	       {RD1, V0 + STATE, 0}, {WR1, 0x8208, 1}, {WR, 0x8208, 0}, {RD, V0 + STATE, 0},
	       {WR1, 0x8208, 0}, {RD, V0 + STATE, UP}, {COUNT, STAT(link_downs), 1}),
	/* the register exists in the virtual block only */
	SCRIPT("link errors", MIB, MIB, false, {WR, V0 + ERRORS, 0xF},
	       {FAULT1, PLXM_FAULT_CABLE, 1}, {HAS, V0 + ERRORS, 4}, {RD, L0 + ERRORS, 0}),
};

RUN_SCRIPTS(scripts)

TEST_PROGRAM("link", NULL, NULL, {"training", test_train}, {"scripts", test_scripts})
