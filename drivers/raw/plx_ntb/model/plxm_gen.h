/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLXM_GEN_H
#define PLXM_GEN_H

/* The generation of a cable: it moves when a window may lead elsewhere. */

#include "plxm_priv.h"

/* Release: a thread that sees the new value in plxm_refresh() sees the registers that led to it. */
static inline void
plxm_gen_bump(struct plxm_cable *c)
{
	atomic_fetch_add_explicit(&c->gen, 1, memory_order_release);
}

#endif /* PLXM_GEN_H */
