/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLXM_DRAM_TABLE_H
#define PLXM_DRAM_TABLE_H

/* The table of a host's memory in the cable file. */

#include "plxm_priv.h"

void plxm_dram_copy(struct plxm_dram *to, const struct plxm_dram *from); /* one may be shared */
void plxm_dram_put(struct plxm_nt *nt, unsigned int i, const struct plxm_dram *d); /* locked */

#endif /* PLXM_DRAM_TABLE_H */
