/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLXM_GEN_H
#define PLXM_GEN_H

/* The generation of a cable: it moves when a window may lead elsewhere. */

#include "plxm_rig.h"

/* Release: a thread that sees the new value in plxm_refresh() sees the registers that led to it. */
static inline void
plxm_gen_bump(struct plxm_cable *c)
{
	atomic_fetch_add_explicit(&c->gen, 1, memory_order_release);
}

/* That of each cable at @p chip. */
static inline void
plxm_gen_bump_chip(const struct plxm_rig *r, const struct plxm_chip *chip)
{
	for (unsigned int index = 0; index < PLXM_NTS; index++)
		plxm_gen_bump(plxm_rig_cable(r, plxm_rig_cable_at(r, chip, index)));
}

#endif /* PLXM_GEN_H */
