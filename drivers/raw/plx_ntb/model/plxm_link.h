/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLXM_LINK_H
#define PLXM_LINK_H

/* All with the lock held. */

#include "plxm_priv.h"

void plxm_link_update(const struct plxm_rig *r, unsigned int cable);
void plxm_link_update_chip(const struct plxm_rig *r, const struct plxm_chip *chip);
/* @p force: lose the link even if the file has it down already; the loss may be half done. */
void plxm_link_bounce(const struct plxm_rig *r, unsigned int cable, bool force);
void plxm_link_error(const struct plxm_side *s, uint32_t bits);

#endif /* PLXM_LINK_H */
