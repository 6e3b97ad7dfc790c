/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "plx_chip.h"
#include "ntb_log.h"

/* All accesses here go through the register window. */

/* Does NT @p nt of the peer's chip show itself in the registers that are offered at @p slot? */
static bool
peer_answers(struct plx_chip *c, unsigned int slot, unsigned int nt)
{
	uint32_t id = plx_peer_read32(c->io, PLX_PEER_SLOT(slot) + PLX_NT_VIRT(nt) + PLX_ID);

	return id == ((uint32_t)(PLX_DEV_NT_VIRT + nt) << 16 | PLX_VENDOR_ID);
}

/* Only the port at this end of the cable answers, and offers registers at a slot of its own. So the
 * address alone says which it is; with find=0 it is the like one, at slot 0. */
bool
plx_chip_peer_find(struct plx_chip *c)
{
	bool find = !(c->io->skips & PLX_SKIP_FIND);
	unsigned int slot = find && peer_answers(c, 1, 1), nt = find ? slot : c->nt;

	c->reason.why = PLX_WHY_NONE;
	if (slot == 0 && !peer_answers(c, 0, nt)) {
		plx_chip_because(c, PLX_WHY_NOBODY, PLX_NT_VIRT(nt) + PLX_ID);
		return false;
	}
	__atomic_store_n(&c->peer, PLX_PEER_SLOT(slot) + PLX_NT_VIRT(nt), __ATOMIC_RELAXED);
	return true;
}

static bool
store_arrives(struct plx_chip *c)
{
	const uint32_t bit = 1u << (PLX_DB_COUNT - 1);
	uint32_t clear, set;

	plx_peer_write32(c->io, plx_peer_virt(c, PLX_LINK_DB_MASK_CLEAR), bit);
	clear = plx_peer_read32(c->io, plx_peer_virt(c, PLX_LINK_DB_MASK_SET));
	plx_peer_write32(c->io, plx_peer_virt(c, PLX_LINK_DB_MASK_SET), bit);
	set = plx_peer_read32(c->io, plx_peer_virt(c, PLX_LINK_DB_MASK_SET));
	return !(clear & bit) && (set & bit);
}

/* The requester id of a store that the own chip refuses, from the log of its error; 0: none. */
static uint16_t
refused_requester(struct plx_chip *c)
{
	const uint32_t mask = plx_virt_read(c, PLX_AER_MASK);
	uint32_t dw0 = 0, dw1 = 0;

	/* the log holds the first error that is not masked since all status was clear; a link that
	 * was lost leaves one, too */
	plx_virt_write(c, PLX_AER_MASK, mask & ~PLX_AER_UR);
	plx_virt_write(c, PLX_AER_UNCORR, plx_virt_read(c, PLX_AER_UNCORR));
	if (!store_arrives(c) && (plx_virt_read(c, PLX_AER_UNCORR) & PLX_AER_UR) &&
	    PLX_AER_FIRST(plx_virt_read(c, PLX_AER_CTL)) == PLX_AER_UR_BIT) {
		dw0 = plx_virt_read(c, PLX_AER_HEADER);
		dw1 = plx_virt_read(c, PLX_AER_HEADER + 4);
	}
	plx_virt_write(c, PLX_AER_UNCORR, PLX_AER_UR);
	plx_virt_write(c, PLX_AER_MASK, mask);
	return PLX_TLP_IS_MEM_WRITE(dw0) ? (uint16_t)(dw1 >> 16) : 0;
}

void
plx_chip_prove_stores(struct plx_chip *c)
{
	uint16_t id;

	if (store_arrives(c))
		return;
	id = refused_requester(c);
	if (id != 0 && c->learned != id) {
		c->learned = id;
		plx_chip_requesters(c);
		plx_io_sync(c->io);
		NTB_LOG(NOTICE, c->name, "stores come with requester id %02x:%02x.%x: let in",
			id >> 8, id >> 3 & 0x1f, id & 7);
		if (store_arrives(c))
			return;
	}
	plx_chip_because(c, PLX_WHY_STORES, plx_peer_virt(c, PLX_LINK_DB_MASK_SET));
}

void
plx_chip_payload_check(struct plx_chip *c)
{
	unsigned int mine = PLX_PAYLOAD(plx_virt_read(c, PLX_DEVCTL));
	unsigned int peer = PLX_PAYLOAD(plx_peer_read32(c->io, plx_peer_virt(c, PLX_DEVCTL)));

	if (mine <= peer)
		return;
	NTB_LOG(WARNING, c->name,
		"packets of this host have up to %u bytes, the peer's host takes %u: stores of a "
		"DMA engine may be lost; boot both with pci=pcie_bus_peer2peer",
		mine, peer);
}

bool
plx_chip_peer_answers(struct plx_chip *c)
{
	uint32_t id = plx_peer_read32(c->io, plx_peer_virt(c, PLX_ID));

	return (id & 0xfffeffff) == ((uint32_t)PLX_DEV_NT_VIRT << 16 | PLX_VENDOR_ID);
}

bool
plx_chip_peer_takes(struct plx_chip *c)
{
	uint32_t cmd = plx_peer_read32(c->io, plx_peer_virt(c, PLX_CMD));

	return cmd != PLX_GONE && (cmd & PLX_CMD_MASTER) && plx_chip_peer_answers(c);
}
