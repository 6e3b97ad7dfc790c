/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* The parts. Numbers of ports are those of public tools for these chips; the second NT port, the
 * A-LUT and the DMA engine came with the later ones. */

#include <stdlib.h>
#include <stddef.h>

#include "part.h"
#include "say.h"

static const struct part parts[] = {
	{0x8749, 0x3f3f3f, 2, true}, {0x8733, 0x3f3f3f, 2, true},  {0x8725, 0x3f3f, 2, true},
	{0x8717, 0x3f3f, 2, true},   {0x8713, 0x3f3f, 2, true},	   {0x8748, 0x0f0f0f, 1, false},
	{0x8732, 0x0f0f, 1, false},  {0x8724, 0x070f, 1, false},   {0x8716, 0x0f, 1, false},
	{0x8712, 0x0f, 1, false},    {0x8747, 0x030301, 0, false},
};

const struct part *
part_find(unsigned int number)
{
	unsigned int i;

	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (parts[i].number == number)
			return &parts[i];
	}
	return NULL;
}

const struct part *
part_parse(const char *text)
{
	char *end;
	unsigned long number = strtoul(text, &end, 16);
	bool valid = end != text && *end == '\0' && number <= 0xffff;
	const struct part *part = valid ? part_find((unsigned int)number) : NULL;

	if (part == NULL)
		complain("--chip %s: unknown part; known are 8749, 8733, 8725, 8717, 8713, 8748, "
			 "8747, 8732, 8724, 8716 and 8712",
			 text);
	return part;
}
