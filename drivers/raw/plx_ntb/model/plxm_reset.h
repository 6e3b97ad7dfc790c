/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLXM_RESET_H
#define PLXM_RESET_H

#include "plxm_priv.h"

int plxm_eeprom_check(const struct plxm_eeprom *e, bool both);
bool plxm_eeprom_same(const struct plxm_eeprom *a, const struct plxm_eeprom *b);
uint32_t plxm_port_mask(uint16_t chip);
bool plxm_has_alut(const struct plxm_chip *chip);
uint32_t plxm_nt_port(const struct plxm_chip *chip, unsigned int index);
void plxm_power_on(struct plxm_chip *chip);
void plxm_reset_nt(const struct plxm_side *s);
void plxm_reset_link(const struct plxm_side *s);

#endif /* PLXM_RESET_H */
