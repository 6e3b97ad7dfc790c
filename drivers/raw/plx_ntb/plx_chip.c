/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <inttypes.h>

#include <rte_common.h>
#include <rte_io.h>

#include "dpdk_compat.h"
#include "plx_chip.h"
#include "ntb_log.h"

enum {
	LINK_TRIES = 16,
};

/* Two writes: the lower half, then the higher one. */
static void
reg_write64_lh(struct plx_chip *c, uint32_t reg, uint64_t val)
{
	plx_reg_write32(c->io, reg, (uint32_t)val);
	plx_reg_write32(c->io, reg + 4, (uint32_t)(val >> 32));
}

/* The entries of one A-LUT serve one NT with all of them or both NTs with half each. */
static void
find_alut(struct plx_chip *c, uint32_t nt_config)
{
	bool own = nt_config & PLX_NT_CONFIG_ALUT(c->nt);
	bool other = nt_config & PLX_NT_CONFIG_ALUT(!c->nt);
	const uint32_t page = 0x1000;

	if (!own)
		return;
	if (!(c->io->skips & PLX_SKIP_ALUT))
		c->alut_entries = other ? PLX_ALUT_ARRAY_ENTRIES : 2 * PLX_ALUT_ARRAY_ENTRIES;
	/* arrays: NT0 out, NT0 in, NT1 out, NT1 in; with one NT: out, in, two pages each */
	c->alut_array = PLX_ALUT_RAM + (other ? page * (2 * c->nt + 1) : page * 2);
}

static int
check_identity(struct plx_chip *c)
{
	uint32_t want = (uint32_t)(PLX_DEV_NT_VIRT + c->nt) << 16 | PLX_VENDOR_ID;
	uint32_t id = plx_virt_read(c, PLX_ID);
	uint32_t nt_id;

	if (id == PLX_GONE) {
		NTB_LOG(ERR, c->name, "registers read all ones: powered off or not decoded");
		return -ENXIO;
	}
	if (id != want) {
		NTB_LOG(ERR, c->name,
			"id register at 0x%x reads 0x%08x, an NT%u Virtual interface has 0x%08x",
			c->virt, id, c->nt, want);
		return -ENODEV;
	}
	/* first-generation 8732 silicon has no such register and reads 0: right for its only NT */
	nt_id = plx_virt_read(c, PLX_NT_ID);
	if ((nt_id & PLX_NT_ID_INDEX) != c->nt || (nt_id & PLX_NT_ID_LINK)) {
		NTB_LOG(ERR, c->name,
			"NT id register reads 0x%08x, not the Virtual interface of NT%u", nt_id,
			c->nt);
		return -ENODEV;
	}
	return 0;
}

/* Only pairs of 64 bits are programmed below. */
static int
check_window_types(struct plx_chip *c)
{
	static const unsigned int bars[] = {PLX_WIN_DATA, PLX_WIN_REGS};
	unsigned int i;

	/* bridges and firmware may then merge, widen or repeat accesses to registers */
	if (plx_virt_read(c, PLX_BAR(0)) & PLX_BAR_PREF)
		NTB_LOG(WARNING, c->name,
			"BAR0, the registers, is prefetchable: clear that in the adapter's EEPROM "
			"(register 0x%x of the Virtual interface)",
			PLX_BAR0_SETUP);

	for (i = 0; i < RTE_DIM(bars); i++) {
		uint32_t bar = plx_virt_read(c, PLX_BAR(bars[i]));

		if (bars[i] == PLX_WIN_REGS && c->io->data_off != 0)
			continue;
		if ((bar & PLX_BAR_TYPE) == PLX_BAR_64BIT)
			continue;
		NTB_LOG(ERR, c->name,
			"BAR%u reads 0x%08x, a BAR of 32 bits: set its type to 64 bits in the "
			"adapter's EEPROM (registers 0x%x and 0x%x of the Virtual interface)",
			bars[i], bar, PLX_BAR_SETUP(bars[i]), PLX_BAR_SETUP(bars[i]) + 4);
		return -ENODEV;
	}
	return 0;
}

int
plx_chip_identify(struct plx_chip *c, struct plx_io *io, const char *name)
{
	uint32_t nt_config;
	int ret;

	*c = (struct plx_chip){
		.io = io,
		.name = name,
		.nt = io->nt_index,
		.virt = PLX_NT_VIRT(io->nt_index),
		.link = PLX_NT_LINK(io->nt_index),
		.peer = PLX_PEER_SLOT(io->nt_index) + PLX_NT_VIRT(io->nt_index),
	};
	ret = check_identity(c);
	if (ret < 0)
		return ret;

	c->part = plx_virt_read(c, PLX_SUBSYS_ID) >> 16;
	nt_config = plx_reg_read32(io, PLX_NT_CONFIG);
	c->port = PLX_NT_CONFIG_PORT(nt_config, c->nt);
	if (c->port > PLX_MAX_PORT) {
		NTB_LOG(ERR, name, "NT configuration 0x%08x names port %u; the last one is %u",
			nt_config, c->port, PLX_MAX_PORT);
		return -ENODEV;
	}
	find_alut(c, nt_config);

	c->window = io->ops->win_map(io, PLX_WIN_DATA, &c->window_size);
	if (c->window == NULL || c->window_size < PLX_WIN_MIN_SIZE ||
	    !rte_is_power_of_2(c->window_size >> 20)) {
		NTB_LOG(ERR, name,
			"BAR%d has %" PRIu64 " bytes; a window to the peer's memory is a power of "
			"two of 1 MiB or more",
			PLX_WIN_DATA, c->window_size);
		return -ENODEV;
	}
	return check_window_types(c);
}

/* Size of the BAR that the peer's window accesses hit. Nobody enumerates the cable, so it is as
 * small as the region allows: that asks for less alignment, of the region or of a slice of the
 * A-LUT, and bares less memory beyond the region. */
static uint64_t
inbound_bar_size(const struct plx_chip *c, uint64_t len)
{
	if (len >= c->window_size)
		return c->window_size;
	return RTE_MAX(rte_align64pow2(len), PLX_WIN_MIN_SIZE);
}

uint64_t
plx_chip_align(const struct plx_chip *c, uint64_t len)
{
	uint64_t bar = inbound_bar_size(c, len);

	return c->alut_entries == 0 ? bar : bar / c->alut_entries;
}

void
plx_chip_inbound(struct plx_chip *c, uint64_t iova, uint64_t len)
{
	c->iova = iova;
	c->len = RTE_MIN(len, c->window_size);
}

static void
program_alut(struct plx_chip *c)
{
	uint64_t slice = plx_chip_align(c, c->len);
	uint32_t perm = 0, last;
	unsigned int i;

	for (i = 0; i < c->alut_entries; i++) {
		uint64_t addr = c->iova + i * slice;

		perm = i * slice < c->len ? PLX_ALUT_READ | PLX_ALUT_WRITE : 0;
		if (perm == 0)
			addr = 0;
		plx_reg_write32(c->io, PLX_ALUT_LO(c->alut_array, i), (uint32_t)addr);
		plx_reg_write32(c->io, PLX_ALUT_HI(c->alut_array, i), (uint32_t)(addr >> 32));
		/* an entry works from the moment its permission is set: address first */
		rte_io_wmb();
		plx_reg_write32(c->io, PLX_ALUT_PERM(c->alut_array, i), perm);
	}
	/* the table is RAM behind a queue of its own: the read returns when the writes are in */
	last = plx_reg_read32(c->io, PLX_ALUT_PERM(c->alut_array, c->alut_entries - 1u));
	/* the other bits of the word have no meaning, and chips need not return zeros */
	if ((last & (PLX_ALUT_READ | PLX_ALUT_WRITE)) != perm)
		NTB_LOG(WARNING, c->name, "last A-LUT entry reads 0x%x, written 0x%x", last, perm);
}

static int
program_inbound(struct plx_chip *c)
{
	uint64_t size = c->len == 0 ? 0 : inbound_bar_size(c, c->len);
	uint64_t setup = size == 0 ? 0 : (~(size - 1)) | PLX_BAR_SETUP_64BIT_PREF;

	reg_write64_lh(c, c->link + PLX_BAR_SETUP(PLX_WIN_DATA), setup);
	reg_write64_lh(c, c->link + PLX_BAR(PLX_WIN_DATA),
		       PLX_SEGMENT_ADDR(PLX_WIN_DATA) + c->io->data_off);
	/* nothing but registers is offered in the address range of the other window */
	reg_write64_lh(c, c->link + PLX_BAR_SETUP(PLX_WIN_REGS), 0);

	if (c->alut_entries == 0) {
		if (c->alut_array != 0)
			plx_virt_write(c, PLX_ALUT_CTL, 0);
		reg_write64_lh(c, c->link + PLX_XLAT(PLX_WIN_DATA), c->iova);
		return plx_link_read(c, PLX_XLAT(PLX_WIN_DATA)) == (uint32_t)c->iova ? 0 : -EIO;
	}
	/* the table takes over; a translation that points nowhere shows where it does not */
	reg_write64_lh(c, c->link + PLX_XLAT(PLX_WIN_DATA), UINT64_MAX);
	plx_virt_write(c, PLX_ALUT_CTL, PLX_ALUT_CTL_ENABLE);
	program_alut(c);
	return 0;
}

enum {
	RID_DMA = 6,
	RID_LEARNED = 10,
	RIDS = 12, /* entries of the table in use */
};

/* Loads of a CPU come as the root port that the chip captured. Its stores do on some hosts; on
 * others they come as device 0 of the root bus, or as 0:0. */
void
plx_chip_requesters(struct plx_chip *c)
{
	const uint16_t captured = plx_virt_read(c, PLX_RID_CAPTURED) & PLX_RID_BUS_DEV;
	uint16_t ids[RIDS] = {
		PLX_RID_ENTRY(0, 0),
		captured | PLX_RID_ENABLE,
		/* copy engines of Intel hosts, which a program may point at the window */
		PLX_RID_ENTRY(0x00, 4),
		PLX_RID_ENTRY(0x40, 4),
		PLX_RID_ENTRY(0x80, 4),
		PLX_RID_ENTRY(0xc0, 4),
	};
	unsigned int i;

	if (c->io->dma_rid != 0)
		ids[RID_DMA] = (c->io->dma_rid & PLX_RID_BUS_DEV) | PLX_RID_ENABLE;
	if (captured >> 8 != 0)
		ids[RID_DMA + 1] = PLX_RID_ENTRY(captured >> 8, 0);
	if (c->io->root_rid != 0) {
		ids[RID_DMA + 2] = (c->io->root_rid & PLX_RID_BUS_DEV) | PLX_RID_ENABLE;
		ids[RID_DMA + 3] = PLX_RID_ENTRY(c->io->root_rid >> 8, 0);
	}
	if (c->learned != 0)
		ids[RID_LEARNED] = (c->learned & PLX_RID_BUS_DEV) | PLX_RID_ENABLE;
	for (i = 0; i < RIDS; i += 2)
		plx_virt_write(c, PLX_RID_LUT_VIRT + 2 * i, (uint32_t)ids[i + 1] << 16 | ids[i]);

	/* on the cable a request carries device = index of its entry in the sender's table */
	for (i = 0; i < PLX_RID_LUT_ENTRIES; i += 2)
		plx_link_write(c, PLX_RID_LUT_LINK + 2 * i,
			       PLX_RID_ENTRY(0u, i + 1) << 16 | PLX_RID_ENTRY(0u, i));
}

/* Nobody enumerates the cable, so its interface keeps the smallest payload after each link loss,
 * while a DMA engine on the host's side may send as much as the host allows. */
static void
program_payload(struct plx_chip *c)
{
	uint32_t host = plx_virt_read(c, PLX_DEVCTL) & PLX_DEVCTL_PAYLOAD;
	uint32_t ctl = plx_link_read(c, PLX_DEVCTL) & PLX_DEVCTL_CONTROL & ~PLX_DEVCTL_PAYLOAD;

	plx_link_write(c, PLX_DEVCTL, ctl | host);
}

/* Where on the cable the registers of the chip are: as FreeBSD's driver has it, also for adapters
 * with BAR2 alone. */
static void
offer_registers(struct plx_chip *c)
{
	unsigned int slot = c->io->skips & PLX_SKIP_FIND ? 0 : c->nt;
	uint64_t at = PLX_SEGMENT_ADDR(c->io->data_off == 0 ? PLX_WIN_REGS : PLX_WIN_DATA);

	reg_write64_lh(c, c->link + PLX_BAR(0), (at + PLX_PEER_SLOT(slot)) | PLX_BAR_64BIT);
}

int
plx_chip_program(struct plx_chip *c, bool open)
{
	int ret;

	plx_chip_shut(c);
	plx_virt_write(c, PLX_LINK_EVENT_MASK, PLX_LINK_EVENT_ALL); /* polled, no interrupt */

	plx_link_write(c, PLX_BAR0_SETUP, PLX_BAR0_SETUP_64BIT);
	offer_registers(c);

	reg_write64_lh(c, c->virt + PLX_XLAT(PLX_WIN_DATA), PLX_SEGMENT_ADDR(PLX_WIN_DATA));
	if (c->io->data_off == 0)
		reg_write64_lh(c, c->virt + PLX_XLAT(PLX_WIN_REGS), PLX_SEGMENT_ADDR(PLX_WIN_REGS));
	if (c->alut_array != 0)
		plx_link_write(c, PLX_ALUT_CTL, 0); /* outgoing requests keep one offset */

	plx_chip_requesters(c);
	program_payload(c);
	ret = program_inbound(c);
	if (ret == 0 && open)
		plx_link_write(c, PLX_CMD, PLX_CMD_MEM | PLX_CMD_MASTER);
	plx_io_sync(c->io);
	return ret;
}

bool
plx_chip_is_open(struct plx_chip *c)
{
	const uint32_t want = PLX_CMD_MEM | PLX_CMD_MASTER;
	uint32_t cmd = plx_link_read(c, PLX_CMD);

	return cmd != PLX_GONE && (cmd & want) == want;
}

void
plx_chip_shut(struct plx_chip *c)
{
	plx_link_write(c, PLX_CMD, 0);
}

void
plx_chip_link_enable(struct plx_chip *c, bool on)
{
	const uint32_t bit = PLX_PORT_CTL_DISABLE(c->port);
	unsigned int tries = 0;
	uint32_t ctl;

	/* programs of other ports of the station change the register too, without a common lock */
	do {
		ctl = plx_reg_read32(c->io, PLX_PORT_CTL(c->port));
		plx_reg_write32(c->io, PLX_PORT_CTL(c->port), on ? ctl & ~bit : ctl | bit);
	} while (plx_chip_is_disabled(c) == on && ++tries < LINK_TRIES);
}

bool
plx_chip_is_disabled(struct plx_chip *c)
{
	return plx_reg_read32(c->io, PLX_PORT_CTL(c->port)) & PLX_PORT_CTL_DISABLE(c->port);
}

void
plx_chip_link_state(struct plx_chip *c, struct plx_link_state *ret)
{
	uint32_t event = plx_virt_read(c, PLX_LINK_EVENT);
	uint32_t sta = plx_virt_read(c, PLX_LNKSTA);

	ret->gone = event == PLX_GONE || sta == PLX_GONE;
	ret->changed = !ret->gone && (event & PLX_LINK_EVENT_CHANGE);
	ret->speed = ret->gone ? 0 : PLX_LNKSTA_SPEED(sta);
	ret->width = ret->gone ? 0 : PLX_LNKSTA_WIDTH(sta);
}

void
plx_chip_link_ack(struct plx_chip *c)
{
	plx_virt_write(c, PLX_LINK_EVENT, PLX_LINK_EVENT_CHANGE);
}
