/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef ETH_PORT_H
#define ETH_PORT_H

/* The calls of a port. */

#include <net/if.h>

#include "eth_link.h"

extern const struct ntb_port_ops eth_port_ops;

/** What the kernel knows of a network interface: SIOCGIF... 0 or -errno. */
int eth_iface_ask(const char *iface, unsigned long what, struct ifreq *ret);

#endif /* ETH_PORT_H */
