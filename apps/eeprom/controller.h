/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef CONTROLLER_H
#define CONTROLLER_H

/*
 * The chip's EEPROM controller: one command at a time by register 0x260, data by 0x264. All waits
 * have an end. Each call complains where it fails, and returns a negative errno.
 */

#include <stddef.h>
#include <stdint.h>

#include "device.h"

struct controller {
	const struct device *dev;
	uint32_t before; /* the control register's settings, put back at the end */
	uint32_t bits;	 /* those that each command has: the width of addresses */
	size_t room;	 /* bytes that the width reaches */
};

/* @p width: bytes of an address as the user says, 0: as the chip found them. */
int controller_open(struct controller *c, const struct device *dev, unsigned int width);
void controller_close(struct controller *c);

/* @p at is a multiple of 4. */
int controller_read(struct controller *c, size_t at, uint32_t *ret_val);
int controller_write(struct controller *c, size_t at, uint32_t val);

#endif /* CONTROLLER_H */
