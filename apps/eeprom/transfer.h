/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef TRANSFER_H
#define TRANSFER_H

/* Whole images out of an EEPROM and into it. Each call complains where it fails. */

#include <stddef.h>
#include <stdint.h>

#include "controller.h"
#include "image.h"

enum {
	BLANK_BYTES = 256, /* the smallest EEPROM */
};

/* What is there: as many bytes as the image in it has, or BLANK_BYTES where no image begins, but
 * not less than @p least. @return their number, or a negative errno. */
long transfer_out(struct controller *c, uint8_t bytes[IMAGE_MAX], size_t least);

/* Write what differs from @p old, of @p len bytes, and read all of it back. Meanwhile the EEPROM
 * has no signature, so that a chip that starts with half of an image takes none of it.
 * @return how many dwords were written, or a negative errno */
long transfer_in(struct controller *c, const uint8_t *old, const uint8_t *bytes, size_t len);

#endif /* TRANSFER_H */
