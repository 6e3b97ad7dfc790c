/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SHN_PORT_H
#define SHN_PORT_H

/*
 * A rawdev: the port of this host to one other. Its cable is the memory that both have, so the
 * window is that host's region, where loads and stores are those of memory.
 */

#include <stdbool.h>
#include <stdint.h>

#include <rte_common.h>

#include "ntb_rawdev.h"
#include "shn_medium.h"

struct shn_port {
	struct ntb_rawdev raw;
	struct shn_medium *medium;
	unsigned int peer;
	/* session of the peer while the link is up, else 0; look_at_link() */
	_Atomic uint64_t up;
	_Atomic uint64_t breaks;
	_Atomic bool once;     /* a link that breaks stays down; relaxed */
	_Atomic uint32_t bell; /* the peer's while both can be woken; else 0 */
};

static inline struct shn_port *
shn_port_of(struct ntb_port *port)
{
	return container_of(port, struct shn_port, raw.port);
}

extern const struct ntb_port_ops shn_port_ops;

/** This host's word towards the peer. */
static inline _Atomic uint64_t *
shn_mine(const struct shn_port *p)
{
	return &p->medium->control->host[p->medium->host].open[p->peer];
}

#endif /* SHN_PORT_H */
