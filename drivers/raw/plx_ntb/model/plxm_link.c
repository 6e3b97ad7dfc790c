/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Link training and loss. */

#include "plxm_clock.h"
#include "plxm_db.h"
#include "plxm_gen.h"
#include "plxm_link.h"
#include "plxm_reset.h"

/* Error status of the link, in the virtual block only; may raise the interrupt. */
void
plxm_link_error(struct plxm_chip *chip, uint32_t bits)
{
	uint32_t nt = plxm_nt_base(chip);
	bool was_high = plxm_irq_level(chip);
	uint32_t old = plxm_get(chip, nt + HW_LINK_ERR);

	plxm_put(chip, nt + HW_LINK_ERR, old | bits);
	if (bits & ~old & ~plxm_get(chip, nt + HW_LINK_ERR_MASK))
		plxm_irq_raise(chip, was_high);
}

static bool
port_disabled(const struct plxm_chip *chip)
{
	uint32_t port = chip->eeprom.port & 0x1F;

	return (plxm_get(chip, ((port & ~7u) << 12) + HW_PORT_CTL) >> (port & 7) & 1) != 0;
}

static bool
link_wanted(const struct plxm_cable *c)
{
	if (c->pulled)
		return false;
	for (unsigned int end = 0; end < PLXM_ENDS; end++) {
		if (!c->chip[end].powered || port_disabled(&c->chip[end]))
			return false;
	}
	return true;
}

static void
set_link_status(struct plxm_chip *chip, uint32_t speed, uint32_t width)
{
	uint32_t nt = plxm_nt_base(chip) + HW_LNKCTL;

	for (uint32_t side = 0; side <= HW_NT_LINK; side += HW_NT_LINK)
		plxm_put(chip, nt + side,
			 (plxm_get(chip, nt + side) & 0xFFFF) | speed << 16 | width << 20);
}

static void
link_change(struct plxm_cable *c, bool up)
{
	const struct plxm_eeprom *a = &c->chip[0].eeprom, *b = &c->chip[1].eeprom;
	uint32_t speed = a->speed < b->speed ? a->speed : b->speed;
	uint32_t width = a->width < b->width ? a->width : b->width;

	c->link = up;
	for (unsigned int end = 0; end < PLXM_ENDS; end++) {
		struct plxm_chip *chip = &c->chip[end];

		if (!chip->powered)
			continue;
		if (!up) {
			plxm_reset_link(chip);
			atomic_store(&chip->down_ns, plxm_now_ns());
			atomic_fetch_add(&chip->count.link_downs, 1);
		}
		set_link_status(chip, up ? speed & 0xF : 0, up ? width & 0x3F : 0);
		plxm_link_error(chip, HW_LINK_ERR_CHANGE);
	}
	plxm_gen_bump(c);
}

void
plxm_link_update(struct plxm_cable *c)
{
	bool up = link_wanted(c);

	if (up != (c->link != 0))
		link_change(c, up);
}

/* @p force: lose the link even if the file has it down already; the loss may be half done. */
void
plxm_link_bounce(struct plxm_cable *c, bool force)
{
	if (c->link || force)
		link_change(c, false);
	plxm_link_update(c);
}
