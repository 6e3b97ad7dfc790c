/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <stdio.h>

#include "plx_chip.h"

static const struct {
	const char *words;
	bool at_peer; /* the register is the peer's */
} reasons[PLX_WHYS] = {
	[PLX_WHY_NONE] = {"", false},
	[PLX_WHY_STOPPED] = {"trained, and the port is not started", false},
	[PLX_WHY_GONE] = {"the chip does not answer: powered off, or not decoded", false},
	[PLX_WHY_DISABLED] = {"the port is disabled in its chip", false},
	[PLX_WHY_UNTRAINED] = {"no training: no cable, or the port at its other end is off", false},
	[PLX_WHY_ONCE] = {"the link broke, and a job does not use it again", false},
	[PLX_WHY_REFUSED] = {"the chip does not take its set-up", false},
	[PLX_WHY_CHANGED] = {"the link changed during its proof", false},
	[PLX_WHY_NOBODY] = {"trained, and no program at the other end offers registers", true},
	[PLX_WHY_STORES] = {"stores to the peer are not seen there, loads are: refused, or their "
			    "register cannot be read",
			    true},
};

void
plx_chip_because(struct plx_chip *c, enum plx_why why, uint32_t reg)
{
	c->reason = (struct plx_reason){
		.why = why,
		.reg = reg,
		.value = reasons[why].at_peer ? plx_peer_read32(c->io, reg)
					      : plx_reg_read32(c->io, reg),
	};
}

bool
plx_chip_untrained(struct plx_chip *c)
{
	const uint32_t reg = c->virt + PLX_LNKSTA;
	uint32_t sta = plx_reg_read32(c->io, reg);

	if (sta == PLX_GONE)
		plx_chip_because(c, PLX_WHY_GONE, reg);
	else if (plx_chip_is_disabled(c))
		plx_chip_because(c, PLX_WHY_DISABLED, PLX_PORT_CTL(c->port));
	else if (PLX_LNKSTA_WIDTH(sta) == 0)
		plx_chip_because(c, PLX_WHY_UNTRAINED, reg);
	else
		return false;
	return true;
}

void
plx_chip_why_text(const struct plx_chip *c, char *text, size_t size)
{
	const struct plx_reason *r = &c->reason;

	if (r->why == PLX_WHY_NONE)
		snprintf(text, size, "%s", "");
	else
		snprintf(text, size, "%s (register 0x%05x%s reads 0x%08x)", reasons[r->why].words,
			 r->reg & (PLX_CHIP_SIZE - 1),
			 reasons[r->why].at_peer ? " of the peer" : "", r->value);
}
