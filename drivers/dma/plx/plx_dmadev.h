/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLX_DMADEV_H
#define PLX_DMADEV_H

#include "plx_dma.h"

/* A dmadev over @p io, which it owns on success. */
int plx_dma_create(struct rte_device *device, const char *name, struct plx_dma_io *io);
int plx_dma_destroy(const char *name);

#endif /* PLX_DMADEV_H */
