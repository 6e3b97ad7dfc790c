/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLX_RAWDEV_H
#define PLX_RAWDEV_H

/* The rawdev operations of a port. */

#include "plx_dev.h"

extern const struct rte_rawdev_ops plx_rawdev_ops;

void plx_dev_queues_init(struct plx_dev *dev, int socket);

#endif /* PLX_RAWDEV_H */
