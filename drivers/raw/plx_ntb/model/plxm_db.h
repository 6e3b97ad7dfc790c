/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLXM_DB_H
#define PLXM_DB_H

/* Lock-free. */

#include "plxm_priv.h"

uint32_t plxm_hot_read(struct plxm_nt *nt, uint32_t r);
void plxm_hot_write(const struct plxm_side *s, uint32_t r, uint32_t val);
void plxm_irq_raise(const struct plxm_side *s, bool was_high);
bool plxm_irq_level(const struct plxm_side *s);

#endif /* PLXM_DB_H */
