/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLXM_OWNER_H
#define PLXM_OWNER_H

/* The process that an NT port belongs to. */

#include "plxm_priv.h"

uint64_t plxm_proc_start(int32_t pid); /* 0 = no such process, or a dead one */
bool plxm_owner_alive(const struct plxm_nt *nt);
void plxm_owner_gone(const struct plxm_rig *r, const struct plxm_side *s); /* locked */

#endif /* PLXM_OWNER_H */
