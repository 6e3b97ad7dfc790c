/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef ETH_PORT_H
#define ETH_PORT_H

/* The calls of a port. */

#include "eth_link.h"

extern const struct ntb_port_ops eth_port_ops;

/* All ports of this process that are started. */
void eth_turn_all(void);
/* From now on a port has turns. 0 or -errno. */
int eth_turns_begin(struct eth_port *p);
void eth_turns_end(struct eth_port *p);

#endif /* ETH_PORT_H */
