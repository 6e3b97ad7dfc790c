/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLXM_RESERVE_H
#define PLXM_RESERVE_H

#include "plxm_priv.h"

/* Address space for window @p w, where it has none: all dead. 0 or a negative errno. */
int plxm_reserve(struct plxm_port *p, struct plxm_win *w);
int plxm_map_ones(struct plxm_port *p, struct plxm_win *w, uint64_t off, uint64_t len);
void plxm_map_drop(struct plxm_port *p);

#endif /* PLXM_RESERVE_H */
