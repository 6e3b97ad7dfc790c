/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLXM_LOCK_H
#define PLXM_LOCK_H

/* The lock of a cable file. A process that finds that the last holder died repairs the cable first.
 */

#include "plxm_priv.h"

void plxm_lock(struct plxm_cable *c);
void plxm_unlock(struct plxm_cable *c);

#endif /* PLXM_LOCK_H */
