/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* BAR0: the whole chip in 256 KiB, the same from either side of the cable. */

#include "plxm_chip.h"
#include "plxm_path.h"

/* In a block of an NT port that the chip has? */
static bool
is_nt(const struct plxm_chip *chip, uint32_t off)
{
	unsigned int index = off < HW_NT0_VIRTUAL;

	return off >= HW_NT1_VIRTUAL && (chip->nts >> index & 1) != 0;
}

static bool
is_hot(uint32_t r)
{
	return r >= HW_DB && r < HW_NT_ID;
}

/* Is there a block at all: a port of this part, an enabled NT port, the A-LUT arrays? */
static bool
block_present(const struct plxm_chip *chip, uint32_t off)
{
	uint32_t port = off >> 12;

	if (port < HW_PORTS)
		return (plxm_port_mask(chip->eeprom.chip) >> port & 1) != 0;
	if (off >= HW_ALUT_BASE && off < HW_NT1_VIRTUAL)
		return plxm_has_alut(chip);
	return is_nt(chip, off);
}

/* A permission word of the A-LUT has two bits with a meaning. The values of the others are not
 * known of the chip, so software must ignore them. */
static uint32_t
alut_noise(uint32_t off)
{
	uint32_t r = off & 0xFFF;

	if (off < HW_ALUT_BASE || off >= HW_NT1_VIRTUAL || r < HW_ALUT_PERM || r >= 0xA00)
		return 0;
	return off * 0x9E3779B1u & ~(uint32_t)(HW_PERM_READ | HW_PERM_WRITE);
}

uint32_t
plxm_chip_read(struct plxm_chip *chip, uint32_t off)
{
	uint32_t r = off & 0xFFC;

	if ((off & 3) != 0 || off >= PLXM_BAR0_SIZE)
		return HW_ABSENT;
	if (is_nt(chip, off))
		return is_hot(r) ? plxm_hot_read(plxm_side_at(chip, off).nt, r)
				 : plxm_nt_read(chip, off & ~0xFFFu, r);
	return block_present(chip, off) ? plxm_get(chip, off) | alut_noise(off) : HW_ABSENT;
}

static struct plxm_access
alut_access(uint32_t r)
{
	struct plxm_access a = {0, 0, true};

	if ((r & 0x3FF) >= 0x200 || r >= 0xC00)
		return a;
	a.rw = r < HW_ALUT_PERM ? 0xFFFFFFFF : HW_PERM_READ | HW_PERM_WRITE;
	return a;
}

static struct plxm_access
port_access(const struct plxm_chip *chip, uint32_t off)
{
	struct plxm_access a = {0, 0, false};
	uint32_t r = off & 0xFFF;

	if (r == HW_PORT_CTL && (off >> 12) % 8 == 0) {
		a.rw = 0xFF;
		return a;
	}
	if (off >> 12 != 0)
		return a;
	if (r == HW_NT_CONFIG) {
		a.rw = plxm_has_alut(chip) ? 0xFFFFFFFF : 0x3FFFFFFF;
		a.remap = true;
	}
	return a;
}

static void
slow_write(const struct plxm_rig *rig, struct plxm_chip *chip, uint32_t off, uint32_t val,
	   uint32_t be)
{
	uint32_t base = off & ~0xFFFu, r = off & 0xFFF;
	struct plxm_access a;
	uint32_t old, now;

	plxm_lock(rig, chip);
	if (is_nt(chip, off))
		a = plxm_nt_access(chip, base, r);
	else if (off >= HW_ALUT_BASE)
		a = alut_access(r);
	else
		a = port_access(chip, off);
	old = plxm_get(chip, off);
	now = (old & ~(a.rw & be)) | (val & a.rw & be);
	now &= ~(val & a.w1c & be);
	if (now != old) {
		plxm_put(chip, off, now);
		if (a.remap)
			plxm_gen_bump_chip(rig, chip);
		if (r == HW_PORT_CTL && off < HW_PORTS << 12)
			plxm_link_update_chip(rig, chip);
	}
	plxm_unlock(rig);
}

void
plxm_chip_write(const struct plxm_rig *rig, struct plxm_chip *chip, uint32_t off, uint32_t val,
		uint32_t be)
{
	uint32_t r = off & 0xFFC;

	if ((off & 3) != 0 || off >= PLXM_BAR0_SIZE)
		return;
	if (is_nt(chip, off) && is_hot(r)) {
		struct plxm_side s = plxm_side_at(chip, off);

		if (be != 0xFFFFFFFF && r >= HW_SPAD)
			val = (val & be) | (plxm_hot_read(s.nt, r) & ~be);
		else
			val &= be;
		plxm_hot_write(&s, r, val);
	} else if (block_present(chip, off)) {
		slow_write(rig, chip, off, val, be);
	}
}

uint32_t
plxm_reg_read(struct plxm_port *p, uint32_t off)
{
	plxm_check(p);
	return plxm_is_hidden(p, off) ? 0 : plxm_chip_read(p->me.chip, off);
}

void
plxm_reg_write(struct plxm_port *p, uint32_t off, uint32_t val)
{
	if (!plxm_is_hidden(p, off))
		plxm_chip_write(&p->rig, p->me.chip, off, val, 0xFFFFFFFF);
}

static bool
cfg_valid(uint32_t off, unsigned int size)
{
	return (size == 1 || size == 2 || size == 4) && off < 0x1000 && off % size == 0;
}

uint32_t
plxm_cfg_read(struct plxm_port *p, uint32_t off, unsigned int size)
{
	uint32_t val;

	if (!cfg_valid(off, size))
		return HW_ABSENT;
	val = plxm_reg_read(p, p->me.base + (off & ~3u)) >> (off & 3) * 8;
	return size == 4 ? val : val & ((1u << size * 8) - 1);
}

void
plxm_cfg_write(struct plxm_port *p, uint32_t off, uint32_t val, unsigned int size)
{
	unsigned int shift = (off & 3) * 8;
	uint32_t be;

	if (!cfg_valid(off, size))
		return;
	be = size == 4 ? 0xFFFFFFFF : (1u << size * 8) - 1;
	/* byte enables: a store to the command half must not clear status bits beside it */
	plxm_chip_write(&p->rig, p->me.chip, p->me.base + (off & ~3u), val << shift, be << shift);
}
