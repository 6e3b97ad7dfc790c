/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>

#include <rte_common.h>

#include "plx_chip.h"
#include "ntb_log.h"

static int
expect_bits(struct plx_chip *c, uint32_t addr, uint32_t mask, uint32_t want, const char *what)
{
	uint32_t got = plx_reg_read32(c->io, addr) & mask;

	if (got == want)
		return 0;
	NTB_LOG(ERR, c->name, "selftest: %s: register 0x%05x reads 0x%08x, 0x%08x expected", what,
		addr, got, want);
	return -EIO;
}

/* Write patterns that no two bits share, read each back at once. */
static int
walk_patterns(struct plx_chip *c, uint32_t addr, uint32_t mask, const char *what)
{
	static const uint32_t patterns[] = {0x00000000, 0x55555555, 0xaaaaaaaa, 0x12345678};
	unsigned int i;
	int ret = 0;

	for (i = 0; i < RTE_DIM(patterns) && ret == 0; i++) {
		plx_reg_write32(c->io, addr, patterns[i] & mask);
		ret = expect_bits(c, addr, mask, patterns[i] & mask, what);
	}
	return ret;
}

static int
test_scratchpads(struct plx_chip *c)
{
	uint32_t saved[PLX_SPAD_COUNT];
	unsigned int i;
	int ret = 0;

	for (i = 0; i < PLX_SPAD_COUNT; i++)
		saved[i] = plx_virt_read(c, PLX_SPAD(i));
	for (i = 0; i < PLX_SPAD_COUNT && ret == 0; i++)
		ret = walk_patterns(c, c->virt + PLX_SPAD(i), UINT32_MAX, "scratchpad");
	/* different values at once: no two numbers are one register */
	for (i = 0; i < PLX_SPAD_COUNT; i++)
		plx_virt_write(c, PLX_SPAD(i), 0x01010101u * (i + 1));
	for (i = 0; i < PLX_SPAD_COUNT && ret == 0; i++)
		ret = expect_bits(c, c->virt + PLX_SPAD(i), UINT32_MAX, 0x01010101u * (i + 1),
				  "scratchpads");
	for (i = 0; i < PLX_SPAD_COUNT; i++)
		plx_virt_write(c, PLX_SPAD(i), saved[i]);
	return ret;
}

static int
test_doorbells(struct plx_chip *c)
{
	unsigned int i;
	int ret = 0;

	plx_virt_write(c, PLX_DB_MASK_SET, PLX_DB_BITS); /* the test must raise no interrupt */
	plx_virt_write(c, PLX_DB_CLEAR, PLX_DB_BITS);
	for (i = 0; i < PLX_DB_COUNT && ret == 0; i++) {
		uint32_t below = (1u << i) - 1;

		plx_virt_write(c, PLX_DB_SET, 1u << i);
		ret = expect_bits(c, c->virt + PLX_DB_SET, PLX_DB_BITS, below | 1u << i,
				  "doorbell set");
	}
	for (i = 0; i < PLX_DB_COUNT && ret == 0; i++) {
		uint32_t left = PLX_DB_BITS & ~((2u << i) - 1);

		plx_virt_write(c, PLX_DB_CLEAR, 1u << i);
		ret = expect_bits(c, c->virt + PLX_DB_SET, PLX_DB_BITS, left, "doorbell clear");
	}
	if (ret == 0)
		ret = expect_bits(c, c->virt + PLX_DB_MASK_SET, PLX_DB_BITS, PLX_DB_BITS,
				  "mask set");
	plx_virt_write(c, PLX_DB_MASK_CLEAR, 0x00f0);
	if (ret == 0)
		ret = expect_bits(c, c->virt + PLX_DB_MASK_SET, PLX_DB_BITS, 0xff0f, "mask clear");
	plx_virt_write(c, PLX_DB_MASK_SET, PLX_DB_BITS);
	plx_virt_write(c, PLX_DB_CLEAR, PLX_DB_BITS);
	return ret;
}

/* No other driver needs these, so a chip without them is no fault: link-up then proves no stores.
 */
static void
note_link_masks(struct plx_chip *c)
{
	uint32_t set, clear;

	plx_virt_write(c, PLX_LINK_DB_MASK_SET, PLX_DB_BITS);
	set = plx_virt_read(c, PLX_LINK_DB_MASK_SET);
	plx_virt_write(c, PLX_LINK_DB_MASK_CLEAR, 0x00f0);
	clear = plx_virt_read(c, PLX_LINK_DB_MASK_SET);
	plx_virt_write(c, PLX_LINK_DB_MASK_SET, PLX_DB_BITS);
	if (set != PLX_DB_BITS || clear != 0xff0f)
		NTB_LOG(NOTICE, c->name,
			"selftest, a note: register 0x%05x reads 0x%08x and 0x%08x, not 0xffff and "
			"0xff0f",
			c->virt + PLX_LINK_DB_MASK_SET, set, clear);
}

static int
test_translation(struct plx_chip *c)
{
	/* bits below the size of a window need not exist */
	const uint64_t bits = ~(c->io->data_off + c->window_size - 1);
	const uint32_t half[] = {(uint32_t)bits, (uint32_t)(bits >> 32)};
	unsigned int i;
	int ret = 0;

	for (i = 0; i < 2 && ret == 0; i++) {
		ret = walk_patterns(c, c->virt + PLX_XLAT(PLX_WIN_DATA) + 4 * i, half[i],
				    "translation");
		if (ret == 0)
			ret = walk_patterns(c, c->link + PLX_XLAT(PLX_WIN_DATA) + 4 * i, half[i],
					    "translation");
	}
	for (i = 0; i < c->alut_entries && ret == 0; i++) {
		plx_reg_write32(c->io, PLX_ALUT_PERM(c->alut_array, i), 0);
		ret = walk_patterns(c, PLX_ALUT_HI(c->alut_array, i), UINT32_MAX, "A-LUT");
	}
	return ret;
}

int
plx_chip_selftest(struct plx_chip *c)
{
	int ret;

	plx_chip_shut(c);
	ret = test_scratchpads(c);
	if (ret == 0)
		ret = test_doorbells(c);
	if (ret == 0)
		ret = test_translation(c);
	if (ret == 0)
		note_link_masks(c);
	return ret;
}
