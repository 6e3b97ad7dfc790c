/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SETTINGS_H
#define SETTINGS_H

/* Named settings: what a user writes, and the records that they become. */

#include <stdbool.h>
#include <stdint.h>

#include "image.h"
#include "part.h"

enum {
	NT_ABSENT = -1, /* of a port number: off */
	SIZE_OFF = 0,
};

struct settings {
	struct {
		bool upstream, nt[2], bar0, bar2, bar4, alut, dma, crc;
	} given;
	int upstream, nt[2];
	uint32_t bar0;	     /* as the setup register has it */
	uint64_t bar2, bar4; /* bytes */
	bool alut, crc;
	uint32_t dma; /* as the DMA function's global register has it */
};

/* "nt0=8" and so on. Complains. 0 or -EINVAL. */
int settings_take(struct settings *s, const char *text);
/* Change @p image, which may be empty, to have what is given; for what no record of it says and
 * Ringbell needs, the defaults. Complains. 0 or -ENOSPC. */
int settings_apply(const struct settings *s, const struct part *part, struct image *image);

#endif /* SETTINGS_H */
