/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLX_OPS_H
#define PLX_OPS_H

#include "plx_dev.h"

/* Give @p port its calls, in @p ops, without those of the capabilities in @p lacks (PLX_LACKS_*).
 */
void plx_ops_fill(struct ntb_port *port, struct ntb_port_ops *ops, uint32_t lacks);

#endif /* PLX_OPS_H */
