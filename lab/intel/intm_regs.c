/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* The registers of BAR0. */

#include <string.h>

#include "intm_link.h"

enum kind {
	RW,
	RO,
	W1C,
	LINK,	/* a change may open or close the link */
	WINDOW, /* a change moves what the peer's window shows */
	DOORBELL,
	PEER_SPAD,
	STATE, /* of the link */
	TABLE, /* of MSI-X */
};

/* A register, or several of a size one after the other. */
struct reg {
	uint32_t at;
	uint8_t size, count;
	uint8_t kind;
	uint16_t field; /* in struct intm_end */
};

#define R(at, size, count, kind, name) at, size, count, kind, offsetof(struct intm_end, name)

static const struct reg both[] = {
	{R(0x0000, 4, 1, LINK, ctl)},
	{R(0x0010, 8, 1, WINDOW, base[0])},
	{R(0x0018, 8, 1, WINDOW, limit[0])},
	{R(0x0020, 8, 1, WINDOW, base[1])},
	{R(0x0028, 8, 1, WINDOW, limit[1])},
	{R(0x0040, 8, 1, W1C, status)},
	{R(0x0048, 8, 1, RW, disable)},
	{R(0x0080, 4, INTM_SPADS, RW, spad)},
	{R(0x0100, 4, INTM_DOORBELLS, DOORBELL, word)},
	{R(INTM_MSIX_TABLE, 16, INTM_VECTORS, TABLE, msix)},
	{R(INTM_MSIX_PENDING, 8, 1, RO, due)},
};

static const struct reg gen3[] = {
	{R(0x00d0, 1, INTM_DOORBELLS + 1, RW, vector)},
	{R(0x0180, 4, INTM_SPADS, PEER_SPAD, spad)},
	{R(0x4010, 8, 1, RW, out_base[0])},
	{R(0x4018, 8, 1, WINDOW, em_limit[0])},
	{R(0x4020, 8, 1, RW, out_base[1])},
	{R(0x4028, 8, 1, WINDOW, em_limit[1])},
	{R(0x4504, 2, 1, WINDOW, link_cmd)},
	{R(0x4510, 8, 1 + INTM_WINDOWS, RW, em_bar)},
};

static const struct reg gen4[] = {
	{R(0x0050, 1, INTM_DOORBELLS + 1, RW, vector)},
	{R(0x0074, 2, INTM_WINDOWS, WINDOW, base_bits)},
	{R(0x8080, 4, INTM_SPADS, PEER_SPAD, spad)},
	{R(0xb050, 2, 1, LINK, link_ctrl)},
	{R(0xb052, 2, 1, STATE, link_ctrl)},
	{R(0xb05a, 2, 1, W1C, slot)},
	{R(0xb0d4, 4, 1, LINK, ppd0)},
	{R(0xb4c0, 4, 1, RO, ppd1)},
};

static const struct reg *
find_in(const struct reg *regs, size_t n, uint32_t off, unsigned int len)
{
	size_t i;

	for (i = 0; i < n; i++) {
		const struct reg *r = &regs[i];

		if (off >= r->at && off < r->at + r->size * r->count &&
		    (off - r->at) % r->size + len <= r->size)
			return r;
	}
	return NULL;
}

static const struct reg *
find_register(const struct intm_end *end, uint32_t off, unsigned int len)
{
	const struct reg *r = find_in(both, sizeof(both) / sizeof(both[0]), off, len);

	if (r != NULL)
		return r;
	return end->gen == 3 ? find_in(gen3, sizeof(gen3) / sizeof(gen3[0]), off, len)
			     : find_in(gen4, sizeof(gen4) / sizeof(gen4[0]), off, len);
}

static uint64_t
mask_of(unsigned int len)
{
	return len >= 8 ? UINT64_MAX : (1ull << 8 * len) - 1;
}

/* Little endian, as the machine: a part of a register is its bytes. */
static uint8_t *
bytes_at(struct intm_end *end, const struct reg *r, uint32_t off)
{
	return (uint8_t *)end + r->field + (off - r->at);
}

uint64_t
intm_reg_read(struct intm_port *port, uint32_t off, unsigned int len)
{
	const struct reg *r = find_register(intm_own(port), off, len);
	uint64_t v = 0;
	uint16_t link;

	if (r == NULL || r->kind == DOORBELL)
		return 0;
	intm_lock(port->cable);
	link = intm_link_status(port->cable);
	if (r->kind == STATE)
		memcpy(&v, (uint8_t *)&link + (off - r->at), len);
	else if (r->kind != PEER_SPAD)
		memcpy(&v, bytes_at(intm_own(port), r, off), len);
	else if (intm_passes(port))
		memcpy(&v, bytes_at(intm_peer(port), r, off), len);
	else
		v = mask_of(len);
	intm_unlock(port->cable);
	return v;
}

static void
store_register(struct intm_port *port, const struct reg *r, uint32_t off, uint64_t v,
	       unsigned int len)
{
	struct intm_end *own = intm_own(port), *peer = intm_peer(port);
	uint64_t old = 0, before = own->status;

	switch ((enum kind)r->kind) {
	case RO:
	case STATE:
		return;
	case DOORBELL:
		if (intm_passes(port) && (v & 1) != 0)
			intm_raise(peer, (off - r->at) / r->size);
		return;
	case PEER_SPAD:
		if (intm_passes(port))
			memcpy(bytes_at(peer, r, off), &v, len);
		return;
	case W1C:
		memcpy(&old, bytes_at(own, r, off), len);
		v = old & ~v;
		break;
	case RW:
	case LINK:
	case WINDOW:
	case TABLE:
		break;
	}
	memcpy(bytes_at(own, r, off), &v, len);
	if (r->kind == LINK)
		intm_link_update(port->cable);
	if (r->kind == WINDOW)
		intm_changed(peer);
	if (r->kind == TABLE)
		intm_changed(own);
	/* the change of the slot's state is the cause of the bit in generation 4 */
	if (r->field == offsetof(struct intm_end, status) && own->gen == 4 &&
	    (own->slot & SLOT_CHANGED) != 0)
		own->status |= before & 1ull << INTM_DB_LINK;
	if (r->field == offsetof(struct intm_end, disable) ||
	    r->field == offsetof(struct intm_end, status))
		intm_interrupt(own, before & ~own->status);
}

void
intm_reg_write(struct intm_port *port, uint32_t off, uint64_t v, unsigned int len)
{
	const struct reg *r = find_register(intm_own(port), off, len);

	if (r == NULL)
		return;
	intm_lock(port->cable);
	store_register(port, r, off, v & mask_of(len), len);
	intm_unlock(port->cable);
}
