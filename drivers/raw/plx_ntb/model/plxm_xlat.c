/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* The way of a request from this host's CPU to the peer: own virtual side, cable, peer's link
 * side, peer's memory or registers. Registers are read as they are now; a change bumps the
 * cable's generation afterwards, so that whatever was derived here is derived again. */

#include "plxm_chip.h"
#include "plxm_path.h"

static uint32_t
command_bits(const struct plxm_chip *chip, uint32_t base)
{
	if ((plxm_get(chip, base + HW_PMCSR) & 3) != 0)
		return 0; /* only D0 takes or makes memory requests */
	return plxm_get(chip, base + HW_CMD);
}

/* Index of the enabled entry for this bus and device (the function is not compared), or -1. */
static int
lut_find(const struct plxm_chip *chip, uint32_t lut, uint16_t rid)
{
	for (uint32_t i = 0; i < HW_LUT_ENTRIES; i++) {
		uint32_t entry = plxm_get(chip, lut + i / 2 * 4) >> (i % 2 * 16);

		if ((entry & 1) && ((entry ^ rid) & 0xFFF8) == 0)
			return (int)i;
	}
	return -1;
}

/* Entries are 128 for either NT port, or 256 for the only one that has its A-LUT enabled. */
static uint32_t
alut_pages(const struct plxm_chip *chip, unsigned int index)
{
	uint32_t mode = plxm_get(chip, HW_NT_CONFIG) >> 30;

	if (!plxm_has_alut(chip) || !(mode >> index & 1))
		return 0;
	return mode == 3 ? 1 : 2;
}

static void
limit_run(struct plxm_route *rt, uint64_t run)
{
	if (run < rt->run)
		rt->run = run;
}

/* rt->addr: offset into @p bar in, address on the other side out. @p base is the block on the
 * ingress side, which holds the translation; the A-LUT switch is in the block of the other. */
static bool
translate_addr(const struct plxm_chip *chip, uint32_t base, unsigned int n, uint32_t perm,
	       struct plxm_route *rt)
{
	unsigned int index = base < HW_NT0_VIRTUAL;
	uint32_t dir = (base & HW_NT_LINK) != 0, m = alut_pages(chip, index);
	uint32_t gate = plxm_get(chip, (base ^ HW_NT_LINK) + HW_ALUT_CTL);
	uint32_t reg = base + HW_XLAT + (n - 2) * 4, entry;
	uint64_t size, seg, i, to;
	struct plxm_bar bar;

	if (!plxm_bar_get(chip, base, n, &bar))
		return false;
	size = -bar.mask;
	if (n != 2 || m == 0 || !(gate & HW_ALUT_ON)) {
		to = (uint64_t)plxm_get(chip, reg + 4) << 32 | plxm_get(chip, reg);
		rt->addr = (to & bar.mask) | (rt->addr & ~bar.mask);
		return true;
	}
	seg = size / (128 * m);
	i = (rt->addr & ~bar.mask) / seg;
	limit_run(rt, seg - rt->addr % seg);
	entry = HW_ALUT_BASE + 0x1000 * m * (dir + (m == 1 ? 2u * index : 0));
	entry += 0x1000 * (uint32_t)(i / 128) + (uint32_t)(i % 128) * 4;
	if ((plxm_get(chip, entry + HW_ALUT_PERM) & perm) != perm)
		return false;
	to = (uint64_t)plxm_get(chip, entry + HW_ALUT_HIGH) << 32 | plxm_get(chip, entry);
	rt->addr = (to & -seg) | rt->addr % seg;
	return true;
}

/* Link BAR that takes rt->addr; rt->addr becomes the offset into it. -1 = none. */
static int
link_bar(const struct plxm_chip *chip, uint32_t base, struct plxm_route *rt)
{
	uint64_t addr = rt->addr;
	int hit = -1;

	for (unsigned int n = 0; n <= 4; n += 2) {
		struct plxm_bar bar;

		if (!plxm_bar_get(chip, base, n, &bar))
			continue;
		if (hit < 0 && (addr & bar.mask) == bar.addr) {
			hit = (int)n;
			rt->addr = addr & ~bar.mask;
			limit_run(rt, -bar.mask - rt->addr);
		} else if (bar.addr > addr) {
			/* the answer holds up to where another BAR begins */
			limit_run(rt, bar.addr - addr);
		}
	}
	return hit;
}

static bool
dram_find(struct plxm_port *p, struct plxm_route *rt)
{
	uint64_t addr = rt->addr;
	bool hit = false;

	for (unsigned int i = 0; i < PLXM_DRAM_RANGES; i++) {
		const struct plxm_peer_dram *d = &p->dram[i];

		if (d->va == NULL)
			continue;
		if (addr >= d->id.bus && addr - d->id.bus < d->id.len) {
			hit = true;
			rt->dram = i;
			rt->addr = addr - d->id.bus;
			limit_run(rt, d->id.len - rt->addr);
		} else if (d->id.bus > addr) {
			limit_run(rt, d->id.bus - addr);
		}
	}
	return hit;
}

/* The peer's half: the cable segment has bus 0, and the requester's entry in the LUT it came
 * through is its device number there. */
static void
route_in(struct plxm_port *p, uint32_t perm, struct plxm_route *rt)
{
	struct plxm_side far = plxm_far(p);
	const struct plxm_chip *peer = far.chip;
	uint32_t nt = far.base, lnk = nt + HW_NT_LINK;
	int bar;

	rt->at_peer = true;
	rt->cause = PLXM_UR_BAR;
	if (!(command_bits(peer, lnk) & HW_CMD_MEM))
		return;
	bar = link_bar(peer, lnk, rt);
	if (bar < 0)
		return;
	rt->cause = PLXM_UR_RID;
	if (lut_find(peer, lnk + HW_LLUT, rt->rid) < 0)
		return;
	if (bar == 0) {
		rt->kind = PLXM_TO_REGS;
		return;
	}
	rt->cause = PLXM_UR_ALUT;
	if (!translate_addr(peer, lnk, (unsigned int)bar, perm, rt))
		return;
	rt->cause = PLXM_UR_BAR;
	if (!(command_bits(peer, nt) & HW_CMD_MASTER))
		return;
	rt->cause = PLXM_UR_DRAM;
	if (dram_find(p, rt))
		rt->kind = PLXM_TO_MEMORY;
}

void
plxm_route(struct plxm_port *p, unsigned int bar, uint64_t off, uint32_t perm,
	   struct plxm_route *rt)
{
	const struct plxm_eeprom *e = &p->me.chip->eeprom;

	if (perm & HW_PERM_WRITE) {
		plxm_route_as(p, bar, off, perm, e->store_rid, rt);
		if (rt->kind == PLXM_TO_NOTHING || !(perm & HW_PERM_READ))
			return;
	}
	if (!(perm & HW_PERM_WRITE) || e->host_rid != e->store_rid)
		plxm_route_as(p, bar, off, perm, e->host_rid, rt);
}

void
plxm_route_as(struct plxm_port *p, unsigned int bar, uint64_t off, uint32_t perm, uint16_t rid,
	      struct plxm_route *rt)
{
	const struct plxm_chip *chip = p->me.chip;
	uint32_t nt = p->me.base, lnk = nt + HW_NT_LINK;
	uint64_t size = plxm_win_size(p, bar);
	struct plxm_bar b;
	int dev;

	*rt = (struct plxm_route){.kind = PLXM_TO_NOTHING, .cause = PLXM_UR_BAR, .addr = off};
	rt->run = off < size ? size - off : 1;
	rt->rid = rid;
	if (!(command_bits(chip, nt) & HW_CMD_MEM))
		return;
	if (!plxm_bar_get(chip, nt, bar, &b) || off >= -b.mask || off >= size)
		return;
	limit_run(rt, -b.mask - off);
	rt->tlp = b.addr + off;
	rt->cause = PLXM_UR_RID;
	dev = lut_find(chip, nt + HW_VLUT, rt->rid);
	if (dev < 0)
		return;
	rt->cause = PLXM_UR_ALUT;
	if (!translate_addr(chip, nt, bar, perm, rt))
		return;
	rt->cause = PLXM_UR_LINK;
	if (!atomic_load_explicit(&p->cable->link[p->end], memory_order_relaxed))
		return;
	rt->cause = PLXM_UR_BAR;
	if (!(command_bits(chip, lnk) & HW_CMD_MASTER))
		return;
	rt->rid = (uint16_t)(dev << 3 | (rt->rid & 7));
	rt->tlp = rt->addr;
	route_in(p, perm, rt);
}

/* An unsupported request: counted with the requester, reported by the interface that refused.
 * The log keeps the first error of any kind, until software clears all of the status. */
void
plxm_refuse(struct plxm_port *p, const struct plxm_route *rt, bool write, size_t len)
{
	struct plxm_side s = rt->at_peer ? plxm_far(p) : p->me;
	uint32_t base = rt->at_peer ? s.base + HW_NT_LINK : s.base;
	struct plxm_chip *chip = s.chip;
	uint32_t bit = rt->cause == PLXM_MALFORMED ? HW_AER_MALFORMED : HW_AER_UR;
	uint32_t status, mask, dwords = (uint32_t)((len + 3) / 4) & 0x3FF;

	atomic_fetch_add_explicit(&p->me.nt->count.ur[rt->cause], 1, memory_order_relaxed);
	plxm_lock(&p->rig, chip);
	status = plxm_get(chip, base + HW_AER_UNCORR);
	mask = plxm_get(chip, base + HW_AER_UNCORR_MASK);
	if ((status & ~mask) == 0 && !(mask & bit)) {
		plxm_put(chip, base + HW_AER_CTL, (uint32_t)__builtin_ctz(bit));
		plxm_put(chip, base + HW_AER_HDR, (write ? 0x60000000 : 0x20000000) | dwords);
		plxm_put(chip, base + HW_AER_HDR + 4, (uint32_t)rt->rid << 16 | 0xFF);
		plxm_put(chip, base + HW_AER_HDR + 8, (uint32_t)(rt->tlp >> 32));
		plxm_put(chip, base + HW_AER_HDR + 12, (uint32_t)rt->tlp & ~3u);
	}
	plxm_put(chip, base + HW_AER_UNCORR, status | bit);
	if (bit == HW_AER_UR)
		plxm_put(chip, base + HW_DEVCTL, plxm_get(chip, base + HW_DEVCTL) | HW_DEVSTA_UR);
	plxm_link_error(&s, HW_LINK_ERR_UNCORR);
	plxm_unlock(&p->rig);
}
