/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* EEPROM images of any bytes: taken or refused with a reason; what is taken can be shown, compared
 * and checked, and is the same after it was written and read again. */

#include <stdbool.h>
#include <string.h>
#include <unistd.h>
#include <fcntl.h>

#include "check.h"
#include "image.h"
#include "input.h"
#include "part.h"
#include "print.h"
#include "settings.h"

static uint8_t bytes[IMAGE_MAX + 8], packed[IMAGE_MAX];
static struct image one, two;
static FILE *nowhere;

/* The functions print to standard output, which is redirected to nowhere, once. */
static void
open_nowhere(void)
{
	if (nowhere != NULL)
		return;
	nowhere = fopen("/dev/null", "w");
	HOLDS(nowhere != NULL && freopen("/dev/null", "w", stdout) != NULL);
}

/* Any bytes, or those of a header that fits and records after it. */
static size_t
make_bytes(struct input *in)
{
	bool framed = take(in, 1) % 4 != 0;
	size_t len = framed ? IMAGE_HEADER : 0, count;

	while (in->left > 0 && len < sizeof(bytes))
		bytes[len++] = (uint8_t)take(in, 1);
	if (framed) {
		count = (len - IMAGE_HEADER) / IMAGE_RECORD * IMAGE_RECORD;
		bytes[0] = IMAGE_SIGNATURE;
		bytes[1] = 0;
		bytes[2] = (uint8_t)count;
		bytes[3] = (uint8_t)(count >> 8);
	}
	return len;
}

static void
use_image(const struct image *image, unsigned int number)
{
	const struct part *part = part_find(number);

	print_image(image);
	HOLDS(image_check(image, part, nowhere, false) == image_check(image, part, nowhere, true));
	HOLDS(!print_difference(image, image));
}

static void
write_and_read(void)
{
	char why[IMAGE_WHY];
	size_t len = image_pack(&one, packed);

	HOLDS(len <= IMAGE_MAX);
	HOLDS(image_parse(&two, packed, len, why) == 0);
	HOLDS(two.rest == 0 && two.has_crc && two.crc == two.right_crc);
	HOLDS(image_length((uint32_t)packed[0] | (uint32_t)packed[1] << 8 |
			   (uint32_t)packed[2] << 16 | (uint32_t)packed[3] << 24) == len);
	HOLDS(!print_difference(&one, &two));
	HOLDS(one.n == two.n);
	for (size_t i = 0; i < one.n; i++)
		HOLDS(one.record[i].address == two.record[i].address &&
		      one.record[i].value == two.record[i].value);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const unsigned int numbers[] = {0, 0x8749, 0x8748, 0x8747, 0x8713};
	struct input in = {data, size};
	unsigned int number = numbers[take(&in, 1) % 5];
	struct settings settings = {.given = {.nt = {true, false}}, .nt = {8, NT_ABSENT}};
	char why[IMAGE_WHY] = "";
	size_t len;

	open_nowhere();
	len = make_bytes(&in);
	if (image_parse(&one, bytes, len, why) < 0) {
		HOLDS(why[0] != '\0' && strchr(why, '\n') == NULL);
		return 0;
	}
	HOLDS(len >= IMAGE_HEADER + one.n * IMAGE_RECORD + one.rest);
	use_image(&one, number);
	write_and_read();
	/* and any image is a base for Ringbell's settings */
	HOLDS(settings_apply(&settings, part_find(0x8749), &one) == 0);
	use_image(&one, number);
	write_and_read();
	return 0;
}
