/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* The NT function on its host's bus: power, and which BAR takes an address. */

#include <string.h>

#include "plxm_chip.h"
#include "plxm_dma_priv.h"
#include "plxm_path.h"
#include "plxm_pci.h"

void
plxm_port_power(struct plxm_port *p, bool on)
{
	struct plxm_chip *chip = p->me.chip;

	plxm_lock(&p->rig, chip);
	atomic_store(&chip->powered, 0);
	plxm_link_update_chip(&p->rig, chip);
	if (on) {
		plxm_power_on(chip);
		atomic_store(&chip->powered, 1);
		plxm_link_update_chip(&p->rig, chip);
	}
	for (unsigned int index = 0; index < PLXM_NTS && !on; index++) {
		uint32_t cmd = plxm_side(chip, index).base + HW_CMD;

		plxm_put(chip, cmd, plxm_get(chip, cmd) & ~(HW_CMD_MEM | HW_CMD_MASTER));
	}
	plxm_gen_bump_chip(&p->rig, chip);
	plxm_unlock(&p->rig);
	plxm_check(p);
}

/* Offset into the BAR that decodes all of [bus, bus + len), and which one. */
static bool
decode_addr(struct plxm_port *p, uint64_t bus, size_t len, unsigned int *ret_bar, uint64_t *ret_off)
{
	const struct plxm_chip *chip = p->me.chip;
	uint32_t nt = p->me.base;
	struct plxm_bar bar;

	if (!atomic_load(&chip->powered) || !(plxm_get(chip, nt + HW_CMD) & HW_CMD_MEM))
		return false;
	for (unsigned int n = 0; n <= 4; n += 2) {
		if (!plxm_bar_get(chip, nt, n, &bar) || (bus & bar.mask) != bar.addr)
			continue;
		*ret_bar = n;
		*ret_off = bus & ~bar.mask;
		return len <= -bar.mask - *ret_off;
	}
	return false;
}

/* Registers are dwords; a narrower or wider access is made of dwords with byte enables. */
static void
access_regs(struct plxm_port *p, uint32_t off, uint8_t *buf, size_t len, bool write)
{
	while (len != 0) {
		uint32_t shift = (off & 3) * 8, be, val = 0;
		size_t n = 4 - (off & 3);

		n = n < len ? n : len;
		be = (n == 4 ? 0xFFFFFFFF : (1u << n * 8) - 1) << shift;
		if (write) {
			memcpy(&val, buf, n);
			if (plxm_dma_shown(p, off) != NULL)
				plxm_dma_write(plxm_dma_shown(p, off), off % PLXM_DMA_BAR0_SIZE,
					       val, (unsigned int)n);
			else if (n == 4 && plxm_more_at(p, off) != NULL)
				plxm_more_at(p, off)->write(plxm_more_at(p, off)->ctx, off, val);
			else
				plxm_chip_write(&p->rig, p->me.chip, off & ~3u, val << shift, be);
		} else {
			val = plxm_reg_read(p, off & ~3u) >> shift;
			memcpy(buf, &val, n);
		}
		off += (uint32_t)n;
		buf += n;
		len -= n;
	}
}

bool
plxm_bus_read(struct plxm_port *p, uint64_t bus, void *buf, size_t len)
{
	unsigned int bar;
	uint64_t off;

	if (!decode_addr(p, bus, len, &bar, &off)) {
		memset(buf, 0xFF, len);
		return false;
	}
	if (bar == 0)
		access_regs(p, (uint32_t)off, buf, len, false);
	else
		(void)plxm_win_read(p, bar, off, buf, len);
	return true;
}

bool
plxm_bus_write(struct plxm_port *p, uint64_t bus, const void *buf, size_t len)
{
	uint8_t copy[8];
	unsigned int bar;
	uint64_t off;

	if (len > sizeof(copy) || !decode_addr(p, bus, len, &bar, &off))
		return false;
	memcpy(copy, buf, len);
	if (bar == 0)
		access_regs(p, (uint32_t)off, copy, len, true);
	else
		(void)plxm_win_write(p, bar, off, copy, len);
	return true;
}
