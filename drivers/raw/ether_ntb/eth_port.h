/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef ETH_PORT_H
#define ETH_PORT_H

/* The calls of a port. */

#include "eth_link.h"

static inline struct eth_port *
eth_port_of(struct ntb_port *port)
{
	return container_of(port, struct eth_port, raw.port);
}

extern const struct ntb_port_ops eth_port_ops;

/* All devices of this process with a port that is started. */
void eth_turn_all(void);
/* From now on a device has turns. 0 or -errno. */
int eth_turns_begin(struct eth_device *d);
/* @own: it was this process that began. */
void eth_turns_end(struct eth_device *d, bool own);

#endif /* ETH_PORT_H */
