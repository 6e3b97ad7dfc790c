/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PORTS_H
#define PORTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rte_pmd_ntb_port.h"

enum {
	NEAR, /**< the port that the measuring lcore uses */
	AWAY, /**< the port at the other end of the cable */
	ENDS,
};

/** Two ports of this machine that are cabled to each other. */
struct ports {
	struct ntb_port_info info[ENDS];
	unsigned int n; /**< started */
	struct ntb_port *port[ENDS];
	uint8_t *region[ENDS]; /**< inbound: the window of the other end */
	size_t len;	       /**< bytes of it */
};

/**
 * Start both ports, or make two emulated ones where the EAL found none and the user named none,
 * with inbound memory of @p len bytes each, and wait until the link is up.
 * @return 0 or -errno, after a line on stderr
 */
int ports_open(struct ports *p, size_t len, bool named);
void ports_close(struct ports *p);

/** Ports of the EAL. @return how many, at most @p max */
unsigned int ports_find(struct ntb_port_info *infos, unsigned int max);

/** Inbound memory of @p len bytes that the port can take; @p number: of this port's regions, from
 * 0. The caller closes its file. 0 or -errno, after a line on stderr */
int port_region(const struct ntb_port_info *info, size_t len, unsigned int number,
		struct ntb_port_config *ret_conf);

#endif /* PORTS_H */
