/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLXM_DRAM_H
#define PLXM_DRAM_H

#include "plxm_priv.h"

void plxm_dram_get(const struct plxm_rig *r, const struct plxm_side *s, struct plxm_dram *d);

#endif /* PLXM_DRAM_H */
