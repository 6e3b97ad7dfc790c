/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef DEVICE_H
#define DEVICE_H

/* The registers of a chip, as a PCI function of its shows them. */

#include <stdint.h>

struct device {
	void *ctx;
	uint32_t (*read)(void *ctx, uint32_t off);
	void (*write)(void *ctx, uint32_t off, uint32_t val);
	const char *name; /* as the user wrote it */
};

/* A PCI address, or a folder like those of /sys/bus/pci/devices. Complains. 0 or a negative errno.
 */
int device_open(struct device *d, const char *name);
void device_close(struct device *d);

#endif /* DEVICE_H */
