/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef IMAGE_H
#define IMAGE_H

/*
 * An EEPROM image of a PEX 87xx, little endian: 0x5A; flags, of which bit 7 has the chip look at
 * the checksum; the number of bytes of all records; records of 6 bytes, an address and a value; the
 * checksum. The chip writes each value to its register, in this order, before a host sees it.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	IMAGE_SIGNATURE = 0x5A,
	IMAGE_HEADER = 4,
	IMAGE_RECORD = 6,
	IMAGE_CHECKSUM = 4,
	IMAGE_RECORDS = 10921, /* as many as 64 KiB hold, beyond which the chip does not address */
	IMAGE_MAX = 65536,
	IMAGE_WHY = 160,
};

#define IMAGE_FLAG_CRC 0x80u

/* The address of a record: the block of registers in bits 15:10, and which dword of it. */
#define RECORD_ADDRESS(place, reg) ((uint16_t)((place) << 10 | (reg) >> 2))
#define RECORD_PLACE(address) ((unsigned int)(address) >> 10)
#define RECORD_REG(address) ((0x3ffu & (address)) << 2)

struct record {
	uint16_t address;
	uint32_t value;
};

struct image {
	uint8_t flags;
	bool has_crc; /* first parts of the family have none, and their images end without one */
	uint32_t crc; /* as the image has it */
	uint32_t right_crc;
	size_t n;
	size_t rest; /* bytes after the image, as a dump of the whole part has them */
	struct record record[IMAGE_RECORDS];
};

/* 0, or -EINVAL with the reason in @p why. Any bytes may come. */
int image_parse(struct image *image, const uint8_t *bytes, size_t len, char why[IMAGE_WHY]);
/* How long is the image that begins with this dword? 0 where none does. */
size_t image_length(uint32_t header);
/* @p bytes has IMAGE_MAX. @return their number. The checksum is made anew. */
size_t image_pack(struct image *image, uint8_t *bytes);

/* The last record of an address, which decides; NULL for none. */
const struct record *image_find(const struct image *image, uint16_t address);
/* Change that record, or add one. 0 or -ENOSPC. */
int image_set(struct image *image, uint16_t address, uint32_t value);
void image_remove(struct image *image, uint16_t address);

#endif /* IMAGE_H */
