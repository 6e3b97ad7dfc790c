/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Link training and loss. */

#include "plxm_chip.h"

/* Error status of the link, in the virtual block only. */
void
plxm_link_error(const struct plxm_side *s, uint32_t bits)
{
	plxm_put(s->chip, s->base + HW_LINK_ERR, plxm_get(s->chip, s->base + HW_LINK_ERR) | bits);
}

static bool
is_ready(const struct plxm_side *s)
{
	uint32_t port = plxm_nt_port(s->chip, s->index);
	uint32_t ctl = plxm_get(s->chip, ((port & ~7u) << 12) + HW_PORT_CTL);

	return s->chip->powered && (ctl >> (port & 7) & 1) == 0;
}

/* Do the ports at both ends train? */
static bool
link_wanted(const struct plxm_rig *r, unsigned int cable)
{
	struct plxm_side one = plxm_rig_end(r, cable, 0), other = plxm_rig_end(r, cable, 1);

	return plxm_rig_cable(r, cable)->out == 0 && is_ready(&one) && is_ready(&other);
}

static void
set_link_status(const struct plxm_side *s, bool up)
{
	uint32_t nt = s->base + HW_LNKCTL, now = up ? HW_SPEED << 16 | HW_WIDTH << 20 : 0;

	for (uint32_t side = 0; side <= HW_NT_LINK; side += HW_NT_LINK)
		plxm_put(s->chip, nt + side, (plxm_get(s->chip, nt + side) & 0xFFFF) | now);
}

static void
link_change(const struct plxm_rig *r, unsigned int cable, unsigned int end, bool up)
{
	struct plxm_side near = plxm_rig_end(r, cable, end);

	plxm_rig_cable(r, cable)->link[end] = up;
	if (!near.chip->powered)
		return;
	if (!up) {
		plxm_reset_link(&near);
		plxm_put(near.chip, near.base + HW_AER_UNCORR,
			 plxm_get(near.chip, near.base + HW_AER_UNCORR) | HW_AER_SURPRISE);
		atomic_fetch_add(&near.nt->count.link_downs, 1);
	}
	set_link_status(&near, up);
	plxm_link_error(&near, HW_LINK_ERR_CHANGE);
}

void
plxm_link_update(const struct plxm_rig *r, unsigned int cable)
{
	struct plxm_cable *c = plxm_rig_cable(r, cable);
	bool up = link_wanted(r, cable);

	for (unsigned int end = 0; end < PLXM_ENDS; end++) {
		if (up == (c->link[end] != 0))
			continue;
		link_change(r, cable, end, up);
		plxm_gen_bump(c);
	}
}

void
plxm_link_update_chip(const struct plxm_rig *r, const struct plxm_chip *chip)
{
	for (unsigned int index = 0; index < PLXM_NTS; index++)
		plxm_link_update(r, plxm_rig_cable_at(r, chip, index));
}

void
plxm_link_bounce(const struct plxm_rig *r, unsigned int cable, bool force)
{
	struct plxm_cable *c = plxm_rig_cable(r, cable);

	for (unsigned int end = 0; end < PLXM_ENDS; end++) {
		if (!c->link[end] && !force)
			continue;
		link_change(r, cable, end, false);
		plxm_gen_bump(c);
	}
	plxm_link_update(r, cable);
}
