/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_OP_RINGS_H
#define RB_OP_RINGS_H

#include "base/transport.h"

/** The transport by descriptor rings. */
extern const struct rb_transport rb_rings;

#endif /* RB_OP_RINGS_H */
