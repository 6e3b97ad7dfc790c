/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Bytes of an image, and its records. */

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "image.h"

#define CRC_POLYNOMIAL 0xDB710641u
#define CRC_FROM 2 /* the signature and the flags are not in it */

static uint32_t
image_dword(const uint8_t *bytes)
{
	return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
	       (uint32_t)bytes[3] << 24;
}

static void
put_dword(uint8_t *bytes, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		bytes[i] = (uint8_t)(v >> 8 * i);
}

/* Dword by dword from the byte count on, high bit first; zeros fill up the last one. */
static uint32_t
image_crc(const uint8_t *bytes, size_t end)
{
	uint32_t crc = 0xFFFFFFFF;
	size_t at;
	int bit;

	for (at = CRC_FROM; at < end; at += 4) {
		uint8_t word[4] = {0};

		memcpy(word, bytes + at, end - at < 4 ? end - at : 4);
		crc ^= image_dword(word);
		for (bit = 0; bit < 32; bit++)
			crc = crc << 1 ^ (crc >> 31 ? CRC_POLYNOMIAL : 0);
	}
	return crc;
}

size_t
image_length(uint32_t header)
{
	size_t count = header >> 16;

	if ((header & 0xFF) != IMAGE_SIGNATURE || count % IMAGE_RECORD != 0 ||
	    IMAGE_HEADER + count + IMAGE_CHECKSUM > IMAGE_MAX)
		return 0;
	return IMAGE_HEADER + count + IMAGE_CHECKSUM;
}

/* What the header says, before it is believed. */
static int
check_header(const uint8_t *bytes, size_t len, char *why)
{
	size_t count;

	if (len < IMAGE_HEADER) {
		snprintf(why, IMAGE_WHY, "%zu bytes: too short for an image, whose header has 4",
			 len);
		return -EINVAL;
	}
	if (bytes[0] != IMAGE_SIGNATURE) {
		snprintf(why, IMAGE_WHY, "begins with 0x%02x instead of 0x5a: %s", bytes[0],
			 bytes[0] == 0xFF ? "a blank EEPROM?" : "not an image of a PEX 87xx");
		return -EINVAL;
	}
	count = image_dword(bytes) >> 16;
	if (count % IMAGE_RECORD != 0) {
		snprintf(why, IMAGE_WHY,
			 "the header counts %zu bytes of records, not a multiple of 6", count);
		return -EINVAL;
	}
	if (IMAGE_HEADER + count + IMAGE_CHECKSUM > IMAGE_MAX) {
		snprintf(why, IMAGE_WHY,
			 "the header counts %zu bytes of records, more than fit into 64 KiB",
			 count);
		return -EINVAL;
	}
	if (IMAGE_HEADER + count > len) {
		snprintf(why, IMAGE_WHY, "the header counts %zu bytes of records, only %zu follow",
			 count, len - IMAGE_HEADER);
		return -EINVAL;
	}
	return 0;
}

int
image_parse(struct image *image, const uint8_t *bytes, size_t len, char why[IMAGE_WHY])
{
	size_t end, i;
	int ret = check_header(bytes, len, why);

	if (ret < 0)
		return ret;
	end = IMAGE_HEADER + (image_dword(bytes) >> 16);
	image->flags = bytes[1];
	image->n = (end - IMAGE_HEADER) / IMAGE_RECORD;
	image->has_crc = len - end >= IMAGE_CHECKSUM;
	image->crc = image->has_crc ? image_dword(bytes + end) : 0;
	image->right_crc = image_crc(bytes, end);
	image->rest = len - end - (image->has_crc ? IMAGE_CHECKSUM : 0);
	if ((image->flags & IMAGE_FLAG_CRC) != 0 && !image->has_crc) {
		snprintf(why, IMAGE_WHY, "the checksum is on, but the file ends before it");
		return -EINVAL;
	}
	if ((image->flags & IMAGE_FLAG_CRC) != 0 && image->crc != image->right_crc) {
		snprintf(why, IMAGE_WHY, "the checksum is 0x%08x, that of the bytes is 0x%08x",
			 image->crc, image->right_crc);
		return -EINVAL;
	}
	for (i = 0; i < image->n; i++) {
		const uint8_t *at = bytes + IMAGE_HEADER + i * IMAGE_RECORD;

		image->record[i].address = (uint16_t)(at[0] | at[1] << 8);
		image->record[i].value = image_dword(at + 2);
	}
	return 0;
}

size_t
image_pack(struct image *image, uint8_t *bytes)
{
	size_t count = image->n * IMAGE_RECORD, end = IMAGE_HEADER + count, i;

	put_dword(bytes, IMAGE_SIGNATURE | (uint32_t)image->flags << 8 | (uint32_t)count << 16);
	for (i = 0; i < image->n; i++) {
		uint8_t *at = bytes + IMAGE_HEADER + i * IMAGE_RECORD;

		at[0] = (uint8_t)image->record[i].address;
		at[1] = (uint8_t)(image->record[i].address >> 8);
		put_dword(at + 2, image->record[i].value);
	}
	image->has_crc = true;
	image->crc = image->right_crc = image_crc(bytes, end);
	image->rest = 0;
	put_dword(bytes + end, image->crc);
	return end + IMAGE_CHECKSUM;
}

const struct record *
image_find(const struct image *image, uint16_t address)
{
	size_t i;

	for (i = image->n; i > 0; i--) {
		if (image->record[i - 1].address == address)
			return &image->record[i - 1];
	}
	return NULL;
}

int
image_set(struct image *image, uint16_t address, uint32_t value)
{
	size_t i;

	for (i = image->n; i > 0; i--) {
		if (image->record[i - 1].address == address) {
			image->record[i - 1].value = value;
			return 0;
		}
	}
	if (image->n == IMAGE_RECORDS)
		return -ENOSPC;
	image->record[image->n++] = (struct record){address, value};
	return 0;
}

void
image_remove(struct image *image, uint16_t address)
{
	size_t from, to = 0;

	for (from = 0; from < image->n; from++) {
		if (image->record[from].address != address)
			image->record[to++] = image->record[from];
	}
	image->n = to;
}
