/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_LINK_LINKS_H
#define RB_LINK_LINKS_H

/**
 * @file
 * The NT ports of this host and their links.
 */

#include <stdint.h>

#include <rte_pmd_ntb_port.h>

/** Alignment of the region's bus address that suits all ports. 0, or with an error text -ENOMEM if
 * a window is smaller than the region, -ENODEV if a port lacks what a mode needs. */
int rb_links_want(uint64_t *ret_align);
/** The memory that ports of this host bring along; NULL: none does. 0, or -ENOTSUP with an error
 * text where they bring two. */
int rb_links_memory(const struct ntb_port_memory **ret_memory);
/** Configure and start the ports with the inbound region, and attach the rings. 0 or -errno with an
 *  error text. */
int rb_links_start(void);
/** Do the handshake on all links. 0 or -errno with an error text. */
int rb_links_up(void);
/** A PE without ports: set up routes and the acknowledgement words from what the lead has
 *  published. */
int rb_links_follow(void);

void rb_links_down(void);

#endif /* RB_LINK_LINKS_H */
