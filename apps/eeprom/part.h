/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PART_H
#define PART_H

/* Parts of the family: what each has. */

#include <stdbool.h>
#include <stdint.h>

struct part {
	unsigned int number; /* 0x8749 */
	uint32_t ports;	     /* a bit for each port number */
	unsigned int nts;    /* NT ports */
	bool newer;	     /* has A-LUT, DMA engine, and the checksum of the EEPROM */
};

/* NULL where the part is not known. */
const struct part *part_find(unsigned int number);
/* "8749" and so on; complains where it is no known part. */
const struct part *part_parse(const char *text);

#endif /* PART_H */
