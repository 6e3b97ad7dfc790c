/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLXM_MAP_H
#define PLXM_MAP_H

#include "plxm_priv.h"

void plxm_refresh(struct plxm_port *p);

static inline void
plxm_check(struct plxm_port *p)
{
	/* pairs with the increment in plxm_gen_bump(): a new value is re-read with acquire */
	if (atomic_load_explicit(&p->cable->gen, memory_order_relaxed) !=
	    atomic_load_explicit(&p->seen_gen, memory_order_relaxed))
		plxm_refresh(p);
}

#endif /* PLXM_MAP_H */
