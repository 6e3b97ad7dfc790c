/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLX_LINK_H
#define PLX_LINK_H

#include "plx_dev.h"

/* Slow part of link_poll: notice changes, program again, tell whether the peer is reachable. */
enum ntb_link plx_dev_link_update(struct plx_dev *dev);

#endif /* PLX_LINK_H */
