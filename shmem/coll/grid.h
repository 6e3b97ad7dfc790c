/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef COLL_GRID_H
#define COLL_GRID_H

/**
 * @file
 * How the hosts of a team stand to each other, by the hops between them in the graph of cables as
 * the job found it: a function of that graph and the hosts, so alike on all members.
 */

#include <stdbool.h>
#include <stdint.h>

#include "words.h"

/** A grid, which may be one row. */
struct coll_grid {
	int columns, rows;
	bool sorted;		     /**< the order is that in which the hosts were given */
	uint8_t order[COLL_GROUPS];  /**< host by place: row after row */
	uint8_t places[COLL_GROUPS]; /**< place by host */
};

/** Hops from one host to each. */
typedef uint8_t coll_hops[COLL_GROUPS];

/** Lay @p n hosts out, between which there are @p hops. */
void coll_grid_lay(struct coll_grid *g, const coll_hops *hops, int n);

#endif /* COLL_GRID_H */
