/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLXM_DRAM_H
#define PLXM_DRAM_H

#include "plxm_priv.h"

void plxm_dram_get(struct plxm_cable *c, struct plxm_chip *chip, struct plxm_dram *d);

#endif /* PLXM_DRAM_H */
