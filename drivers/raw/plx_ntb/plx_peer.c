/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <rte_common.h>
#include <rte_cycles.h>
#include <rte_random.h>

#include "plx_chip.h"
#include "plx_log.h"

/* All accesses here go through the register window. */

/* The address at which a Link interface of the peer's chip offers registers. It may be programmed
 * or reset meanwhile, because its own cable may be another one: NT1's lower half before and its
 * higher half after that are the address of slot 0. The lower half is written first, so the higher
 * one is read before it, and after it once more for a reset. */
static bool
offers_at(struct plx_chip *c, uint32_t bar, uint64_t want)
{
	return plx_peer_read32(c->io, bar + 4) == (uint32_t)(want >> 32) &&
	       (plx_peer_read32(c->io, bar) & PLX_BAR_ADDR_LO) == (uint32_t)want &&
	       plx_peer_read32(c->io, bar + 4) == (uint32_t)(want >> 32);
}

/* Does NT @p nt of the peer's chip show itself in the registers that are offered at @p slot? */
static bool
peer_answers(struct plx_chip *c, unsigned int slot, unsigned int nt)
{
	uint32_t id = plx_peer_read32(c->io, PLX_PEER_SLOT(slot) + PLX_NT_VIRT(nt) + PLX_ID);

	return id == ((uint32_t)(PLX_DEV_NT_VIRT + nt) << 16 | PLX_VENDOR_ID);
}

static bool
offers_at_slot_0(struct plx_chip *c, unsigned int nt)
{
	return offers_at(c, PLX_NT_LINK(nt) + PLX_BAR(0), plx_segment_regs(c));
}

static bool
take_peer(struct plx_chip *c, unsigned int slot, unsigned int nt)
{
	c->unsure = 0;
	__atomic_store_n(&c->peer, PLX_PEER_SLOT(slot) + PLX_NT_VIRT(nt), __ATOMIC_RELAXED);
	/* a driver that offers NT1 at slot 0 looks for its peer there, too */
	if (slot == 0 && nt != 0 && c->nt != 0 && c->slot != 0) {
		plx_chip_offer(c, 0);
		c->io->ops->sync(c->io);
	}
	return true;
}

/* Both ports of the peer's chip show themselves at slot 0, to an NT1. At the other end is NT0 of
 * this driver, or NT1 of one that offers it there. */
static bool
tell_apart(struct plx_chip *c)
{
	const uint32_t bar = PLX_NT_LINK(0) + PLX_BAR(0);

	if (offers_at_slot_0(c, 1))
		return take_peer(c, 0, 1);
	if (offers_at_slot_0(c, 0))
		return take_peer(c, 0, 0);
	if (c->unsure == 0)
		c->unsure = rte_rdtsc();
	plx_chip_because(c, PLX_WHY_WHICH, bar);
	if (rte_rdtsc() - c->unsure < rte_get_tsc_hz())
		return false;
	plx_chip_because(c, PLX_WHY_GUESSED, bar);
	return take_peer(c, 0, 0);
}

/* Only the port at this end of the cable answers. So the address alone says which it is: NT1 of
 * this driver at slot 1, and to an NT0 the one at slot 0. */
bool
plx_chip_peer_find(struct plx_chip *c)
{
	bool find = !(c->io->skips & PLX_SKIP_FIND), like, other;

	c->reason.why = PLX_WHY_NONE;
	if (find && peer_answers(c, 1, 1))
		return take_peer(c, 1, 1);
	like = peer_answers(c, 0, c->nt);
	other = find && peer_answers(c, 0, !c->nt);
	if (like && other && c->nt != 0)
		return tell_apart(c);
	if (like || other)
		return take_peer(c, 0, like ? c->nt : !c->nt);
	c->unsure = 0;
	plx_chip_because(c, PLX_WHY_NOBODY, PLX_NT_VIRT(c->nt) + PLX_ID);
	return false;
}

/* A chip shows the registers of both its ports through either, so this one's would answer there.
 * The masks of the Link side's doorbells have no other use; the peer uses one bit more for its
 * proof. */
bool
plx_chip_peer_is_own(struct plx_chip *c)
{
	const uint32_t bits = PLX_DB_BITS >> 1, own = PLX_NT_VIRT(c->nt) + PLX_LINK_DB_MASK_SET;
	const uint32_t slot = plx_peer_virt(c, 0) & ~(PLX_CHIP_SIZE - 1);
	uint32_t token = (uint32_t)rte_rand() & bits;
	unsigned int i;
	bool same = true;

	/* another chip may hold the token by chance, but not its complement next */
	for (i = 0; i < 2 && same; i++, token ^= bits) {
		plx_virt_write(c, PLX_LINK_DB_MASK_CLEAR, bits & ~token);
		plx_virt_write(c, PLX_LINK_DB_MASK_SET, token);
		same = (plx_peer_read32(c->io, slot + own) & bits) == token;
	}
	plx_virt_write(c, PLX_LINK_DB_MASK_SET, bits);
	return same;
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
		c->io->ops->sync(c->io);
		PLX_LOG(NOTICE, c->name, "stores come with requester id %02x:%02x.%x: let in",
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
	PLX_LOG(WARNING, c->name,
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
