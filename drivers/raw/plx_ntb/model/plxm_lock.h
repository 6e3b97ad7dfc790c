/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLXM_LOCK_H
#define PLXM_LOCK_H

/* The lock of a cable file. A process that finds that the last holder died repairs what that
 * one was changing first. */

#include "plxm_priv.h"

/* The holder may change @p chip, and the links of its cables at both ends. */
void plxm_lock(const struct plxm_rig *r, const struct plxm_chip *chip);
int plxm_trylock(const struct plxm_rig *r, const struct plxm_chip *chip); /* -EAGAIN: it is taken */
void plxm_unlock(const struct plxm_rig *r);

#endif /* PLXM_LOCK_H */
