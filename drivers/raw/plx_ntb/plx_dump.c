/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <inttypes.h>

#include <rte_common.h>

#include "plx_dev.h"

static void
dump_alut(struct plx_chip *c, FILE *f)
{
	unsigned int i, on = 0;

	if (c->alut_entries == 0) {
		fprintf(f, "  inbound A-LUT: none\n");
		return;
	}
	for (i = 0; i < c->alut_entries; i++)
		on += (plx_reg_read32(c->io, PLX_ALUT_PERM(c->alut_array, i)) &
		       (PLX_ALUT_READ | PLX_ALUT_WRITE)) != 0;
	fprintf(f,
		"  inbound A-LUT 0x%05x: %u of %u slices of 0x%" PRIx64
		" enabled, first at 0x%08x%08x\n",
		c->alut_array, on, c->alut_entries, plx_chip_align(c, c->len),
		plx_reg_read32(c->io, PLX_ALUT_HI(c->alut_array, 0)),
		plx_reg_read32(c->io, PLX_ALUT_LO(c->alut_array, 0)));
}

/* The registers themselves are for `ringbell-doctor --snapshot`, which needs no driver. */
void
plx_dev_dump(struct ntb_rawdev *r, FILE *f)
{
	struct plx_dev *dev = plx_dev_of_raw(r);
	struct plx_chip *c = &dev->chip;
	struct plx_link_state now;

	plx_chip_link_state(c, &now);
	fprintf(f, "  PEX %04x NT%u port %u, link %s gen %u x%u%s%s\n", c->part, c->nt, c->port,
		__atomic_load_n(&dev->link, __ATOMIC_RELAXED) == NTB_LINK_UP ? "up" : "down",
		now.speed, now.width, now.changed ? ", change pending" : "",
		now.gone ? ", chip does not answer" : "");
	fprintf(f, "  inbound region 0x%" PRIx64 " + 0x%" PRIx64 "\n", c->iova, c->len);
	dump_alut(c, f);
}
