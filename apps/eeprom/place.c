/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Names of register blocks, and where BAR0 has them. */

#include <stdio.h>

#include "image.h"
#include "place.h"

void
place_name(unsigned int place, char name[PLACE_NAME])
{
	if (place < PLACE_PORTS)
		snprintf(name, PLACE_NAME, "port %u", place);
	else if (place >= PLACE_ALUT && place < PLACE_ALUT + 4)
		snprintf(name, PLACE_NAME, "A-LUT RAM %u", place - PLACE_ALUT);
	else if (place >= PLACE_DMA && place < PLACE_DMA + 4)
		snprintf(name, PLACE_NAME, "DMA channel %u", place - PLACE_DMA);
	else if (place == PLACE_DMA_RAM)
		snprintf(name, PLACE_NAME, "DMA RAM");
	else if (place >= PLACE_VS && place < PLACE_NT)
		snprintf(name, PLACE_NAME, "virtual switch, st. %u", place - PLACE_VS);
	else if (place >= PLACE_NT && place < PLACE_END)
		snprintf(name, PLACE_NAME, "NT%u %s", (place - PLACE_NT) / 2,
			 place % 2 ? "Virtual" : "Link");
	else
		snprintf(name, PLACE_NAME, "block 0x%02x", place);
}

bool
place_offset(uint16_t address, uint32_t *ret_off)
{
	unsigned int place = RECORD_PLACE(address);
	uint32_t base;

	if (place < PLACE_PORTS)
		base = place << 12;
	else if (place >= PLACE_ALUT && place < PLACE_ALUT + 4)
		base = 0x38000 + ((place - PLACE_ALUT) << 12);
	else if (place >= PLACE_DMA && place < PLACE_DMA + 4)
		base = 0x21000 + ((place - PLACE_DMA) << 12);
	else if (place == PLACE_DMA_RAM)
		base = 0x20000;
	else if (place >= PLACE_NT && place < PLACE_END)
		base = (place < PLACE_NT + 2 ? 0x3e000u : 0x3c000u) + (place % 2 ? 0 : 0x1000);
	else
		return false;
	*ret_off = base + RECORD_REG(address);
	return true;
}
