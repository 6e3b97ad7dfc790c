/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLACE_H
#define PLACE_H

/*
 * The blocks of registers that records name, which are not in the order that BAR0 has them in. From
 * the console of the vendor's SDK; the NT blocks also from a tool for the PEX 8734.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	PLACE_PORTS = 0x18, /* port p is p */
	PLACE_ALUT = 0x20,  /* and 3 more */
	PLACE_DMA = 0x28,   /* and 3 more: the channels */
	PLACE_DMA_RAM = 0x2C,
	PLACE_VS = 0x30, /* and 7 more: stations of virtual switches */
	PLACE_NT = 0x38, /* NT0 Link, NT0 Virtual, NT1 Link, NT1 Virtual */
	PLACE_END = 0x3C,
	PLACE_NAME = 24,
};

#define PLACE_NT_LINK(nt) (PLACE_NT + 2 * (nt))
#define PLACE_NT_VIRTUAL(nt) (PLACE_NT + 2 * (nt) + 1)

/* Chip-wide, in the block of port 0. */
#define REG_NT_CONFIG 0x360u
#define NT_CONFIG_UPSTREAM(v) (0x1fu & (v))
#define NT_CONFIG_PORT(v, nt) ((v) >> ((nt) == 0 ? 8 : 16) & 0x1fu)
#define NT_CONFIG_ON(v, nt) (((v) >> ((nt) == 0 ? 13 : 21) & 1u) != 0)
#define NT_CONFIG_DMA(v) ((v) >> 24 & 1u)
#define NT_CONFIG_ALUT(v, nt) (((v) >> (30 + (nt)) & 1u) != 0)
#define NT_CONFIG_NO_PORT 0x1au /* what a tool for the PEX 8734 gives an NT that is off */

/* Of an NT interface. */
#define REG_BAR0_SETUP 0xe4u
#define REG_BAR_SETUP(bar) (0xe0u + 4u * (bar)) /* from BAR 2 on, at 0xe8 */
#define BAR_64BIT 4u
#define BAR_PREFETCH 8u
#define BAR_FLAGS 0xfu
#define BAR_MIN (1ull << 20) /* the low 20 bits of a size mask do not exist */

/* Of DMA channel 0, for all. */
#define REG_DMA_GLOBAL 0x1f8u

void place_name(unsigned int place, char name[PLACE_NAME]);
/* Where BAR0 has that register. False for a place that it does not show, or that is not known. */
bool place_offset(uint16_t address, uint32_t *ret_off);

#endif /* PLACE_H */
