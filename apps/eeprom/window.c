/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Window BARs: size masks with type bits, over two registers. */

#include <inttypes.h>
#include <stdio.h>

#include "place.h"
#include "window.h"

struct window
window_of(const struct image *image, unsigned int nt, unsigned int bar)
{
	const struct record *lo, *hi;
	struct window w = {0};
	uint64_t mask;

	lo = image_find(image, RECORD_ADDRESS(PLACE_NT_VIRTUAL(nt), REG_BAR_SETUP(bar)));
	hi = image_find(image, RECORD_ADDRESS(PLACE_NT_VIRTUAL(nt), REG_BAR_SETUP(bar + 1)));
	w.known = lo != NULL || hi != NULL;
	if (lo == NULL)
		return w;
	w.wide = (lo->value & BAR_64BIT) != 0;
	w.prefetch = (lo->value & BAR_PREFETCH) != 0;
	mask = lo->value & ~(BAR_MIN - 1);
	/* without a record the upper half is 0, which the mask of a 64-bit BAR may not be */
	mask |= w.wide ? (uint64_t)(hi ? hi->value : 0) << 32 : 0xFFFFFFFF00000000;
	w.on = w.wide ? mask != 0 : (uint32_t)mask != 0;
	w.size = -mask;
	w.solid = w.on && (w.size & (w.size - 1)) == 0;
	return w;
}

void
window_setup(uint64_t size, bool prefetch, uint32_t ret_setup[2])
{
	uint64_t mask = -size;

	ret_setup[0] = size != 0 ? (uint32_t)mask | BAR_64BIT | (prefetch ? BAR_PREFETCH : 0) : 0;
	ret_setup[1] = size != 0 ? (uint32_t)(mask >> 32) : 0;
}

void
size_text(uint64_t size, char text[SIZE_TEXT])
{
	static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
	unsigned int i = 0;

	for (; size != 0 && size % 1024 == 0 && i < 6; i++)
		size /= 1024;
	snprintf(text, SIZE_TEXT, "%" PRIu64 " %s", size, units[i]);
}
