/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLXM_REGS_H
#define PLXM_REGS_H

#include "plxm_priv.h"

/* BAR0 of any chip, from any side; @p be selects the bits that are written. */
uint32_t plxm_chip_read(struct plxm_chip *chip, uint32_t off);
void plxm_chip_write(const struct plxm_rig *rig, struct plxm_chip *chip, uint32_t off, uint32_t val,
		     uint32_t be);
void plxm_delay(struct plxm_port *p);
/* The registers of another model that are at that offset, or NULL. */
const struct plxm_more_regs *plxm_more_at(struct plxm_port *p, uint32_t off);

#endif /* PLXM_REGS_H */
