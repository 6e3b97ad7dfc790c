/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Values of the registers after power-on (serial EEPROM loaded) and after a link loss. */

#include <errno.h>

#include "plxm_chip.h"

#define VENDOR 0x10B5u
#define REVISION 0xCAu
#define REVISION_DRACO_1 0xAAu /* first generation of the family: the 8732 */
#define BAR_MIN (1ull << 20)   /* low 20 bits of a size mask read as zero */
#define BAR_MAX (1ull << 40)

void
plxm_eeprom_default(struct plxm_eeprom *e, uint64_t bar2_size)
{
	*e = (struct plxm_eeprom){
		.chip = 0x8749,
		.nt_index = 0,
		.port = 8,
		.bar2_size = bar2_size,
		.bar4_size = BAR_MIN,
		.host_rid = 0x0018, /* 00:03.0, a root port */
		.store_rid = 0x0018,
	};
}

/* Ports of a part: station * 8 + 0..5, or 0..3 on the first generation. 0 = not a known part. */
uint32_t
plxm_port_mask(uint16_t chip)
{
	switch (chip) {
	case 0x8749:
	case 0x8733:
		return 0x3F3F3F;
	case 0x8725:
	case 0x8717:
	case 0x8713:
		return 0x3F3F;
	case 0x8732:
		return 0x0F0F;
	default:
		return 0;
	}
}

bool
plxm_has_alut(const struct plxm_chip *chip)
{
	return chip->eeprom.chip != 0x8732;
}

static bool
window_size_ok(uint64_t size)
{
	return size >= BAR_MIN && size <= BAR_MAX && (size & (size - 1)) == 0;
}

int
plxm_eeprom_check(const struct plxm_eeprom *e, bool both)
{
	uint32_t ports = plxm_port_mask(e->chip);

	if (both && (e->chip == 0x8732 || !(ports >> (e->port + 1) & 1)))
		return -EINVAL;

	/* port 0 is the upstream port */
	if (e->port == 0 || e->port >= HW_PORTS || !(ports >> e->port & 1))
		return -EINVAL;
	if (e->nt_index > (e->chip == 0x8732 ? 0 : 1))
		return -EINVAL;
	if (!window_size_ok(e->bar2_size) || (e->bar4_size != 0 && !window_size_ok(e->bar4_size)))
		return -EINVAL;
	return 0;
}

/* Where a chip has both NT ports, they are neighbours. */
uint32_t
plxm_nt_port(const struct plxm_chip *chip, unsigned int index)
{
	return (chip->eeprom.port + (chip->nts == 3 ? index : 0)) & 0x1F;
}

bool
plxm_eeprom_same(const struct plxm_eeprom *a, const struct plxm_eeprom *b)
{
	return a->chip == b->chip && a->nt_index == b->nt_index && a->port == b->port &&
	       a->bar2_size == b->bar2_size && a->bar4_size == b->bar4_size &&
	       a->host_rid == b->host_rid && a->store_rid == b->store_rid;
}

static uint32_t
chip_revision(const struct plxm_chip *chip)
{
	return chip->eeprom.chip == 0x8732 ? REVISION_DRACO_1 : REVISION;
}

static void
reset_caps(struct plxm_chip *chip, uint32_t base)
{
	uint32_t port = plxm_nt_port(chip, plxm_side_at(chip, base).index);

	plxm_put(chip, base + HW_CAP_PTR, HW_PM);
	plxm_put(chip, base + HW_PM, 0x00030001 | HW_PCIE << 8); /* no driver uses MSI */
	plxm_put(chip, base + HW_PCIE, 0x00020010);
	plxm_put(chip, base + HW_DEVCAP, 0x00008004); /* payload up to 2048 bytes */
	plxm_put(chip, base + HW_DEVCTL, 0x2810);
	plxm_put(chip, base + HW_LNKCAP, HW_SPEED | HW_WIDTH << 4 | port << 24);
	plxm_put(chip, base + HW_LNKCTL2, HW_SPEED);
}

static void
reset_setup(struct plxm_chip *chip, uint32_t base)
{
	uint64_t size[2] = {chip->eeprom.bar2_size, chip->eeprom.bar4_size};

	plxm_put(chip, base + HW_BAR0_SETUP, 2);
	for (uint32_t i = 0; i < 2; i++) {
		uint64_t mask = size[i] != 0 ? -size[i] | 0xC : 0; /* 64-bit, prefetchable */

		plxm_put(chip, base + HW_BAR2_SETUP + i * 8, (uint32_t)mask);
		plxm_put(chip, base + HW_BAR2_SETUP + i * 8 + 4, (uint32_t)(mask >> 32));
	}
}

static void
reset_block(const struct plxm_side *s, bool link)
{
	struct plxm_chip *chip = s->chip;
	const struct plxm_eeprom *e = &chip->eeprom;
	uint32_t base = s->base + (link ? HW_NT_LINK : 0);
	uint32_t id = (link ? 0x87A0u : 0x87B0u) + s->index;

	for (uint32_t r = 0; r < 0x1000; r += 4)
		plxm_put(chip, base + r, 0);
	plxm_put(chip, base, id << 16 | VENDOR);
	plxm_put(chip, base + HW_CMD, 1u << 20); /* capability list */
	plxm_put(chip, base + HW_CLASS, 0x06800000 | chip_revision(chip));
	plxm_put(chip, base + HW_SUBSYS, (uint32_t)e->chip << 16 | VENDOR);
	plxm_put(chip, base + HW_INT, 0x0100);
	reset_caps(chip, base);
	reset_setup(chip, base);
	/* the first generation has no such register, and reads as 0 there */
	if (e->chip != 0x8732)
		plxm_put(chip, base + HW_NT_ID, s->index | (link ? 1u << 31 : 0));
	plxm_put(chip, base + HW_RID, e->host_rid);
	if (!link)
		plxm_put(chip, base + HW_LINK_ERR_MASK, 0xF);
}

static void
reset_ports(struct plxm_chip *chip)
{
	const struct plxm_eeprom *e = &chip->eeprom;
	uint32_t ports = plxm_port_mask(e->chip);
	uint32_t conf = 0;

	for (uint32_t port = 0; port < HW_PORTS; port++) {
		uint32_t base = port << 12;

		if (!(ports >> port & 1))
			continue;
		plxm_put(chip, base, (uint32_t)e->chip << 16 | VENDOR);
		plxm_put(chip, base + HW_CMD, 1u << 20);
		plxm_put(chip, base + HW_CLASS, 0x06040000 | chip_revision(chip));
		plxm_put(chip, base + HW_HEADER, 0x00010000);
	}
	plxm_put(chip, HW_VS_ENABLE, 1);
	if (chip->nts & 1)
		conf |= plxm_nt_port(chip, 0) << 8 | 1u << 13;
	if (chip->nts & 2)
		conf |= plxm_nt_port(chip, 1) << 16 | 1u << 21;
	if (plxm_has_alut(chip))
		conf |= 3u << 30; /* 128 entries for either NT port */
	plxm_put(chip, HW_NT_CONFIG, conf);
}

/* Of one NT port, with what it counted. */
void
plxm_reset_nt(const struct plxm_side *s)
{
	struct plxm_nt *nt = s->nt;

	for (unsigned int side = 0; side < 2; side++) {
		atomic_store(&nt->db[side].pending, 0);
		atomic_store(&nt->db[side].mask, HW_DB_BITS);
	}
	for (unsigned int i = 0; i < 8; i++)
		atomic_store(&nt->spad[i], 0);
	atomic_store(&nt->db_drop, 0);
	atomic_store(&nt->count.link_downs, 0);
	for (unsigned int i = 0; i < PLXM_CAUSES; i++)
		atomic_store(&nt->count.ur[i], 0);
	reset_block(s, false);
	reset_block(s, true);
}

/* Power-on with chip->eeprom loaded. */
void
plxm_power_on(struct plxm_chip *chip)
{
	for (uint32_t off = 0; off < PLXM_BAR0_SIZE; off += 4) {
		if (plxm_get(chip, off) != 0) /* leaves untouched pages of the file sparse */
			plxm_put(chip, off, 0);
	}
	reset_ports(chip);
	for (unsigned int index = 0; index < PLXM_NTS; index++) {
		struct plxm_side s = plxm_side(chip, index);

		if (chip->nts >> index & 1)
			plxm_reset_nt(&s);
	}
}

/* Loss of the link takes the whole link block with it. The A-LUT arrays do not belong to it. */
void
plxm_reset_link(const struct plxm_side *s)
{
	reset_block(s, true);
}
