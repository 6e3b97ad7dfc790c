/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Images out of an EEPROM and into it. */

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "say.h"
#include "transfer.h"

#define NO_SIGNATURE 0xffffffffu

static uint32_t
get_dword(const uint8_t *bytes, size_t at)
{
	return bytes[at] | (uint32_t)bytes[at + 1] << 8 | (uint32_t)bytes[at + 2] << 16 |
	       (uint32_t)bytes[at + 3] << 24;
}

static size_t
round_up(size_t len)
{
	return (len + 3) & ~(size_t)3;
}

static int
check_room(const struct controller *c, size_t len)
{
	if (len <= c->room)
		return 0;
	complain("%s: %zu bytes do not fit into an EEPROM with addresses of %d byte%s",
		 c->dev->name, len, c->room > 256 ? 2 : 1, c->room > 256 ? "s" : "");
	return -EFBIG;
}

long
transfer_out(struct controller *c, uint8_t bytes[IMAGE_MAX], size_t least)
{
	uint32_t header, val;
	size_t len, at;
	int ret = controller_read(c, 0, &header);

	if (ret < 0)
		return ret;
	len = image_length(header);
	if (len == 0)
		len = BLANK_BYTES;
	if (len < least)
		len = least;
	ret = check_room(c, round_up(len));
	for (at = 0; at < round_up(len) && ret == 0; at += 4) {
		ret = controller_read(c, at, &val);
		for (int i = 0; i < 4 && ret == 0; i++)
			bytes[at + i] = (uint8_t)(val >> 8 * i);
	}
	return ret < 0 ? ret : (long)len;
}

static int
verify_dword(struct controller *c, size_t at, uint32_t want)
{
	uint32_t val = 0;
	int ret = controller_read(c, at, &val);

	if (ret < 0 || val == want)
		return ret;
	complain("%s: byte %zu of the EEPROM reads 0x%08x after 0x%08x was written", c->dev->name,
		 at, val, want);
	return -EIO;
}

static int
write_dword(struct controller *c, size_t at, uint32_t val)
{
	int ret = controller_write(c, at, val);

	return ret == 0 ? verify_dword(c, at, val) : ret;
}

long
transfer_in(struct controller *c, const uint8_t *old, const uint8_t *bytes, size_t len)
{
	uint8_t tail[4] = {0};
	size_t whole = len & ~(size_t)3, at;
	long written = 0;
	int ret = check_room(c, round_up(len));

	if (ret < 0)
		return ret;
	if (memcmp(old, bytes, len) == 0)
		return 0;
	/* what shares the last dword with the image stays */
	if (whole < len)
		memcpy(tail, old + whole, 4);
	memcpy(tail, bytes + whole, len - whole);
	ret = write_dword(c, 0, NO_SIGNATURE);
	for (at = 4; at < round_up(len) && ret == 0; at += 4) {
		uint32_t val = at < whole ? get_dword(bytes, at) : get_dword(tail, 0);

		if (val == get_dword(old, at))
			continue;
		ret = write_dword(c, at, val);
		written++;
	}
	for (at = 4; at < round_up(len) && ret == 0; at += 4)
		ret = verify_dword(c, at, at < whole ? get_dword(bytes, at) : get_dword(tail, 0));
	if (ret == 0) {
		ret = write_dword(c, 0, get_dword(bytes, 0));
		if (ret == -EIO) /* a header with another count than it was given */
			controller_write(c, 0, NO_SIGNATURE);
	}
	return ret < 0 ? ret : written + 1;
}
