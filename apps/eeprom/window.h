/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef WINDOW_H
#define WINDOW_H

/* A BAR as its setup registers make it. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "image.h"

enum {
	SIZE_TEXT = 32,
};

struct window {
	bool known;    /* the image says something of it */
	bool on;       /* the mask is not 0 */
	bool wide;     /* 64-bit */
	bool prefetch; /* prefetchable */
	bool solid;    /* the mask has no hole: the size is one */
	uint64_t size;
};

/* BAR2 or BAR4 of NT-Virtual @p nt, with its upper half. */
struct window window_of(const struct image *image, unsigned int nt, unsigned int bar);
/* What its two setup registers get. @p size 0 = off. */
void window_setup(uint64_t size, bool prefetch, uint32_t ret_setup[2]);

/* "1 GiB" */
void size_text(uint64_t size, char text[SIZE_TEXT]);

#endif /* WINDOW_H */
