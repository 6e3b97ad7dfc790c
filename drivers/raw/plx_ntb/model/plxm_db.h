/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLXM_DB_H
#define PLXM_DB_H

/* Lock-free. */

#include "plxm_priv.h"

uint32_t plxm_hot_read(struct plxm_chip *chip, uint32_t r);
void plxm_hot_write(struct plxm_chip *chip, uint32_t r, uint32_t val);
void plxm_irq_raise(struct plxm_chip *chip, bool was_high);
bool plxm_irq_level(struct plxm_chip *chip);

#endif /* PLXM_DB_H */
