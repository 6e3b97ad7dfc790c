/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Configuration space, and the BARs in the host's memory. */

#include <string.h>

#include "intm_link.h"

enum {
	CFG_CMD = 0x04,
	CFG_STATUS = 0x06,
	CFG_REVISION = 0x08,
	CFG_BAR = 0x10,
	CFG_CAPS = 0x34,
	CFG_MSIX = 0x80,
	CFG_SIZES3 = 0xd0, /* log2, of both sides of both windows */
	CFG_SIZES4 = 0xc4,
	CFG_PPD = 0xd4,
	CFG_LINK = 0x1a2,
	CFG_SIZE = 4096,
	STATUS_CAPS = 1 << 4,
};

static void
put_bytes(uint8_t *space, uint32_t at, uint64_t v, unsigned int len)
{
	memcpy(space + at, &v, len);
}

static uint64_t
get_bytes(const uint8_t *space, uint32_t at, unsigned int len)
{
	uint64_t v = 0;

	memcpy(&v, space + at, len);
	return v;
}

static void
fill_capability(const struct intm_end *end, uint8_t *space)
{
	space[CFG_CAPS] = CFG_MSIX;
	put_bytes(space, CFG_MSIX, 0x11, 2);
	put_bytes(space, CFG_MSIX + 2, end->msix_ctl | (INTM_VECTORS - 1), 2);
	put_bytes(space, CFG_MSIX + 4, INTM_MSIX_TABLE, 4);
	put_bytes(space, CFG_MSIX + 8, INTM_MSIX_PENDING, 4);
}

static uint8_t
revision_of(const struct intm_end *end)
{
	if (end->gen == 3)
		return 0;
	return (end->reading & INTM_SAPPHIRE) != 0 ? 0x10 : 0x04;
}

static void
fill_config(const struct intm_port *port, uint8_t space[CFG_SIZE])
{
	const struct intm_end *end = intm_own(port);
	unsigned int i;

	memset(space, 0, CFG_SIZE);
	put_bytes(space, 0, end->gen == 3 ? 0x201c8086 : 0x347e8086, 4);
	put_bytes(space, CFG_CMD, end->cmd, 2);
	put_bytes(space, CFG_STATUS, STATUS_CAPS, 2);
	put_bytes(space, CFG_REVISION, 0x06800000 | revision_of(end), 4);
	for (i = 0; i <= INTM_WINDOWS; i++)
		put_bytes(space, CFG_BAR + 8 * i, end->bar_addr[i] | (i == 0 ? 4 : 0xc), 8);
	fill_capability(end, space);
	for (i = 0; i < 2 * INTM_WINDOWS; i++)
		space[(end->gen == 3 ? CFG_SIZES3 : CFG_SIZES4) + i] =
			(uint8_t)__builtin_ctzll(end->bar_size[1 + i % INTM_WINDOWS]);
	if (end->gen != 3)
		return;
	put_bytes(space, CFG_PPD, end->ppd1, 1);
	put_bytes(space, CFG_LINK, intm_link_status(port->cable), 2);
}

uint64_t
intm_cfg_read(struct intm_port *port, uint32_t off, unsigned int len)
{
	uint8_t space[CFG_SIZE];

	if (len > sizeof(uint64_t) || off > CFG_SIZE - len)
		return len >= 8 ? UINT64_MAX : (1ull << 8 * len) - 1;
	intm_lock(port->cable);
	fill_config(port, space);
	intm_unlock(port->cable);
	return get_bytes(space, off, len);
}

/* What of it can be written. */
static void
take_config(struct intm_end *end, const uint8_t space[CFG_SIZE])
{
	bool before = (end->msix_ctl & MSIX_ENABLE) != 0;
	unsigned int i;

	end->cmd = (uint16_t)get_bytes(space, CFG_CMD, 2) & (CMD_MEM | CMD_MASTER);
	for (i = 0; i <= INTM_WINDOWS; i++)
		end->bar_addr[i] = get_bytes(space, CFG_BAR + 8 * i, 8) & ~(end->bar_size[i] - 1);
	end->msix_ctl = (uint16_t)get_bytes(space, CFG_MSIX + 2, 2) & (MSIX_ENABLE | MSIX_MASK);
	if (before != ((end->msix_ctl & MSIX_ENABLE) != 0))
		end->due = 0;
}

void
intm_cfg_write(struct intm_port *port, uint32_t off, uint64_t v, unsigned int len)
{
	uint8_t space[CFG_SIZE];

	if (len > sizeof(v) || off > CFG_SIZE - len)
		return;
	intm_lock(port->cable);
	fill_config(port, space);
	put_bytes(space, off, v, len);
	take_config(intm_own(port), space);
	intm_changed(intm_own(port));
	intm_changed(intm_peer(port));
	intm_unlock(port->cable);
}

int
intm_decode(struct intm_port *port, uint64_t addr, unsigned int len, uint64_t *ret_off)
{
	const struct intm_end *end = intm_own(port);
	int bar = -1;

	intm_lock(port->cable);
	for (int i = 0; i <= INTM_WINDOWS && bar < 0 && (end->cmd & CMD_MEM) != 0; i++) {
		uint64_t off = addr - end->bar_addr[i];

		if (addr < end->bar_addr[i] || off > end->bar_size[i] - len)
			continue;
		*ret_off = off;
		bar = i;
	}
	intm_unlock(port->cable);
	return bar;
}
