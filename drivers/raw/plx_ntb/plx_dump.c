/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <inttypes.h>

#include <rte_common.h>

#include "plx_dev.h"

static uint64_t
read_pair(struct plx_chip *c, uint32_t addr)
{
	uint64_t lo = plx_reg_read32(c->io, addr);

	return (uint64_t)plx_reg_read32(c->io, addr + 4) << 32 | lo;
}

static void
dump_block(struct plx_chip *c, FILE *f, const char *what, uint32_t block)
{
	unsigned int bar;

	fprintf(f, "  %s block 0x%05x: id 0x%08x command 0x%04x\n", what, block,
		plx_reg_read32(c->io, block + PLX_ID),
		plx_reg_read32(c->io, block + PLX_CMD) & 0xffff);
	for (bar = PLX_WIN_DATA; bar <= PLX_WIN_REGS; bar += 2)
		fprintf(f,
			"    BAR%u/%u address 0x%016" PRIx64 " setup 0x%016" PRIx64
			" translation 0x%016" PRIx64 "\n",
			bar, bar + 1, read_pair(c, block + PLX_BAR(bar)),
			read_pair(c, block + PLX_BAR_SETUP(bar)),
			read_pair(c, block + PLX_XLAT(bar)));
	fprintf(f, "    A-LUT control 0x%08x\n", plx_reg_read32(c->io, block + PLX_ALUT_CTL));
}

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

static void
dump_requesters(struct plx_chip *c, FILE *f, const char *what, uint32_t addr)
{
	unsigned int i;

	fprintf(f, "  requester ids, %s:", what);
	for (i = 0; i < PLX_RID_LUT_ENTRIES; i++) {
		uint32_t pair = plx_reg_read32(c->io, addr + 4 * (i / 2));
		uint16_t entry = i & 1 ? pair >> 16 : pair & 0xffff;

		if (entry & PLX_RID_ENABLE)
			fprintf(f, " %02x:%02x", entry >> 8, (entry >> 3) & 0x1f);
	}
	fprintf(f, "\n");
}

static void
dump_signals(struct plx_chip *c, FILE *f)
{
	unsigned int i;

	fprintf(f, "  doorbells pending 0x%04x masked 0x%04x\n",
		plx_virt_read(c, PLX_DB_SET) & PLX_DB_BITS,
		plx_virt_read(c, PLX_DB_MASK_SET) & PLX_DB_BITS);
	fprintf(f, "  scratchpads:");
	for (i = 0; i < PLX_SPAD_COUNT; i++)
		fprintf(f, " %08x", plx_virt_read(c, PLX_SPAD(i)));
	fprintf(f, "\n");
}

void
plx_dev_dump(struct ntb_rawdev *r, FILE *f)
{
	struct plx_dev *dev = plx_dev_of_raw(r);
	struct ntb_counter counter[NTB_RAWDEV_COUNTERS];
	struct plx_chip *c = &dev->chip;
	struct plx_link_state now;
	char why[PLX_WHY_SIZE];
	unsigned int i, n;

	fprintf(f, "%s: %s, %s\n", r->name, rte_rawdevs[r->port.dev_id].device->name,
		dev->started	? "started"
		: r->configured ? "configured"
				: "probed");
	plx_chip_link_state(c, &now);
	fprintf(f, "  PEX %04x NT%u port %u, link %s gen %u x%u%s%s\n", c->part, c->nt, c->port,
		__atomic_load_n(&dev->link, __ATOMIC_RELAXED) == NTB_LINK_UP ? "up" : "down",
		now.speed, now.width, now.changed ? ", change pending" : "",
		now.gone ? ", chip does not answer" : "");
	plx_dev_why(dev, why, sizeof(why));
	if (why[0] != '\0')
		fprintf(f, "  %s\n", why);
	fprintf(f, "  window %p + 0x%" PRIx64 ", inbound region 0x%" PRIx64 " + 0x%" PRIx64 "\n",
		c->window, c->window_size, c->iova, c->len);
	dump_block(c, f, "Virtual", c->virt);
	dump_block(c, f, "Link", c->link);
	dump_alut(c, f);
	dump_requesters(c, f, "Virtual", c->virt + PLX_RID_LUT_VIRT);
	dump_requesters(c, f, "Link", c->link + PLX_RID_LUT_LINK);
	dump_signals(c, f);

	n = plx_dev_counters(r, counter);
	for (i = 0; i < n; i++)
		fprintf(f, "  %s %" PRIu64 "\n", counter[i].name, counter[i].value - r->base[i]);
}
