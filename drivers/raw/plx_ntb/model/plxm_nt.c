/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* The 4 KiB register blocks of an NT port: one of its virtual side, one of its link side. */

#include "plxm_chip.h"

static bool
is_link(uint32_t base)
{
	return (base & HW_NT_LINK) != 0;
}

/* A window is on when the top bit of its mask is set; a mask with holes does not make one. */
static bool
bar_from(struct plxm_bar *bar, uint64_t mask, uint64_t addr)
{
	uint64_t size = mask & -mask;

	if (!(mask >> 63) || mask != -size) {
		bar->mask = 0;
		return false;
	}
	bar->mask = mask;
	bar->addr = addr & mask;
	return true;
}

/* Setup registers hold the size as a two's complement mask, bits 19:0 read as zero. Type bit 2
 * in the lower register of a pair makes one 64-bit BAR of it. The two of 32 bits that there are
 * without it no driver uses, and are off here. */
bool
plxm_bar_get(const struct plxm_chip *chip, uint32_t base, unsigned int n, struct plxm_bar *bar)
{
	uint32_t setup =
		plxm_get(chip, base + (n == 0 ? HW_BAR0_SETUP : HW_BAR2_SETUP + (n - 2) * 4));
	uint64_t addr = plxm_get(chip, base + HW_BAR0 + n * 4), mask;

	*bar = (struct plxm_bar){.is64 = n == 0 ? (setup & 3) == 3 : (setup & 4) != 0};
	if (bar->is64)
		addr |= (uint64_t)plxm_get(chip, base + HW_BAR0 + n * 4 + 4) << 32;
	if (n == 0)
		return (setup & 3) >= 2 && bar_from(bar, -(uint64_t)PLXM_BAR0_SIZE, addr);
	mask = (uint64_t)plxm_get(chip, base + HW_BAR2_SETUP + (n - 2) * 4 + 4) << 32;
	return bar->is64 && bar_from(bar, mask | (setup & 0xFFF00000), addr);
}

/* The dword at BAR @p n: half of a 64-bit BAR, BAR0 of 32 bits, or nothing.
 * @p mask gets the bits that software can write. */
static uint32_t
bar_dword(const struct plxm_chip *chip, uint32_t base, unsigned int n, uint32_t *mask)
{
	struct plxm_bar bar;
	uint32_t type;

	*mask = 0;
	if (!plxm_bar_get(chip, base, n & ~1u, &bar) || ((n & 1) && !bar.is64))
		return 0;
	if (n & 1) {
		*mask = (uint32_t)(bar.mask >> 32);
		return (uint32_t)(bar.addr >> 32);
	}
	*mask = (uint32_t)bar.mask;
	type = n < 2 ? (bar.is64 ? 4 : 0)
		     : plxm_get(chip, base + HW_BAR2_SETUP + (n - 2) * 4) & 0xC;
	return (uint32_t)bar.addr | type;
}

uint32_t
plxm_nt_read(struct plxm_chip *chip, uint32_t base, uint32_t r)
{
	uint32_t mask;

	if (r >= HW_BAR0 && r <= HW_BAR5)
		return bar_dword(chip, base, (r - HW_BAR0) / 4, &mask);
	return plxm_get(chip, base + r);
}

static struct plxm_access
header_access(const struct plxm_chip *chip, uint32_t base, uint32_t r)
{
	struct plxm_access a = {0, 0, false};

	switch (r) {
	case HW_CMD:
		a.rw = 0x0547;
		a.w1c = 0xF9000000;
		a.remap = true;
		break;
	case HW_HEADER:
	case HW_INT:
		a.rw = 0xFF;
		break;
	case HW_PMCSR:
		a.rw = 0x103;
		a.remap = true;
		break;
	case HW_DEVCTL:
		a.rw = 0x7FFF;
		a.w1c = 0x000F0000;
		break;
	case HW_LNKCTL:
		a.rw = 0x1CB;
		break;
	case HW_DEVCTL2:
	case HW_LNKCTL2:
		a.rw = 0xFFFF;
		break;
	default:
		if (r >= HW_BAR0 && r <= HW_BAR5) {
			bar_dword(chip, base, (r - HW_BAR0) / 4, &a.rw);
			a.remap = true;
		}
		break;
	}
	return a;
}

/* The virtual side's BAR sizes are fixed before its host enumerates it; the link side's are free,
 * because a cable is not enumerated. */
static struct plxm_access
setup_access(uint32_t base, uint32_t r)
{
	struct plxm_access a = {0, 0, true};

	if (!is_link(base))
		return a;
	if (r == HW_BAR0_SETUP)
		a.rw = 3;
	else if (r == HW_BAR2_SETUP || r == HW_BAR2_SETUP + 8)
		a.rw = 0xFFF0000C;
	else
		a.rw = 0xFFFFFFFF; /* may be the upper half of a 64-bit mask */
	return a;
}

static struct plxm_access
error_access(uint32_t base, uint32_t r)
{
	struct plxm_access a = {0, 0, false};

	switch (r) {
	case HW_BAD_TLP:
	case HW_BAD_DLLP:
	case HW_AER_UNCORR_MASK:
		a.rw = 0xFFFFFFFF;
		break;
	case HW_AER_UNCORR:
		a.w1c = 0xFFFFFFFF;
		break;
	case HW_LINK_ERR:
		a.w1c = is_link(base) ? 0 : 0xF;
		break;
	case HW_LINK_ERR_MASK:
		a.rw = is_link(base) ? 0 : 0xF;
		break;
	default:
		break;
	}
	return a;
}

/* Bits of a translation below the size of its window do not exist. */
static uint32_t
xlat_bits(const struct plxm_chip *chip, uint32_t base, uint32_t r)
{
	unsigned int n = 2 + (r - HW_XLAT) / 4;
	struct plxm_bar bar;

	if (!plxm_bar_get(chip, base, n & ~1u, &bar))
		return 0xFFFFFFFF;
	return (uint32_t)(n & 1 ? bar.mask >> 32 : bar.mask);
}

struct plxm_access
plxm_nt_access(const struct plxm_chip *chip, uint32_t base, uint32_t r)
{
	struct plxm_access a = {0, 0, true};
	uint32_t lut = is_link(base) ? HW_LLUT : HW_VLUT;

	if (r < HW_BAR0_SETUP)
		return header_access(chip, base, r);
	if (r <= HW_BAR5_SETUP)
		return setup_access(base, r);
	if (r >= HW_BAD_TLP)
		return error_access(base, r);
	if (r >= HW_XLAT && r < HW_DB)
		a.rw = xlat_bits(chip, base, r);
	else if (r == HW_ALUT_CTL && plxm_has_alut(chip))
		a.rw = 0x90000000;
	else if (r >= lut && r < lut + HW_LUT_ENTRIES * 2)
		a.rw = ~HW_LUT_RESERVED;
	else
		a.remap = false;
	return a;
}
