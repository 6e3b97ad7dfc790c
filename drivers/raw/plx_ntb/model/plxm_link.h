/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLXM_LINK_H
#define PLXM_LINK_H

/* All with the lock held. */

#include "plxm_priv.h"

void plxm_link_update(struct plxm_cable *c);
void plxm_link_bounce(struct plxm_cable *c, bool force);
void plxm_link_error(struct plxm_chip *chip, uint32_t bits);

#endif /* PLXM_LINK_H */
