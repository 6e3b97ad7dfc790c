/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef DRV_PAIR_H
#define DRV_PAIR_H

/* Two ports of one process, raw_ntb_plx_emu0 and raw_ntb_plx_emu1, and the cable between them. */

#include "drv.h"

/* Open both over @p len bytes each; the link may still be down. Returns the cable, or ends the
 * test. */
int drv_plug(struct drv_port *a, struct drv_port *b, const char *more_a, const char *more_b,
	     uint64_t len);
/* Close both and the cable; no port is left then. */
void drv_unplug(struct drv_port *a, struct drv_port *b, int cable);

/* Memory, doorbells and scratchpads from @p a to @p b. */
void drv_check_cable(struct drv_port *a, struct drv_port *b);

#endif /* DRV_PAIR_H */
