/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLXM_PEER_H
#define PLXM_PEER_H

#include "plxm_priv.h"

void plxm_peer_sync(struct plxm_port *p);
void plxm_peer_drop(struct plxm_port *p);

#endif /* PLXM_PEER_H */
