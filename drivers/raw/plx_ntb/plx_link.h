/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLX_LINK_H
#define PLX_LINK_H

#include "plx_dev.h"

/* The slow part of link_poll: handles changes, programs the chip again, and returns whether the
 * peer can be reached. */
enum ntb_link plx_dev_link_update(struct plx_dev *dev);

#endif /* PLX_LINK_H */
