/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Link training and loss, and the faults that cause them. */

#include <errno.h>
#include <time.h>

#include "plxm_priv.h"

uint64_t
plxm_now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

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

/* @p force: lose the link though the file says that it is down; the loss may be half done. */
void
plxm_link_bounce(struct plxm_cable *c, bool force)
{
	if (c->link || force)
		link_change(c, false);
	plxm_link_update(c);
}

static void
spad_garbage(struct plxm_chip *chip, uint64_t seed)
{
	uint64_t x = seed * 2 + 1;

	for (unsigned int i = 0; i < 8; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		atomic_store(&chip->spad[i], (uint32_t)(x >> 16));
	}
}

int
plxm_fault_set(struct plxm_port *p, enum plxm_fault f, uint64_t arg)
{
	struct plxm_cable *c = p->cable;
	bool posted = false;
	int rc = 0;

	plxm_lock(c);
	switch (f) {
	case PLXM_FAULT_CABLE:
		atomic_store(&c->pulled, arg != 0);
		plxm_link_update(c);
		break;
	case PLXM_FAULT_RETRAIN:
		plxm_link_bounce(c, false);
		break;
	case PLXM_FAULT_DB_DROP:
		atomic_store(&p->chip->db_drop, (uint32_t)(arg > UINT32_MAX ? UINT32_MAX : arg));
		break;
	case PLXM_FAULT_SPAD_GARBAGE:
		spad_garbage(p->chip, arg);
		break;
	case PLXM_FAULT_DELAY_NS:
		atomic_store(&c->delay_ns[p->end], arg);
		break;
	case PLXM_FAULT_POSTED:
		posted = true;
		break;
	default:
		rc = -EINVAL;
		break;
	}
	plxm_unlock(c);
	if (posted) /* takes the lock itself */
		plxm_posted_set(p, arg != 0);
	plxm_check(p);
	return rc;
}
