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

/** Two ports of this machine, cabled to each other. */
struct ports {
	struct ntb_port *port[ENDS];
	uint8_t *region[ENDS]; /**< inbound memory of each: the other's window */
	size_t len;	       /**< bytes of a region */
	bool started[ENDS];
	char location[32]; /**< of the near one */
	bool made;	   /**< two emulated ones, by this program */
	int cable;
};

/**
 * Find two ports, or make two emulated ones where the EAL found none and the user named none, with
 * inbound memory of @p len bytes each, and wait until their link is up.
 * @return 0 or -errno, after a line on stderr
 */
int ports_open(struct ports *p, size_t len, bool named);
void ports_close(struct ports *p);

/** Ports of the EAL with @p part in their locations. @return how many, at most @p max */
unsigned int ports_find(struct ntb_port_info *infos, unsigned int max, const char *part);

/** The capability that a port has not, NULL where it has all. */
const char *port_lacks(const struct ntb_port *port);

/** Inbound memory of @p len bytes that the port can take; @p number: of this port's regions, from
 * 0. The caller closes its file. 0 or -errno, after a line on stderr */
int port_region(const struct ntb_port_info *info, size_t len, unsigned int number,
		struct ntb_port_config *ret_conf);

/** A flush of the port's own, or a read through its window. 0, or -EIO where the link is dead. */
int port_flush(struct ntb_port *port);

/** Give a port inbound memory of @p len bytes, and start it. 0 or -errno, after a line on stderr */
int port_start(const struct ntb_port_info *info, size_t len, uint8_t **ret_region);

#endif /* PORTS_H */
