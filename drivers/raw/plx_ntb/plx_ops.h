/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLX_OPS_H
#define PLX_OPS_H

#include "plx_dev.h"

extern const struct ntb_port_ops plx_port_ops;

#endif /* PLX_OPS_H */
