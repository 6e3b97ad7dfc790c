/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLXM_LOCK_H
#define PLXM_LOCK_H

/* The lock of a cable file. Whoever finds that its holder died makes the cable whole first. */

#include "plxm_priv.h"

void plxm_lock(struct plxm_cable *c);
void plxm_unlock(struct plxm_cable *c);

#endif /* PLXM_LOCK_H */
