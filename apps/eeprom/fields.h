/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef FIELDS_H
#define FIELDS_H

/* What a record says, as pairs of a label and words: to be shown, and to be compared. */

#include "image.h"

enum {
	FIELDS_MAX = 8,
	FIELD_LABEL = 16,
	FIELD_TEXT = 96,
	REG_NAME = 64,
};

struct field {
	char label[FIELD_LABEL];
	char text[FIELD_TEXT];
};

/* The register's name and purpose; "" where it is unknown. */
const char *reg_name(uint16_t address);
/* @return how many. Of a BAR of two registers, both tell what the two make together. */
unsigned int fields_of(const struct image *image, const struct record *record,
		       struct field field[FIELDS_MAX]);

#endif /* FIELDS_H */
