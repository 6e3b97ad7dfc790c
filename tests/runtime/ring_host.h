/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RING_HOST_H
#define RING_HOST_H

/**
 * @file
 * Host 1 of a ring, in this process: it is the lead of its PEs. What its neighbours would have
 * beyond the windows is plain memory.
 */

#include <stdint.h>

#include "base/rules.h"
#include "base/state.h"

enum {
	RING_HEAP = 2 << 20,
	RING_CHUNK = 4096,
};

struct ring_shape {
	int hosts, each;     /**< each host has so many PEs */
	unsigned int lcores; /**< 0: one */
	uint32_t slots;	     /**< of each of the two channels */
	unsigned int links;  /**< bits of the sides that have a cable */
	bool statics;	     /**< static data is part of the region */
	uint32_t chunk;	     /**< 0: RING_CHUNK */
};

#define RING_BOTH (1u << RB_PORT_PREV | 1u << RB_PORT_NEXT)

/** The neighbours' regions, and this host's ports; a test may give these operations. */
extern uint8_t *beyond[RB_RING_PORTS];
extern struct ntb_port ports[RB_RING_PORTS];

/** In place of the one that is there. */
void ring_set_up(const struct ring_shape *shape);
void ring_tear_down(void);

#endif /* RING_HOST_H */
