/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "top.h"

int
top_canvas_make(struct top_canvas *c, int w, int h)
{
	int i;

	*c = (struct top_canvas){w, h, calloc((size_t)w * (size_t)h, sizeof(c->cell[0]))};
	if (c->cell == NULL)
		return -ENOMEM;
	for (i = 0; i < w * h; i++)
		c->cell[i] = ' ';
	return 0;
}

void
top_canvas_free(struct top_canvas *c)
{
	free(c->cell);
}

void
top_put(struct top_canvas *c, int x, int y, uint16_t cell)
{
	if (x >= 0 && x < c->w && y >= 0 && y < c->h)
		c->cell[y * c->w + x] = cell;
}

void
top_text(struct top_canvas *c, int x, int y, const char *fmt, ...)
{
	char s[256];
	va_list ap;
	int i;

	va_start(ap, fmt);
	vsnprintf(s, sizeof(s), fmt, ap);
	va_end(ap);
	for (i = 0; s[i] != '\0'; i++)
		top_put(c, x + i, y, (unsigned char)s[i]);
}

void
top_bold(struct top_canvas *c, int y)
{
	int x;

	for (x = 0; x < c->w && y >= 0 && y < c->h; x++)
		c->cell[y * c->w + x] |= TOP_BOLD;
}

void
top_box(struct top_canvas *c, int x, int y, int w, int h)
{
	int i;

	for (i = 1; i < w - 1; i++) {
		top_put(c, x + i, y, TOP_HLINE);
		top_put(c, x + i, y + h - 1, TOP_HLINE);
	}
	for (i = 1; i < h - 1; i++) {
		top_put(c, x, y + i, TOP_VLINE);
		top_put(c, x + w - 1, y + i, TOP_VLINE);
	}
	top_put(c, x, y, TOP_UL);
	top_put(c, x + w - 1, y, TOP_UR);
	top_put(c, x, y + h - 1, TOP_LL);
	top_put(c, x + w - 1, y + h - 1, TOP_LR);
}
